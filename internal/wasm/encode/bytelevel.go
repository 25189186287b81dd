package encode

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file has the byte-level pre-tokenizer of GPT-2, RoBERTa and OPT. It splits text
// into contractions, words, numbers and the rest; all but contractions take along one space
// before them. Each byte of these pieces corresponds to a character of the vocabulary.

// byteClass is the class of a character in the pre-tokenizer.
type byteClass uint8

const (
	spaceByte byteClass = iota
	letterByte
	numberByte
	otherByte
)

func classOf(r rune) byteClass {
	switch {
	case unicode.IsSpace(r):
		return spaceByte
	case unicode.IsLetter(r):
		return letterByte
	case unicode.Is(unicode.N, r):
		return numberByte
	}
	return otherByte
}

// contractions are endings of English words.
var contractions = [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// nextPiece returns the length in bytes of the first piece of a nonempty text. It
// implements the regular expression
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func nextPiece(text string) int {
	if text[0] == '\'' {
		for _, c := range contractions {
			if strings.HasPrefix(text, c) {
				return len(c)
			}
		}
	}
	r, end := utf8.DecodeRuneInString(text)
	class := classOf(r)
	if r == ' ' && len(text) > 1 {
		if r, n := utf8.DecodeRuneInString(text[1:]); classOf(r) != spaceByte {
			end, class = 1+n, classOf(r)
		}
	}
	last := 0 // start of the last character
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if classOf(r) != class {
			break
		}
		last = end
		end += n
	}
	if class == spaceByte && end < len(text) && last > 0 {
		return last // the last space belongs to the next piece
	}
	return end
}

// byteCharacters are the characters that represent bytes: printable bytes are
// themselves, others are characters from U+0100 on.
func byteCharacters() (characters [256]rune) {
	next := rune(256)
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xa1 && b != 0xad {
			characters[b] = rune(b)
			continue
		}
		characters[b] = next
		next++
	}
	return characters
}
