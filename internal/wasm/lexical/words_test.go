package lexical

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" .,- ", ""},
		{"The cat, the CAT!", "the cat"},
		{"Café cafe\u0301 NAÏVE", "cafe naive"},
		{"Europe's l’eau don't", "europe s l eau don t"},
		{"snake_case e-mail 3.14 R2D2 C++", "snake case e mail 3 14 r2d2 c"},
		{"Ωmega Привет МИР", "ωmega привет мир"},
		{"日本語の検索", "日 本 語 の 検 索"},
		{"カタカナ2語", "カタカナ2 語"},
		{"हिन्दी में", "हिनदी म"},
		{"soft\u00adhyphen zero\u200dwidth a\x00b", "softhyphen zerowidth ab"},
		{"bad\xffutf ½ ① x²", "badutf ½ ① x²"},
		{"a\u00a0b\u2003c\nd", "a b c d"},
		{strings.Repeat("x", 300), strings.Repeat("x", 128) + " " + strings.Repeat("x", 44)},
		{strings.Repeat("€", 3) + "ж" + strings.Repeat("щ", 64), "ж" + strings.Repeat("щ", 63) + " щ"},
	} {
		if got := strings.Join(Terms(c.text), " "); got != c.want {
			t.Errorf("%+q: %+q, want %+q", c.text, got, c.want)
		}
	}
}

// FuzzTerms checks that each term, taken as a text, gives itself as its only term, so
// that queries can find all terms of a file.
func FuzzTerms(f *testing.F) {
	for _, text := range []string{"The cat's Café", "日本語 の", "İ ΣΑΣ ǅ", "a\xff\u0301\u302e", "हिन्दी", "한글"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range Terms(text) {
			if term == "" || len(term) > mostWordBytes || !utf8.ValidString(term) {
				t.Fatalf("%+q has the term %+q", text, term)
			}
			if again := Terms(term); !slices.Equal(again, []string{term}) {
				t.Fatalf("%+q has the term %+q, and that has %+q", text, term, again)
			}
		}
	})
}
