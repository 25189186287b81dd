package claim

import (
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Only roots of a few words without a verb are put behind the wording.
func TestClaim(t *testing.T) {
	texts := map[string][]string{PhraseTable: {"We should have "}}
	for root, phrase := range map[string]bool{
		"school uniforms":                               true,
		"a ban on private fireworks":                    true,
		"Children's football without tables":            true,
		"Café terraces":                                 true,
		"":                                              true,
		"School uniforms are good for pupils":           false,
		"CITIES SHOULD RESTRICT RENTALS":                false,
		"Zoos do more good than harm":                   false,
		"one can’t reuse it":                            false,
		"they're late":                                  false,
		"is,perhaps":                                    false,
		"the shoulders of giants, and a canopy":         true, // no part of a word counts
		"a need-based grant":                            false,
		"’’’ '":                                         true,
		"donŠt stop":                                    true, // cut by letters that are not ASCII's
		strings.Repeat("uniforms ", PhraseWords):        true,
		strings.Repeat("uniforms ", PhraseWords) + "of": false,
		strings.Repeat("uniforms ", 10_000) + "is":      false,
		"Abolish the electoral college":                 false,
	} {
		want := root
		if phrase {
			want = "We should have " + root
		}
		if got := claim(texts, root); got != want {
			t.Errorf("%.40q became %.60q", root, got)
		}
		for _, none := range []map[string][]string{nil, {PhraseTable: nil}, {"for": {"x"}}} {
			if got := claim(none, root); got != root {
				t.Errorf("without a wording, %.40q became %.40q", root, got)
			}
		}
	}
}

// A query has the wording of its side.
func TestAsking(t *testing.T) {
	texts := map[string][]string{"for": {"for: "}, "against": {"against: ", "unused"}, PhraseTable: {"let there be "}}
	if pro, con := Asking(texts, stance.For, "zoos"), Asking(texts, stance.Against, "Zoos are cruel"); pro != "for: let there be zoos" || con != "against: Zoos are cruel" {
		t.Errorf("%q and %q", pro, con)
	}
}

// The list names each word once, in lower case. A word is found in any case, and not within
// another word.
func TestVerbs(t *testing.T) {
	all := strings.Fields(Verbs)
	if strings.Join(all, " ") != Verbs || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("%q", Verbs)
	}
	for _, v := range all {
		if isPhrase(strings.ToUpper(v)) || !isPhrase("x"+v+"x") {
			t.Errorf("%s is not found, or in another word", v)
		}
	}
}
