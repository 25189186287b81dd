package browser

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/static"
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

// A page whose language is no tag of a language gets excerpts, too. "en_US" is the name of a locale on servers.
func TestExcerptsInAnyPage(t *testing.T) {
	t.Parallel()
	page := library(t)
	for _, lang := range []string{"en_US", "en-", "{{lang}}", "de", ""} {
		got := call[string](t, page, `async (lang) => {
			document.documentElement.lang = lang;
			const { excerpt } = await import('/static/src/show/excerpt.js?' + lang); // each has its own segmenter
			return excerpt('Trains run. They are slow. Nobody minds.', (word) => word === 'slow').map((part) => part.textContent ?? part).join('');
		}`, lang)
		if got != "They are slow. Nobody minds." {
			t.Errorf("%q: %s", lang, got)
		}
	}
}

// A long sentence in a script without spaces is cut around the query's word, and not at a space far from it.
func TestExcerptsWithoutSpaces(t *testing.T) {
	t.Parallel()
	for query, text := range map[string]string{
		"鉄": "表　" + strings.Repeat("あ", 100) + "鉄" + strings.Repeat("い", 100) + " " + strings.Repeat("う", 200),
		"銀": "表 " + strings.Repeat("あ", 40) + "銀" + strings.Repeat("い", 400),
		"金": strings.Repeat("𠮷", 99) + "金" + strings.Repeat("𠮷", 200) + "a",
	} {
		got := call[string](t, library(t), `async (text, query) => {
			const { excerpt } = await import('/static/src/show/excerpt.js');
			return excerpt(text, (word) => word === query).map((part) => part.textContent ?? part).join('');
		}`, text, query)
		if n := utf8.RuneCountInString(got); !strings.Contains(got, query) || strings.Contains(got, "\ufffd") || n < 100 || n > 270 {
			t.Errorf("%s: %d characters: %s", query, n, got)
		}
	}
}

// Titles and texts in Arabic are written from right to left. A blank title is none, so that the result can be followed.
func TestResultsOfAnyTitle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := (static.Page{Name: "Trains"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	documents := func(yield func(store.Document, error) bool) {
		_ = yield(store.Document{ID: "ar", Title: "قطارات الليل!", Text: "القطار الليلي train جيد، جدا.", Metadata: map[string]any{"url": "ar.html"}}, nil) &&
			yield(store.Document{ID: "blank", Title: "  ", Text: "A train without a title.", Metadata: map[string]any{"url": "blank.html"}}, nil)
	}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/element.html", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><script type="module" src="lib/vantage-search.js"></script><vantage-search collection="collection/"></vantage-search>`)
	})
	site := serve(t, mux)
	const read = `(host, titles, texts) => {
		const root = document.querySelector(host).shadowRoot ?? document;
		const backward = (place) => {
			const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
			const texts = [];
			while (walker.nextNode()) if (walker.currentNode.length > 0) texts.push(walker.currentNode);
			const at = (node, offset) => {
				const range = document.createRange();
				range.setStart(node, offset);
				range.setEnd(node, offset + 1);
				return range.getBoundingClientRect().left;
			};
			return at(texts[0], 0) > at(texts.at(-1), texts.at(-1).length - 1);
		};
		const all = (query) => [...root.querySelectorAll(query)];
		const arabic = (place) => /\p{sc=Arabic}/u.test(place.textContent);
		return [...all(titles), ...all(texts)].filter(arabic).map(backward).join() + ' ' + all(titles).map(({ textContent }) => textContent).sort()[0];
	}`
	page := open(t, site.URL("/?q=train"))
	waitFor(t, page, `document.querySelectorAll('.result').length === 2`)
	if got, want := call[string](t, page, read, "body", ".result .stop", ".excerpt"), "true,true A train without a title."; got != want {
		t.Errorf("search page: %s, want %s", got, want)
	}
	// All parts of a result stand on the side of its title's direction.
	sides := call[[]string](t, page, `() => [...document.querySelectorAll('.result')].map((item) =>
		[...new Set([...item.children].map((part) => getComputedStyle(part).textAlign))].join()).sort()`)
	if want := []string{"left", "right"}; !slices.Equal(sides, want) {
		t.Errorf("results stand %q, want %q", sides, want)
	}
	page = open(t, site.URL("/element.html"))
	const root = `document.querySelector('vantage-search').shadowRoot`
	waitFor(t, page, root+`?.querySelector('input')`)
	call[any](t, page, `() => {
		const element = document.querySelector('vantage-search');
		element.value = 'train';
		element.search();
	}`)
	waitFor(t, page, root+`.querySelectorAll('[part=result]').length === 2`)
	if got, want := call[string](t, page, read, "vantage-search", "[part=title]", "[part=text]"), "true,true A train without a title."; got != want {
		t.Errorf("element: %s, want %s", got, want)
	}
}
