package browser

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// Every word that the index finds in a text is marked in it, in any script, also if soft hyphens and the like divide it.
func TestWordsOfTheIndexAreMarked(t *testing.T) {
	t.Parallel()
	page := library(t)
	for text, want := range map[string][]string{
		"東京タワーとコンピュータを学ぶ": {"コンピュータ", "タワー", "東", "京", "と", "を", "学", "ぶ"},
		"学\u3075\u3099":                        {"学", "\u3075\u3099"},
		"Die Donau\u00addampf\u00adfahrt":      {"Die", "Donau\u00addampf\u00adfahrt"},
		"من می\u200cخواهم":                     {"من", "می\u200cخواهم"},
		"na\u0131ve café, cafe\u0301; ΣΟΦΊΑ's": {"naıve", "café", "cafe\u0301", "ΣΟΦΊΑ", "s"},
	} {
		got := call[[]string](t, page, `async (text, words) => {
			const { marked, wordsOf } = await import('/static/src/show/excerpt.js');
			const { countTerms } = await import('/static/src/words/terms.js');
			const fold = (text) => [...countTerms(text).keys()];
			return words.flatMap((word) => marked(text, wordsOf(word, fold)).filter((part) => part instanceof Node)).map((mark) => mark.textContent);
		}`, text, lexical.Terms(text))
		slices.Sort(got)
		if got, want := slices.Compact(got), slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
			t.Errorf("%q: marked %q, want %q", text, got, want)
		}
	}
}
