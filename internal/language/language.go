// Package language tells whether a corpus is English, for which there is a reader of queries.
package language

import (
	"strings"
	"unicode"
)

// Corpus tells whether a corpus is English, by the beginnings of its first documents.
type Corpus struct{ documents, words, frequent int }

const (
	mostDocuments = 1000
	mostBytes     = 1000

	// One word of how many is in frequentWords, at least. In English prose it is every third. Of the languages that have some
	// of these words, too, such as Danish ("for", "at", "have"), it is one of ten.
	englishWords = 5
)

// frequentWords are the most frequent words of English that are letters only.
var frequentWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq("the of and to in a is that for it as with was on be by this are at from or an have not but which you they " +
		"we can has their more will what if there about how") {
		words[word] = true
	}
	return words
}()

// See counts the words of a document.
func (c *Corpus) See(text string) {
	if c.documents == mostDocuments {
		return
	}
	c.documents++
	for word := range strings.FieldsFuncSeq(strings.ToLower(text[:min(len(text), mostBytes)]), func(r rune) bool { return !unicode.IsLetter(r) }) {
		c.words++
		if frequentWords[word] {
			c.frequent++
		}
	}
}

// IsEnglish reports whether an encoder is for English, by its BCP 47 tag, or, if that is empty, whether the documents are English.
func (c *Corpus) IsEnglish(encoder string) bool {
	if encoder != "" {
		return encoder == "en" || strings.HasPrefix(encoder, "en-")
	}
	return c.words > 0 && englishWords*c.frequent >= c.words
}
