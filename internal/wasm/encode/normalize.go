package encode

import "unicode/utf8"

// Normalizer is BertNormalizer of the Hugging Face tokenizers library. The zero value
// leaves text unchanged, except for invalid UTF-8, which becomes U+FFFD. Unicode
// properties are those of version 15. The library may have an older version and
// classify newer characters differently.
type Normalizer struct {
	CleanText    bool // remove control characters, turn white space into spaces
	ChineseChars bool // put spaces around CJK ideographs
	StripAccents bool // decompose (NFD) and remove nonspacing marks
	Lowercase    bool // lower-case each rune on its own
}

// BertUncased is the normaliser of uncased BERT models.
var BertUncased = Normalizer{CleanText: true, ChineseChars: true, StripAccents: true, Lowercase: true}

// Append appends the normalised text to dst. It does not keep text.
func (n Normalizer) Append(dst []byte, text string) []byte {
	i := 0
	for ; i < len(text) && text[i] < utf8.RuneSelf; i++ {
		dst = n.appendASCII(dst, text[i])
	}
	if i == len(text) {
		return dst
	}
	s := normalization{Normalizer: n, tables: properties(), dst: dst}
	for _, r := range text[i:] {
		s.clean(r)
	}
	s.flush()
	return s.dst
}

// appendASCII normalises one ASCII character, which never decomposes and is not a mark.
func (n Normalizer) appendASCII(dst []byte, c byte) []byte {
	switch {
	case 'A' <= c && c <= 'Z':
		if n.Lowercase {
			c += 'a' - 'A'
		}
	case c < ' ' || c == 0x7f:
		if n.CleanText {
			if c != '\t' && c != '\n' && c != '\r' {
				return dst
			}
			c = ' '
		}
	}
	return append(dst, c)
}

// normalization is the state of one text that is not all ASCII.
type normalization struct {
	Normalizer
	tables  *unicodeTables
	dst     []byte
	pending []combiningMark // marks since the last starter, not yet in canonical order
}

type combiningMark struct {
	r     rune
	class uint8
}

// clean is the first step for a rune of the text: clean_text and CJK spacing.
func (s *normalization) clean(r rune) {
	if r < utf8.RuneSelf {
		s.flush()
		s.dst = s.appendASCII(s.dst, byte(r))
		return
	}
	if s.CleanText {
		switch s.tables.class(r) {
		case classControl:
			return
		case classSpace:
			r = ' '
		}
		if r == utf8.RuneError {
			return
		}
	}
	if s.ChineseChars && isChinese(r) {
		s.flush()
		s.dst = append(s.dst, ' ')
		s.decompose(r)
		s.flush()
		s.dst = append(s.dst, ' ')
		return
	}
	s.decompose(r)
}

// decompose is the second step: NFD, if accents are stripped.
func (s *normalization) decompose(r rune) {
	if !s.StripAccents {
		s.emit(r)
		return
	}
	var buffer [3]rune
	parts := s.tables.decompose(r, &buffer)
	if parts == nil {
		buffer[0] = r
		parts = buffer[:1]
	}
	for _, r := range parts {
		if class := s.tables.combiningClass(r); class != 0 {
			if s.tables.class(r) != classMark {
				s.pending = append(s.pending, combiningMark{r, class})
			}
			continue
		}
		s.flush()
		if s.tables.class(r) != classMark {
			s.emit(r)
		}
	}
}

// flush emits the pending marks in canonical order (Unicode Standard D108): by
// combining class, and in the original order within a class. It makes two passes per
// class, of which there are about fifty. Usually there are no marks, because stripped
// marks are not added.
func (s *normalization) flush() {
	for last := uint8(0); len(s.pending) > 0; {
		next := uint8(255)
		for _, m := range s.pending {
			if m.class > last {
				next = min(next, m.class)
			}
		}
		for _, m := range s.pending {
			if m.class == next {
				s.emit(m.r)
			}
		}
		if last = next; last == 255 {
			s.pending = s.pending[:0]
		}
	}
}

// emit is the last step: lower case. Only U+0130 has a lower case of two runes.
func (s *normalization) emit(r rune) {
	if s.Lowercase {
		if r == 'İ' {
			s.dst = append(s.dst, "i\u0307"...)
			return
		}
		r = s.tables.lower(r)
	}
	s.dst = utf8.AppendRune(s.dst, r)
}

// isChinese reports whether BERT treats r as a word of its own. The ranges are those of
// the tokenizers library, in which Extension E begins at U+2B920.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, 0x4E00 <= r && r <= 0x9FFF, 0xF900 <= r && r <= 0xFAFF:
		return true
	case r < 0x20000:
		return false
	}
	return r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2B73F || 0x2B740 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F
}
