package browser

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/static"
)

// If the collection tells sides apart, the search page shows one side, both beside each other, or the subject from a point of
// view in the visitor's words, all as Go ranks them. The address says what is shown.
func TestSearchPageSides(t *testing.T) {
	t.Parallel()
	site, _ := sidesSite(t)
	dir := t.TempDir()
	if err := errors.Join((static.Page{Name: "Kings"}).Write(dir), os.Symlink(filepath.Join(site, "collection"), filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	collection := native(t, filepath.Join(dir, "collection"))
	const king = "the king walked to the city"
	server := serve(t, folder(dir))
	page := openUnkept(t, server.URL("/?q="+strings.ReplaceAll(king, " ", "+")))
	text := func(s string) search.Text { return search.Text{Text: s} }
	best := func(q search.Query) []int {
		t.Helper()
		q.K = 10
		return indexes(t, collection, q)
	}
	finds(t, page, "list", best(search.Query{Query: text(king)}))

	// One side.
	waitFor(t, page, `!document.getElementById('sides').hidden`)
	call[any](t, page, `() => document.getElementById('side-against').click()`)
	root := text(king)
	against := opposed(t, collection, root)
	finds(t, page, "list", against)
	if got := call[[]string](t, page, `() => [location.search, document.querySelector('#sides [aria-pressed=true]').textContent]`); got[0] != "?q=the+king+walked+to+the+city&side=against" || got[1] != "Against" {
		t.Errorf("one side: %q", got)
	}

	// From a point of view. Escape closes the form and leaves the query.
	call[any](t, page, `() => {
		document.getElementById('side-from').click();
		document.getElementById('from').value = 'in the day';
	}`)
	press(t, page, kb.Escape)
	if got := call[[]string](t, page, `() => [document.getElementById('from-form').hidden, document.activeElement.id, document.getElementById('query').value, location.search].map(String)`); !slices.Equal(got, []string{"true", "side-from", king, "?q=the+king+walked+to+the+city&side=against"}) {
		t.Errorf("after Escape: %q", got)
	}
	call[any](t, page, `() => {
		document.getElementById('side-from').click();
		document.getElementById('from').value = 'in the night';
		document.querySelector('#from-form [type=submit]').click();
	}`)
	finds(t, page, "list", best(search.Query{Query: text("in the night: " + king), Root: &root, Perspectives: []search.Text{text("in the night")}}))
	if got := call[string](t, page, `() => location.search + document.getElementById('side-from').textContent + document.getElementById('from-form').hidden`); got != "?q=the+king+walked+to+the+city&from=in+the+nightFrom: in the nighttrue" {
		t.Errorf("from a point of view: %s", got)
	}
	call[any](t, page, `() => history.back()`)
	finds(t, page, "list", against)

	// Both sides.
	call[any](t, page, typeQuery, "pros and cons of "+king)
	waitFor(t, page, `!document.getElementById('both').hidden`)
	sides, err := collection.Sides(t.Context(), search.SidesQuery{Root: king})
	if err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string]search.SideHits{"for": sides.For, "against": sides.Against, "neither": sides.Neither} {
		var numbers []int
		for _, h := range want.Hits {
			numbers = append(numbers, h.Index)
		}
		if got := pagesShown(t, page, list+"-list"); !slices.Equal(got, numbers) || len(got) == 0 {
			t.Errorf("%s: %v, want %v", list, got, numbers)
		}
		at := list + "-title-count"
		if list == "neither" {
			at = "neither-count"
		}
		if got := call[string](t, page, `(id) => document.getElementById(id).textContent`, at); got != fmt.Sprint(want.Count) {
			t.Errorf("%s: the page counts %s, want %d", list, got, want.Count)
		}
	}
	const visible = `() => ['for-side', 'against-side', 'tabs'].filter((id) => document.getElementById(id).checkVisibility()).join(' ') + ' ' + document.getElementById('for-side').getAttribute('role')`
	if got := call[string](t, page, visible); got != "for-side against-side region" {
		t.Errorf("on a wide screen: %s", got)
	}
	firstFits(t, page)
	violations(t, page, axe(t), "search page with both sides", contrast) // ends on a narrow screen
	waitFor(t, page, `!document.getElementById('tabs').hidden`)
	if got := call[string](t, page, visible); got != "for-side tabs tabpanel" {
		t.Errorf("on a narrow screen: %s", got)
	}
	call[any](t, page, `() => document.getElementById('for-tab').focus()`)
	for _, step := range []struct{ key, side string }{{kb.ArrowRight, "against"}, {kb.ArrowRight, "for"}, {kb.ArrowLeft, "against"}, {kb.End, "against"}, {kb.Home, "for"}, {kb.Home, "for"}, {kb.End, "against"}} {
		press(t, page, step.key)
		want := fmt.Sprintf("%s-side tabs tabpanel%[1]s-tabtrue", step.side)
		if got := call[string](t, page, visible) + call[string](t, page, `() => document.activeElement.id + document.activeElement.getAttribute('aria-selected')`); got != want {
			t.Errorf("after the key %q: %s, want %s", step.key, got, want)
		}
	}

	// What visitors say about themselves changes no column, and the page says so.
	const noticed = `document.getElementById('notice').textContent.startsWith('The columns are ordered by subject') && !document.getElementById('notice').hidden`
	if call[bool](t, page, `() => `+noticed) {
		t.Error("the page speaks of facts before there is one")
	}
	call[any](t, page, `() => {
		document.getElementById('about-text-1').value = 'I live in the city.';
		document.querySelector('.about-add').requestSubmit();
	}`)
	waitFor(t, page, noticed)
	var numbers []int
	for _, h := range sides.For.Hits {
		numbers = append(numbers, h.Index)
	}
	if got := pagesShown(t, page, "for-list"); !slices.Equal(got, numbers) {
		t.Errorf("with a fact: %v, want %v", got, numbers)
	}
	violations(t, page, axe(t), "search page with both sides and a fact", contrast)
}

// opposed returns the first results of a search page for what is against a subject.
func opposed(t *testing.T, c *search.Collection, root search.Text) (numbers []int) {
	t.Helper()
	result, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: "a claim that opposes: " + root.Text}, Root: &root, Perspectives: []search.Text{{Text: "a claim that opposes"}}, K: 70})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range result.Hits {
		if h.Stance != nil && h.Stance.Side == search.Against && len(numbers) < 10 {
			numbers = append(numbers, h.Index)
		}
	}
	if len(numbers) < 3 {
		t.Fatalf("only %d passages are against it: the test compares too little", len(numbers))
	}
	return numbers
}

// The search page begins without a query. Without its encoder, it answers by words and says why, and for words that no document has it says that
// nothing is close.
func TestSearchPageWithoutEncoder(t *testing.T) {
	t.Parallel()
	dir := lighthouseSite(t)
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/collection/encoder/", http.NotFound)
	page := openUnkept(t, serve(t, mux).URL("/"))
	page.Expect(`Failed to load resource`)

	// No query at first.
	waitFor(t, page, `document.activeElement.id === 'query'`)
	if got := call[[]string](t, page, `() => [document.title, document.querySelector('h1').textContent, document.getElementById('query').value, String(document.querySelectorAll('.result').length), ...Array.from(document.querySelectorAll('.example'), (link) => link.textContent + ' ' + link.search)]`); strings.Join(got, "|") != "The Lighthouse|The Lighthouse||0|lantern ?q=lantern|boats & piers ?q=boats%20%26%20piers" {
		t.Errorf("at first: %q", got)
	}

	call[any](t, page, `() => document.querySelector('.example').click()`)
	waitFor(t, page, `document.querySelector('.result') && location.search === '?q=lantern'`)
	call[any](t, page, typeQuery, "ferry")
	waitFor(t, page, `document.getElementById('notice').textContent.includes('encoder') && document.querySelector('.result')`)
	if got := call[string](t, page, `() => document.getElementById('summary').textContent + document.getElementById('notice').textContent`); !strings.Contains(got, "by words") || !strings.Contains(got, "encoder") {
		t.Errorf("the page says: %s", got)
	}
	call[any](t, page, typeQuery, "zyzzyva")
	waitFor(t, page, `!document.getElementById('nothing').hidden`)
	if got := call[string](t, page, `() => document.getElementById('nothing-title').textContent + document.querySelectorAll('.result').length + document.getElementById('nearest').hidden`); got != "Nothing close enough to “zyzzyva”0true" {
		t.Errorf("the page says: %s", got)
	}
	violations(t, page, axe(t), "search page with nothing", contrast)

	// Without the engine's file, words answer, too, and the page says what to do.
	lacking := http.NewServeMux()
	lacking.Handle("/", folder(dir))
	lacking.HandleFunc("/lib/vantage.min.js", http.NotFound)
	if err := page.Navigate(serve(t, lacking).URL("/?q=ferry")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('.result') && document.getElementById('fault').textContent.includes('upload the whole folder again')`)
}

// The search page of `vantage serve --model` has its queries encoded by that server.
func TestSearchPageServer(t *testing.T) {
	t.Parallel()
	s := serveModel(t, "", debates(t), "--model", "static")
	page := openUnkept(t, s.URL()+"?q=sleeping+on+rails")
	waitFor(t, page, `document.querySelector('.result') && document.getElementById('summary').textContent.includes('by meaning')`)
	if sent := s.Metric("texts_total"); sent < 1 {
		t.Error("no text was sent to the server")
	}
	said := call[string](t, page, `() => document.getElementById('server').checkVisibility() ? document.getElementById('server').textContent.replace(location.host, 'HOST') : ''`)
	if said != "What you type goes to HOST, which turns it into vectors." {
		t.Errorf("the page says where queries go: %q", said)
	}
}

// A result tells its side only if it is more probably on it than not.
func TestResultsTellProbableSides(t *testing.T) {
	t.Parallel()
	page := library(t)
	told := call[map[string]string](t, page, `async () => {
		const { resultOf } = await import('/static/search/parts/result.js');
		const out = {};
		for (const probability of [0.37, 0.499, 0.5, 0.9]) {
			const found = { id: 'a', index: 1, title: 'A', text: 'Of kings.', metadata: {}, stance: { side: 'against', probability, cosine: 1, slant: -1 } };
			out[probability] = resultOf({ found, url: null, key: 'a', further: [] }, () => false, 'h2').querySelector('.stance')?.textContent ?? '';
		}
		return out;
	}`)
	if want := map[string]string{"0.37": "", "0.499": "", "0.5": "perhaps against 50 %", "0.9": "clearly against 90 %"}; !maps.Equal(told, want) {
		t.Errorf("by their probability, results say %q, want %q", told, want)
	}
}

// The label of a further passage leaves out what its title shares with the result's, also if a heading has a colon.
func TestFurtherLabels(t *testing.T) {
	t.Parallel()
	page := library(t)
	for title, want := range map[string]map[string]string{
		"E1042: Timeout":         {"E1042: Timeout: Cause": "Cause", "E1042: Timeout: Cause: Proxy": "Cause: Proxy", "Other": "Other"},
		"E1042: Timeout: Fix":    {"E1042: Timeout: Cause": "Cause", "E1042: Timeout": "E1042: Timeout"},
		"The keepers":            {"The keepers: Wicks": "Wicks", "The keepersake: Wicks": "The keepersake: Wicks"},
		"Slugs: who wins?: Beer": {"Slugs: who wins?: Copper": "Copper", "Slugs: why?": "why?"},
	} {
		for other, label := range want {
			got := call[string](t, page, `async (title, other) => {
				const { resultOf } = await import('/static/search/parts/result.js');
				const passage = (title, url) => ({ found: { id: 'a', index: 1, title, text: 'Of kings.', metadata: {} }, url: new URL(url, location.href) });
				const group = { ...passage(title, '/a#1'), key: 'a', further: [passage(other, '/a#2')] };
				return resultOf(group, () => false, 'h2').querySelector('.further a').textContent;
			}`, title, other)
			if got != label {
				t.Errorf("%q under %q: %q, want %q", other, title, got, label)
			}
		}
	}
}

// A result says where its page is: the folders of its path, and the host of another site.
func TestTrail(t *testing.T) {
	t.Parallel()
	page := library(t)
	for address, want := range map[string]string{
		"/":                                 "",
		"/index.html":                       "",
		"/a/b.html#c":                       "a › b.html",
		"/a/b/index.html":                   "a › b",
		"/a/b/index.htm?x=1":                "a › b",
		"/a//b/":                            "a › b",
		"/a/myindex.html":                   "a › myindex.html",
		"/stra%C3%9Fe/a%20b/":               "straße › a b",
		"/100%/a":                           "100% › a",
		"/%E0%A4/a%2Fb":                     "%E0%A4 › a/b",
		"https://example.org":               "example.org",
		"https://example.org:8080/a/":       "example.org:8080 › a",
		"https://example.org/a/index.html/": "example.org › a › index.html",
	} {
		if got := call[string](t, page, `async (address) => (await import('/static/search/parts/address.js')).trail(new URL(address, location.href))`, address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// If no passage is close enough to tell its side, the page still shows what it has about the subject.
func TestSearchPageBothSidesOfLittle(t *testing.T) {
	t.Parallel()
	site, _ := sidesSite(t)
	dir := t.TempDir()
	if err := errors.Join((static.Page{Name: "Kings"}).Write(dir), os.Symlink(filepath.Join(site, "collection"), filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	page := openUnkept(t, serve(t, folder(dir)).URL("/?q=a+king"))
	waitFor(t, page, `globalThis.vantage && document.querySelector('.result')`)
	call[any](t, page, `() => {
		const { sides } = vantage;
		const none = { count: 0, hits: [] };
		vantage.sides = async (...args) => ({ ...(await sides.apply(vantage, args)), for: none, against: none, neither: none });
	}`)
	call[any](t, page, typeQuery, "pros and cons of the king walked to the city")
	collection := native(t, filepath.Join(dir, "collection"))
	finds(t, page, "list", indexes(t, collection, search.Query{Query: search.Text{Text: "the king walked to the city"}, K: 10}))
	if !call[bool](t, page, `() => document.getElementById('both').hidden && document.getElementById('nothing').hidden`) {
		t.Error("the columns are shown, or the page says that it has nothing")
	}
}
