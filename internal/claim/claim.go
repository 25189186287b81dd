// Package claim makes the queries whose angles tell texts for a root from texts against it.
package claim

import (
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// PhraseTable is the name of a pack's table of texts that has the wording which makes a claim
// of a bare phrase.
const PhraseTable = "phrase"

// Verbs are the words, separated by spaces, by which a root is taken for a sentence: English
// auxiliaries and modal verbs, and some verbs that claims and demands often have and phrases do
// not.
const Verbs = "am is are was were do does did has have had can cannot could may might must shall should will would ought " +
	"need needs deserve deserves make makes get gets give gives say says show shows cause causes kill kills help helps " +
	"lead leads require requires threaten threatens undermine undermines ruin ruins contribute contributes destroy destroys " +
	"improve improves reduce reduces abolish introduce encourage allow legalise legalize provide remove keep let let's"

// PhraseWords is how many words a phrase has at most.
const PhraseWords = 8

// verbEnds are the ends of verbs that are joined with another word.
var verbEnds = [...]string{"n't", "'re", "'ve", "'ll"}

// Asking returns the query whose angle tells texts for a root, or against it: the wording in
// the encoder's table of texts with the side's name, and the root as a claim.
func Asking(texts map[string][]string, side stance.Side, root string) string {
	return texts[side.String()][0] + claim(texts, root)
}

// claim returns a root as a claim. Models that tell sides apart learn them from claims, and know
// less well what it means to be for "school uniforms". So a root of a few words without a verb is put behind
// the wording in the encoder's table of texts PhraseTable ("We should have "), if it has one.
func claim(texts map[string][]string, root string) string {
	if wording := texts[PhraseTable]; len(wording) > 0 && isPhrase(root) {
		return wording[0] + root
	}
	return root
}

// isPhrase says whether a text has at most PhraseWords words, of which none is one of Verbs or has
// one of verbEnds. Words consist of ASCII letters and apostrophes, so that the page's code
// finds the same ones.
func isPhrase(text string) bool {
	text = strings.ReplaceAll(text, "’", "'")
	begin, words := -1, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (text[i] == '\'' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z') {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 {
			if words++; words > PhraseWords || isVerb(strings.ToLower(text[begin:i])) {
				return false
			}
		}
		begin = -1
	}
	return true
}

func isVerb(word string) bool {
	for _, end := range verbEnds {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	rest := Verbs
	for rest != "" {
		verb, after, _ := strings.Cut(rest, " ")
		if verb == word {
			return true
		}
		rest = after
	}
	return false
}
