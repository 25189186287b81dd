package rag

import (
	"strings"
	"unicode"
)

// polarityName says by what polarity is measured.
const polarityName = "VADER, mean over sentences"

// polarity is the sentiment of a text, from −1 to 1: the mean of VADER's compound scores
// of its sentences, 0 if it has none. Over a long text, a single score would be near one of
// the ends.
func polarity(text string) float64 {
	sum, n := 0.0, 0
	for _, sentence := range sentences(text) {
		sum += analyzer().compound(sentence)
		n++
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// sentences divides a text at empty lines, and after words that end with a full stop, an
// exclamation or a question mark, perhaps in quotation marks or brackets. White space
// becomes single spaces.
func sentences(text string) (list []string) {
	var words []string
	end := func() {
		if len(words) > 0 {
			list = append(list, strings.Join(words, " "))
			words = nil
		}
	}
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n\n") {
		for _, word := range strings.FieldsFunc(paragraph, unicode.IsSpace) {
			words = append(words, word)
			if bare := strings.TrimRight(word, `"')]”’`); bare != strings.TrimRight(bare, ".!?") {
				end()
			}
		}
		end()
	}
	return list
}
