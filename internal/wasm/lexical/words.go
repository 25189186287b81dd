package lexical

import (
	"unicode"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// mostWordBytes is the greatest length of a word in bytes. Longer words are split into pieces.
const mostWordBytes = 128

// normalizer removes differences that readers ignore: case, accents (NFD without
// nonspacing marks), control and format characters.
var normalizer = encode.Normalizer{CleanText: true, StripAccents: true, Lowercase: true}

// nextWord returns the first word of a normalised text and the rest after it, or nil. A
// word is a run of Unicode letters, marks and numbers. An apostrophe ends a word, so
// that "Europe's" contains "europe" and "l'eau" contains "eau". Han and Hiragana are
// written without spaces, so each character is a word. Thai, Lao, Khmer and Burmese are
// also written without spaces, but splitting them needs a dictionary, so a run up to
// the next space is a word.
func nextWord(text []byte) (word, rest []byte) {
	start, i := 0, 0
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		switch kind := kindOf(r); {
		case kind == inWord && i-start+size <= mostWordBytes:
			i += size
		case start < i:
			return text[start:i], text[i:]
		case kind == wholeWord:
			return text[i : i+size], text[i+size:]
		default:
			i += size
			start = i
		}
	}
	if start < i {
		return text[start:i], nil
	}
	return nil, nil
}

type runeKind uint8

const (
	betweenWords runeKind = iota
	inWord
	wholeWord
)

func kindOf(r rune) runeKind {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return inWord
	case r < utf8.RuneSelf:
		return betweenWords // no upper case: the text is normalised
	case r >= 0x2E80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r)):
		return wholeWord
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		return inWord
	}
	return betweenWords
}

// Terms returns the distinct words of a text that Search looks up, lower-cased and
// without accents, in the order in which they first occur.
func Terms(text string) []string {
	terms, _ := count(text)
	return terms
}

// count returns the distinct words of a text and the number of occurrences of each.
func count(text string) (terms []string, counts []int) {
	numbers := map[string]int{}
	rest := normalizer.Append(nil, text)
	for {
		var word []byte
		if word, rest = nextWord(rest); word == nil {
			return terms, counts
		}
		number, known := numbers[string(word)]
		if !known {
			number = len(terms)
			terms = append(terms, string(word))
			counts = append(counts, 0)
			numbers[terms[number]] = number
		}
		counts[number]++
	}
}
