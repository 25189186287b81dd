package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/static"
)

// kingsSite is a site with a search page, whose collection tells sides apart.
func kingsSite(t *testing.T) string {
	t.Helper()
	site, _ := sidesSite(t)
	return pageOver(t, site)
}

// pageOver is a site with a search page over the collection of another site.
func pageOver(t *testing.T, site string) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join((static.Page{Name: "Kings", Examples: []string{"the king walked"}}).Write(dir), os.Symlink(filepath.Join(site, "collection"), filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bothSides is a query for both sides of a subject.
const bothSides = "/?q=pros+and+cons+of+the+king+walked+to+the+city"

const said = `() => document.getElementById('announcement').textContent`

// In forced colours, the chosen side and the open tab still differ from the others.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	server := serve(t, folder(kingsSite(t)))
	page := openUnkept(t, server.URL(bothSides))
	waitFor(t, page, `!document.getElementById('both').hidden`)
	prefer := func() {
		t.Helper()
		if err := page.Prefer("forced-colors", "active"); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, `matchMedia('(forced-colors: active)').matches`)
	}
	prefer()
	const colours = `(ids) => ids.map((id) => getComputedStyle(document.getElementById(id)).color)`
	for _, ids := range [][]string{{"side-all", "side-for"}, {"for-tab", "against-tab"}} {
		if got := call[[]string](t, page, colours, ids); got[0] == got[1] {
			t.Errorf("%q look alike: %s", ids, got[0])
		}
	}
	if err := page.Navigate(server.Lab()); err != nil {
		t.Fatal(err)
	}
	prefer()
	if got := call[[]string](t, page, colours, []string{"sides-both", "sides-for"}); got[0] == got[1] {
		t.Errorf("the sides of the lab look alike: %s", got[0])
	}
}

// On a phone with letters of twice the size, the names of the sides are whole, and nothing is wider than the
// screen.
func TestLargeLetters(t *testing.T) {
	t.Parallel()
	server := serve(t, folder(kingsSite(t)))
	page := openUnkept(t, server.URL(bothSides))
	waitFor(t, page, `!document.getElementById('both').hidden && !document.getElementById('sides').hidden`)
	const enlarge = `() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('html { font-size: 32px; }');
		document.adoptedStyleSheets.push(sheet);
		for (const fold of document.querySelectorAll('details')) fold.open = true;
	}`
	const width = `() => document.documentElement.scrollWidth`
	if err := page.Resize(390, 664); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `innerWidth === 390`)
	for range 2 {
		if cut := call[[]string](t, page, `() => Array.from(document.querySelectorAll('#sides button')).filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.textContent)`); len(cut) > 0 {
			t.Errorf("cut off: %q", cut)
		}
		if got := call[int](t, page, width); got > 390 {
			t.Errorf("the search page is %d pixels wide", got)
		}
		call[any](t, page, enlarge)
	}

	if err := page.Navigate(server.Lab() + "#q=the+king"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('#readings h3')`)
	call[any](t, page, enlarge)
	if got := call[int](t, page, width); got > 390 {
		t.Errorf("the lab is %d pixels wide", got)
	}
}

// Each answer is announced, although it may have the words of the last one.
func TestSearchPageAnnouncesEachAnswer(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(lighthouseSite(t))).URL("/?q=harbour"))
	const ten = "The best 10 results, by meaning and words."
	waitFor(t, page, `(`+said+`)() === '`+ten+`'`)
	call[any](t, page, `() => {
		globalThis.heard = [];
		const place = document.getElementById('announcement');
		new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true });
	}`)
	call[any](t, page, typeQuery, "boats")
	waitFor(t, page, `heard.at(-1) === '`+ten+`'`)
}

// An example opens in another tab if the visitor asks for that.
func TestSearchPageExampleInAnotherTab(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(lighthouseSite(t))).URL("/"))
	waitFor(t, page, `document.querySelector('.about-me')`)
	for _, key := range []string{"ctrlKey", "metaKey", "shiftKey"} {
		if got := call[string](t, page, `(key) => {
			const click = new MouseEvent('click', { [key]: true, bubbles: true, cancelable: true });
			const ours = [];
			addEventListener('click', (event) => { ours.push(event.defaultPrevented); event.preventDefault(); }, { once: true });
			document.querySelector('.example').dispatchEvent(click);
			return ours + document.getElementById('query').value;
		}`, key); got != "false" {
			t.Errorf("with %s: %s", key, got)
		}
	}
}

// Passages that take no side can be shown, however many there are. If the button "More results" disappears, the focus
// goes to the results.
func TestSearchPageMoreOfBothSides(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(kingsSite(t))).URL("/?q=king"))
	waitFor(t, page, `globalThis.vantage && document.querySelector('.result')`)
	call[any](t, page, `() => {
		const { sides } = vantage;
		vantage.sides = async (root, options) => {
			const { hits } = await vantage.search({ query: 'king', k: 12 });
			const told = await sides.call(vantage, root, options);
			return { ...told, for: { count: 1, hits: hits.slice(0, 1) }, against: { count: 0, hits: [] }, neither: { count: 11, hits: hits.slice(1) } };
		};
	}`)
	call[any](t, page, typeQuery, "pros and cons of the king walked to the city")
	waitFor(t, page, `document.querySelectorAll('#neither-list > .result').length === 10`)
	if got := call[string](t, page, `() => document.getElementById('against-list').textContent`); got != "Nothing is against it." {
		t.Errorf("a side without passages says %q", got)
	}
	call[any](t, page, `() => {
		document.getElementById('more-results').focus();
		document.activeElement.click();
	}`)
	waitFor(t, page, `document.querySelectorAll('#neither-list > .result').length === 11`)
	if got := call[string](t, page, `async () => {
		await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		return document.activeElement.id + document.getElementById('more-results').hidden;
	}`); got != "resultstrue" {
		t.Errorf("after the last results: %s", got)
	}
}

// If vectors are missing, a query for both sides does not say that there is nothing, and counts that leave passages out
// say so.
func TestSearchPageBothSidesWithoutVectors(t *testing.T) {
	t.Parallel()
	dir := kingsSite(t)
	var lacking atomic.Int32 // how many files of vectors can be read
	var read atomic.Int32
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/collection/vectors/", func(w http.ResponseWriter, r *http.Request) {
		if read.Add(1) > lacking.Load() {
			http.NotFound(w, r)
			return
		}
		folder(dir).ServeHTTP(w, r)
	})
	page := openUnkept(t, serve(t, mux).URL(bothSides))
	page.Expect(`Failed to load resource`)
	waitFor(t, page, `document.getElementById('notice').textContent.startsWith('No vectors have arrived yet')`)
	if got := call[string](t, page, `() => document.getElementById('summary').textContent + document.getElementById('nothing').hidden`); got != "The best 10 results, by wordstrue" {
		t.Errorf("without vectors: %s", got)
	}

	lacking.Store(1)
	read.Store(0)
	if err := page.Navigate(serve(t, mux).URL(bothSides)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `/^Only \d+ of 70 passages have arrived\.$/.test(document.getElementById('notice').textContent)`)
	if !call[bool](t, page, `() => document.getElementById('both').checkVisibility() && document.getElementById('notice').checkVisibility()`) {
		t.Error("what has arrived is not shown")
	}
}

// If the texts cannot be read, the page does not say that nothing has the query's words, nor that it is still looking.
func TestSearchPageWithoutTexts(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", folder(lighthouseSite(t)))
	mux.HandleFunc("/collection/docs/", http.NotFound)
	page := openUnkept(t, serve(t, mux).URL("/?q=lantern"))
	page.Expect(`Failed to load resource`)
	waitFor(t, page, `!document.getElementById('fault').hidden`)
	time.Sleep(500 * time.Millisecond) // longer than the page waits before it says that it looks by meaning
	if got := call[string](t, page, `() => document.getElementById('bar').checkVisibility() ? document.getElementById('summary').textContent : ''`); got != "" {
		t.Errorf("beside the fault, the page says %s", got)
	}
}

// Without the engine, answers by words that take their time are waited for.
func TestSearchPageSlowWordsWithoutEngine(t *testing.T) {
	t.Parallel()
	dir := lighthouseSite(t)
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/lib/vantage.min.js", http.NotFound)
	mux.HandleFunc("/collection/docs/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Second)
		folder(dir).ServeHTTP(w, r)
	})
	page := openUnkept(t, serve(t, mux).URL("/?q=zyzzyva")) // no document has this word, so none is read
	page.Expect(`Failed to load resource`)
	waitFor(t, page, `!document.getElementById('nothing').hidden && !document.getElementById('fault').hidden`)
	call[any](t, page, typeQuery, "ferry")
	waitFor(t, page, `document.querySelector('.result') && document.getElementById('nothing').hidden`)
}

// A printed page has both sides, with their headings, also on paper that is narrow and from a screen with tabs.
func TestSearchPagePrintsBothSides(t *testing.T) {
	t.Parallel()
	tab := openUnkept(t, serve(t, folder(kingsSite(t))).URL(bothSides))
	waitFor(t, tab, `!document.getElementById('both').hidden`)
	outline := true
	a4 := page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69, GenerateTaggedPDF: &outline, GenerateDocumentOutline: &outline}
	for _, width := range []int64{1280, 390} {
		if err := tab.Resize(width, 720); err != nil {
			t.Fatal(err)
		}
		waitFor(t, tab, fmt.Sprintf(`innerWidth === %d && document.getElementById('tabs').hidden === %t`, width, width > 1000))
		var paper []byte
		if err := tab.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			result, err := cdp.Call(ctx, target, page.PrintToPDF, a4)
			paper = result.Data
			return err
		})); err != nil {
			t.Fatal(err)
		}
		for _, heading := range []string{"(For ", "(Against "} { // of the PDF's outline
			if !bytes.Contains(paper, []byte(heading)) {
				t.Errorf("from a screen of %d pixels, no heading %s", width, heading)
			}
		}
	}
}
