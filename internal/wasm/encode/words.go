package encode

import (
	"iter"
	"unicode/utf8"
)

// Words iterates over the words of a normalised text. It splits like BertPreTokenizer:
// at white space, which is dropped, and around each punctuation character, which is a
// word of its own. The words alias text.
func Words(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			word, rest := nextWord(text)
			if word == nil || !yield(word) {
				return
			}
			text = rest
		}
	}
}

// nextWord returns the first word of a text and the rest after it, or nil.
func nextWord(text []byte) (word, rest []byte) {
	start := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if 'a' <= r && r <= 'z' { // the usual case
			i++
			continue
		}
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		switch kind := wordClass(r); {
		case kind != classSpace && kind != classPunctuation:
			i += size
		case start < i:
			return text[start:i], text[i:]
		case kind == classPunctuation:
			return text[i : i+size], text[i+size:]
		default:
			i += size
			start = i
		}
	}
	if start < len(text) {
		return text[start:], nil
	}
	return nil, nil
}

// asciiClass is an ASCII character's class in the pre-tokenizer: every graphic
// character except letters and digits is punctuation, even those that Unicode counts as
// symbols.
func asciiClass(c byte) runeClass {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return classOther
	case c == ' ', '\t' <= c && c <= '\r':
		return classSpace
	case '!' <= c && c <= '~':
		return classPunctuation
	}
	return classOther
}

// wordClass is a rune's class in the pre-tokenizer. U+0085 is white space here,
// although the normaliser treats it as a control character.
func wordClass(r rune) runeClass {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass(byte(r))
	case r == 0x85:
		return classSpace
	}
	return properties().class(r)
}

// isSpace reports whether a rune has Unicode's White_Space property.
func isSpace(r rune) bool { return wordClass(r) == classSpace }

func isPunctuation(r rune) bool { return wordClass(r) == classPunctuation }
