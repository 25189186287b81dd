package encode

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// addedToken is an entry of added_tokens: a string that is cut out of the text
// before WordPiece sees it.
type addedToken struct {
	content        string
	id             uint32
	lstrip, rstrip bool // it takes the white space on that side along
}

// addedTokens finds the leftmost and there the longest of a set of tokens.
type addedTokens struct {
	tokens  map[string]addedToken
	lengths []int // the different lengths of tokens, longest first
	begins  [256]bool
	single  string // the byte that all tokens begin with, where there is only one
}

// add enters a token, which is not empty; of two with equal content the later stays.
func (a *addedTokens) add(t addedToken) {
	if a.tokens == nil {
		a.tokens = map[string]addedToken{}
		a.single = t.content[:1]
	}
	a.tokens[t.content] = t
	a.addLength(len(t.content))
	a.begins[t.content[0]] = true
	if t.content[:1] != a.single {
		a.single = ""
	}
}

// addLength enters a length where it belongs.
func (a *addedTokens) addLength(n int) {
	i := 0
	for i < len(a.lengths) && a.lengths[i] > n {
		i++
	}
	if i < len(a.lengths) && a.lengths[i] == n {
		return
	}
	a.lengths = append(a.lengths, 0)
	copy(a.lengths[i+1:], a.lengths[i:])
	a.lengths[i] = n
}

// find returns the first token in text and the stretch it takes up, or found
// false and start = len(text).
func (a *addedTokens) find(text string) (start, stop int, id uint32, found bool) {
	if a.tokens == nil {
		return len(text), 0, 0, false
	}
	for i := 0; i < len(text); i++ {
		if a.single != "" {
			skip := strings.IndexByte(text[i:], a.single[0])
			if skip < 0 {
				break
			}
			i += skip
		} else if !a.begins[text[i]] {
			continue
		}
		for _, n := range a.lengths {
			if n > len(text)-i {
				continue
			}
			if t, ok := a.tokens[text[i:i+n]]; ok {
				start, stop = i, i+n
				if t.lstrip {
					start = trimmed(text[:start])
				}
				if t.rstrip {
					stop += indent(text[stop:])
				}
				return start, stop, t.id, true
			}
		}
	}
	return len(text), 0, 0, false
}

// findBytes is find on bytes that do not change meanwhile.
func (a *addedTokens) findBytes(text []byte) (start, stop int, id uint32, found bool) {
	return a.find(unsafe.String(unsafe.SliceData(text), len(text)))
}

// trimmed returns the length of text without the white space at its end.
func trimmed(text string) int {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		if !isSpace(r) {
			break
		}
		text = text[:len(text)-size]
	}
	return len(text)
}

// indent returns the length of the white space at the beginning of text.
func indent(text string) int {
	for i, r := range text {
		if !isSpace(r) {
			return i
		}
	}
	return len(text)
}
