package lexical

import "slices"

// Holds reports whether a document holds all words of a text, which has some.
func Holds(document, text string) bool {
	words := Terms(text)
	if len(words) == 0 {
		return false
	}
	held := Terms(document)
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(held, word) })
}
