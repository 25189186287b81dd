package encode

import "sync"

//go:generate go run ./internal/genunicode

// runeClass is the class of a rune in BERT's normaliser and pre-tokenizer.
type runeClass uint8

const (
	classOther       runeClass = iota
	classMark                  // Mn: stripped with the accents
	classPunctuation           // P*: a word of its own
	classControl               // Cc, Cf, Co: removed by clean_text, which makes spaces of tabs and line ends
	classSpace                 // White_Space, unless it is a control character
)

// run is a run of runes with one value.
type run struct {
	first, last, value rune
	step               rune // 2 means every second rune
}

// runs are disjoint and ascending.
type runs []run

// lookup returns the value of a rune, 0 outside every run.
func (t runs) lookup(r rune) rune {
	low, high := 0, len(t)
	for low < high {
		if middle := (low + high) / 2; t[middle].last < r {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(t) || r < t[low].first || t[low].step == 2 && (r-t[low].first)&1 == 1 {
		return 0
	}
	return t[low].value
}

// unicodeTables holds the decoded generated data.
type unicodeTables struct {
	classes, combining runs
	lowers             runs // values are distances
	decomposable       runs // single runes; values are offsets in runes, times 4, plus length less 1
	runes              []rune
}

var (
	tables     unicodeTables
	tablesOnce sync.Once
)

// properties decodes the tables at their first use.
func properties() *unicodeTables {
	tablesOnce.Do(tables.decode)
	return &tables
}

func (t *unicodeTables) decode() {
	t.classes = decodeRuns(classData, false)
	t.combining = decodeRuns(combiningData, false)
	t.lowers = decodeRuns(lowerData, true)

	var tails [128]rune
	last, n := rune(0), 0
	for data := varints(decompositionTails); len(data) > 0; n++ {
		last += rune(data.unsigned())
		tails[n] = last
	}
	last, first := 0, rune(0)
	for data := varints(decompositionData); len(data) > 0; {
		head := data.unsigned()
		last += rune(head >> 2)
		length := rune(head & 3)
		t.decomposable = append(t.decomposable, run{first: last, last: last, value: rune(len(t.runes))<<2 | length})
		first += data.signed()
		for r := first; ; length-- {
			t.runes = append(t.runes, r)
			if length == 0 {
				break
			}
			r = tails[data.unsigned()]
		}
	}
}

// decodeRuns decodes runs as internal/genunicode writes them; those of lower
// case have steps and signed values.
func decodeRuns(data varints, stepped bool) (t runs) {
	end := rune(0)
	for len(data) > 0 {
		r := run{first: end + rune(data.unsigned()), step: 1}
		count := rune(data.unsigned())
		if stepped {
			r.step += count & 1
			count >>= 1
			r.value = data.signed()
		} else {
			r.value = rune(data.unsigned())
		}
		r.last = r.first + r.step*count
		t = append(t, r)
		end = r.last + 1
	}
	return t
}

// varints reads encoding/binary's variable-length integers from a string.
type varints string

// unsigned is not inlined, to keep the browser module small.
//
//go:noinline
func (v *varints) unsigned() (x uint32) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		b := (*v)[i]
		x |= uint32(b&0x7f) << shift
		if b < 0x80 {
			*v = (*v)[i+1:]
			return x
		}
	}
}

func (v *varints) signed() int32 {
	x := v.unsigned()
	return int32(x>>1) ^ -int32(x&1)
}

// class returns the class of r.
func (t *unicodeTables) class(r rune) runeClass { return runeClass(t.classes.lookup(r)) }

// combiningClass returns the canonical combining class of r.
func (t *unicodeTables) combiningClass(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return uint8(t.combining.lookup(r))
}

// lower returns the simple lower-case mapping of r.
func (t *unicodeTables) lower(r rune) rune { return r + t.lowers.lookup(r) }

// Hangul syllables, Unicode Standard section 3.12.
const (
	hangulFirst, hangulLast              = 0xAC00, 0xD7A3
	hangulLead, hangulVowel, hangulTrail = 0x1100, 0x1161, 0x11A7
	hangulTrails, hangulPerLeading       = 28, 21 * 28
)

// decompose returns the full canonical decomposition of r, in canonical order,
// or nil if r is its own. buffer holds the answer for Hangul syllables.
func (t *unicodeTables) decompose(r rune, buffer *[3]rune) []rune {
	if r < 0xC0 || (0x3400 <= r && r < hangulFirst) {
		return nil
	}
	if hangulFirst <= r && r <= hangulLast {
		s := r - hangulFirst
		buffer[0] = hangulLead + s/hangulPerLeading
		buffer[1] = hangulVowel + s%hangulPerLeading/hangulTrails
		if trail := s % hangulTrails; trail != 0 {
			buffer[2] = hangulTrail + trail
			return buffer[:3]
		}
		return buffer[:2]
	}
	// lookup gives 0 for runes without decomposition. No decomposition has the value 0, offset
	// 0 and length 1, because the one at offset 0, of U+00C0, has two parts.
	value := t.decomposable.lookup(r)
	if value == 0 {
		return nil
	}
	return t.runes[value>>2:][:value&3+1]
}
