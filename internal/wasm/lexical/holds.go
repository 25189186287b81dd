package lexical

import (
	"slices"
	"unicode/utf8"
)

// Holds reports whether a document holds all words of a text. It does not if the text has no words.
func Holds(document, text string) bool {
	words := Terms(text)
	if len(words) == 0 {
		return false
	}
	held := Terms(document)
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(held, word) })
}

// Shares compares words of at least LongWord letters, because shorter ones seldom say what a
// text is about, and wants SharedWords of them in common.
const LongWord, SharedWords = 5, 2

// Shares reports whether a document holds at least SharedWords different long words of a text.
func Shares(document, text string) bool {
	held, shared := Terms(document), 0
	for _, word := range Terms(text) {
		if utf8.RuneCountInString(word) >= LongWord && slices.Contains(held, word) {
			shared++
		}
	}
	return shared >= SharedWords
}
