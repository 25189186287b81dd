package encode

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Charsmap is the normalizer that SentencePiece keeps in its models as
// precompiled_charsmap: a double-array trie (Aoe, 1989, in the layout of darts-clone)
// from character sequences to their replacements.
//
// Append works like the "Precompiled" normalizer of the Hugging Face tokenizers
// library, which differs from SentencePiece: a grapheme cluster of less than six bytes
// becomes the replacement of its shortest known prefix. In longer clusters, and in those
// without a known prefix, each character is looked up by itself.
type Charsmap struct {
	units  []uint32
	values string    // replacements, each followed by NUL
	growth int       // length of the longest replacement
	plain  [128]bool // ASCII characters that stay unchanged
}

// maxCharsmap is the greatest length of a map in bytes.
const maxCharsmap = 16 << 20

// ParseCharsmap reads a precompiled_charsmap. It does not keep blob.
func ParseCharsmap(blob []byte) (*Charsmap, error) {
	if len(blob) < 8 || len(blob) > maxCharsmap {
		return nil, errors.New("a precompiled_charsmap of " + strconv.Itoa(len(blob)) + " bytes, not 8 to " + strconv.Itoa(maxCharsmap))
	}
	n := binary.LittleEndian.Uint32(blob)
	rest := blob[4:]
	if n%4 != 0 || n == 0 || uint64(n) > uint64(len(rest)) {
		return nil, errors.New("a precompiled_charsmap whose trie has " + strconv.Itoa(int(n)) + " bytes, of " + strconv.Itoa(len(rest)))
	}
	c := &Charsmap{units: make([]uint32, n/4), values: string(rest[n:])}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	if !utf8.ValidString(c.values) {
		return nil, errors.New("a precompiled_charsmap whose replacements are no UTF-8")
	}
	for rest := c.values; rest != ""; {
		value, after, _ := strings.Cut(rest, "\x00")
		c.growth, rest = max(c.growth, len(value)), after
	}
	for b := range c.plain {
		_, replaced := c.replacement(string(rune(b)))
		c.plain[b] = !replaced
	}
	return c, nil
}

// replacement returns the replacement of the shortest prefix of text that is in the
// map.
func (c *Charsmap) replacement(text string) (string, bool) {
	// A unit holds a label in its low byte. Bit 31 is set in values and not in labels,
	// bit 8 says that a value follows, and the rest is an offset that is combined by
	// exclusive-or.
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	at := offset(c.units[0])
	for i := range len(text) {
		b := text[i]
		if at ^= uint32(b); b == 0 || uint64(at) >= uint64(len(c.units)) {
			return "", false
		}
		unit := c.units[at]
		if unit&(1<<31|0xff) != uint32(b) {
			return "", false
		}
		if at ^= offset(unit); uint64(at) >= uint64(len(c.units)) {
			return "", false
		}
		if unit>>8&1 == 0 {
			continue
		}
		first := uint64(c.units[at] & (1<<31 - 1))
		if first > uint64(len(c.values)) || first < uint64(len(c.values)) && !utf8.RuneStart(c.values[first]) {
			return "", false
		}
		value := c.values[first:]
		if end := strings.IndexByte(value, 0); end >= 0 {
			value = value[:end]
		}
		return value, true
	}
	return "", false
}

// Growth bounds how many bytes the map makes of one byte of a text.
func (c *Charsmap) Growth() int { return max(c.growth, 1) }

// mostCluster is the length of the longest grapheme cluster that is looked up as a
// whole, in bytes.
const mostCluster = 5

// Append appends the rewritten text to dst; text must be valid UTF-8.
func (c *Charsmap) Append(dst []byte, text string) []byte {
	for len(text) > 0 {
		if b := text[0]; b < utf8.RuneSelf && c.plain[b] && (len(text) == 1 || text[1] < utf8.RuneSelf && b != '\r') {
			dst = append(dst, b)
			text = text[1:]
			continue
		}
		n := cluster(text)
		if n <= mostCluster {
			if value, ok := c.replacement(text[:n]); ok {
				dst = append(dst, value...)
				text = text[n:]
				continue
			}
		}
		for _, r := range text[:n] {
			size := utf8.RuneLen(r)
			if value, ok := c.replacement(text[:size]); ok {
				dst = append(dst, value...)
			} else {
				dst = append(dst, text[:size]...)
			}
			text = text[size:]
		}
	}
	return dst
}

// cluster returns the length in bytes of the grapheme cluster at the beginning of text
// (Unicode Standard Annex 29, extended, GB3 to GB9b). It does not join sequences of
// emoji, flags and conjuncts, because each sequence is longer than mostCluster.
func cluster(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if r == '\r' && len(text) > 1 && text[1] == '\n' {
		return 2
	}
	kind := clusterClass(r)
	if kind == clusterControl {
		return n
	}
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		next := clusterClass(r)
		if next != clusterExtend && (kind != clusterPrepend || next == clusterControl) && !hangulJoins(kind, next) {
			break
		}
		kind = next
		n += size
	}
	return n
}

// clusterKind is the class of a character in the rules for grapheme clusters.
type clusterKind uint8

const (
	clusterOther   clusterKind = iota
	clusterExtend              // joins the character before it: Extend, ZWJ and SpacingMark
	clusterPrepend             // joins the character after it
	clusterControl             // alone, except CR before LF
	clusterLead                // the five kinds of Hangul
	clusterVowel
	clusterTrail
	clusterLeadVowel
	clusterSyllable
)

// hangulJoins is GB6 to GB8.
func hangulJoins(kind, next clusterKind) bool {
	switch kind {
	case clusterLead:
		return next == clusterLead || next == clusterVowel || next == clusterLeadVowel || next == clusterSyllable
	case clusterLeadVowel, clusterVowel:
		return next == clusterVowel || next == clusterTrail
	case clusterSyllable, clusterTrail:
		return next == clusterTrail
	}
	return false
}

func clusterClass(r rune) clusterKind {
	switch {
	case r < ' ' || 0x7f <= r && r < 0xa0 || r == 0xad:
		return clusterControl
	case r < 0x300:
		return clusterOther
	case 0x1100 <= r && r < 0x1160 || 0xa960 <= r && r <= 0xa97c:
		return clusterLead
	case 0x1160 <= r && r < 0x11a8 || 0xd7b0 <= r && r <= 0xd7c6:
		return clusterVowel
	case 0x11a8 <= r && r < 0x1200 || 0xd7cb <= r && r <= 0xd7fb:
		return clusterTrail
	case hangulFirst <= r && r <= hangulLast:
		if (r-hangulFirst)%hangulTrails == 0 {
			return clusterLeadVowel
		}
		return clusterSyllable
	case unicode.Is(prepended, r):
		return clusterPrepend
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Grapheme_Extend), r == 0x200d, 0x1f3fb <= r && r <= 0x1f3ff, 0xe0020 <= r && r <= 0xe007f, r == 0xe33, r == 0xeb3:
		return clusterExtend
	case unicode.Is(unicode.Mc, r):
		if unicode.Is(spacingAlone, r) {
			return clusterOther
		}
		return clusterExtend
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp), r == 0x2065, 0xfff0 <= r && r <= 0xfff8, 0xe0000 <= r && r <= 0xe0fff:
		return clusterControl
	}
	return clusterOther
}

// prepended is Grapheme_Cluster_Break=Prepend, Unicode 15.
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{0x600, 0x605, 1}, {0x6dd, 0x6dd, 1}, {0x70f, 0x70f, 1}, {0x890, 0x891, 1}, {0x8e2, 0x8e2, 1}, {0xd4e, 0xd4e, 1}},
	R32: []unicode.Range32{{0x110bd, 0x110bd, 1}, {0x110cd, 0x110cd, 1}, {0x111c2, 0x111c3, 1}, {0x1193f, 0x1193f, 1}, {0x11941, 0x11941, 1},
		{0x11a3a, 0x11a3a, 1}, {0x11a84, 0x11a89, 1}, {0x11d46, 0x11d46, 1}, {0x11f02, 0x11f02, 1}},
}

// spacingAlone are the spacing marks that Annex 29 excepts from SpacingMark.
var spacingAlone = &unicode.RangeTable{
	R16: []unicode.Range16{{0x102b, 0x102c, 1}, {0x1038, 0x1038, 1}, {0x1062, 0x1064, 1}, {0x1067, 0x106d, 1}, {0x1083, 0x1083, 1}, {0x1087, 0x108c, 1},
		{0x108f, 0x108f, 1}, {0x109a, 0x109c, 1}, {0x1a61, 0x1a61, 1}, {0x1a63, 0x1a64, 1}, {0xaa7b, 0xaa7b, 1}, {0xaa7d, 0xaa7d, 1}},
	R32: []unicode.Range32{{0x11720, 0x11721, 1}},
}
