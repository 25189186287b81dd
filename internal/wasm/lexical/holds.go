package lexical

import (
	"slices"
	"unicode/utf8"
)

// Holds reports whether a document holds all words of a text, which has some.
func Holds(document, text string) bool {
	words := Terms(text)
	if len(words) == 0 {
		return false
	}
	held := Terms(document)
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(held, word) })
}

// LongWord is the number of letters from which a word says something about a subject, and
// SharedWords is how many such words a document and a text must have in common to share some.
const LongWord, SharedWords = 5, 2

// Shares reports whether a document holds SharedWords different long words of a text.
func Shares(document, text string) bool {
	held, shared := Terms(document), 0
	for _, word := range Terms(text) {
		if utf8.RuneCountInString(word) >= LongWord && slices.Contains(held, word) {
			shared++
		}
	}
	return shared >= SharedWords
}
