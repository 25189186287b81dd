package browser

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/static"
)

// lighthouse is a small site: a page with several passages, many pages of one passage, one with a picture, and three
// whose metadata attacks the page.
func lighthouse(yield func(store.Document, error) bool) {
	documents := []store.Document{
		{ID: "hostile", Title: `<img src=x onerror="attacked=1">`, Text: `Poison. <script>attacked=1</script><b>bold</b>`, Metadata: map[string]any{"url": "javascript:attacked=1", "image": "javascript:attacked=1"}},
		{ID: "data", Title: "Data", Text: "Poison in an address with data.", Metadata: map[string]any{"url": "data:text/html,<script>attacked=1</script>", "image": "data:text/html,x"}},
		{ID: "typed", Title: "Typed", Text: "Poison in a list.", Metadata: map[string]any{"url": []any{"javascript:attacked=1"}, "image": 7}},
		{ID: "picture", Title: "A picture", Text: "A painting of the ferry.", Metadata: map[string]any{"url": "ferry.html", "image": "icon-192.png"}},
		{ID: "oil", Title: "Wicks", Text: "Oil burns. The keeper trims every wick before dusk. Nobody else may climb the stairs. A LANTERN without a trimmed wick smokes.", Metadata: map[string]any{"url": "/keepers/#wicks"}},
	}
	for i, name := range []string{"lamp", "fog", "log", "stairs", "log"} {
		documents = append(documents, store.Document{
			ID: "keeper" + fmt.Sprint(i), Title: "The " + name, Text: fmt.Sprintf("The lantern, number %d. It is about the %s of the keeper.", i, name), Metadata: map[string]any{"url": "/keepers/#" + name},
		})
	}
	for i := range 26 {
		documents = append(documents, store.Document{
			ID: fmt.Sprint("harbour", i), Title: fmt.Sprintf("Harbour %d", i),
			Text:     fmt.Sprintf("Boats lie in harbour %d%s. %s", i, strings.Repeat(", one more boat", i%7), []string{"The lantern of its pier is red.", "Its pier has no light.", "Ships ask for the beacon."}[i%3]),
			Metadata: map[string]any{"url": fmt.Sprintf("harbours/%d.html", i)},
		})
	}
	for _, d := range documents {
		if !yield(d, nil) {
			return
		}
	}
}

func lighthouseSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := (static.Page{Name: "The Lighthouse", Examples: []string{"lantern", "boats & piers"}}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), lighthouse, collection.Options{
		Rows: collection.Carried{Model: builtin.Builtin()}, Reader: reader.Files, Terms: true, BlockBytes: collection.SmallBlockBytes, TermBytes: collection.SmallTermBytes,
	}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pagesShown returns the document numbers of the results in a list.
func pagesShown(t *testing.T, page *harness.Page, list string) []int {
	t.Helper()
	return call[[]int](t, page, `(list) => Array.from(document.querySelectorAll('#' + list + ' > .result'), (item) => Number(item.dataset.index))`, list)
}

// finds waits until a list has these results.
func finds(t *testing.T, page *harness.Page, list string, want []int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !slices.Equal(pagesShown(t, page, list), want); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: %v, want %v", list, pagesShown(t, page, list), want)
		}
	}
}

// typeQuery types a query.
const typeQuery = `(query) => {
	const input = document.getElementById('query');
	input.value = query;
	input.dispatchEvent(new Event('input', { bubbles: true }));
}`

// The search page answers by words before the engine has come, and within 250 KB. What the visitor reads does not move
// when the engine ranks otherwise. Titles are links, passages of one page are one result, and words are marked.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	dir := lighthouseSite(t)
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/lib/core.wasm.gz", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			folder(dir).ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
	server := serve(t, mux)
	page := open(t, server.URL("/?q=lantern"))

	// The first results.
	waitFor(t, page, `document.querySelector('.result')`)
	bytes := call[int](t, page, `() => {
		const { startTime } = performance.getEntriesByName('vantage-first-results')[0];
		const before = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((entry) => entry.startTime <= startTime);
		if (before.length < 8) throw new Error('only ' + before.length + ' files');
		return before.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
	}`)
	t.Logf("%d bytes to the first result, nothing compressed by the host", bytes)
	if bytes > 250_000 || bytes < 50_000 {
		t.Errorf("%d bytes to the first result, at most 250,000 are expected", bytes)
	}
	if got := call[string](t, page, `() => document.getElementById('summary').textContent`); !strings.HasSuffix(got, "by words") {
		t.Errorf("summary: %s", got)
	}
	keeper := call[[]string](t, page, `() => {
		const item = document.querySelector('a.stop[href*="/keepers/"]').closest('.result');
		return Array.from(item.querySelectorAll('a'), (link) => new URL(link.href).pathname + new URL(link.href).hash);
	}`)
	if slices.Sort(keeper); !slices.Equal(slices.Compact(slices.Clone(keeper)), keeper) || len(keeper) != 4 || keeper[3] > "/keepers/#z" {
		t.Errorf("the links of the page with several passages: %q", keeper)
	}
	if pages := call[int](t, page, `() => document.querySelectorAll('a.stop[href*="/keepers/"]').length`); pages != 1 {
		t.Errorf("the page with several passages is %d results", pages)
	}
	marked := call[[]string](t, page, `() => [...new Set(Array.from(document.querySelectorAll('mark'), (mark) => mark.textContent.toLowerCase()))]`)
	if !slices.Equal(marked, []string{"lantern"}) {
		t.Errorf("marked: %q", marked)
	}

	// The engine comes while the visitor reads.
	before := pagesShown(t, page, "list")
	call[any](t, page, `() => { globalThis.places = Array.from(document.querySelectorAll('.result'), (item) => item.offsetTop); scrollTo(0, 60); }`)
	waitFor(t, page, `scrollY > 0`)
	page.Do(chromedp.Sleep(50 * time.Millisecond))
	close(release)
	waitFor(t, page, `!document.getElementById('better').hidden`)
	if after := pagesShown(t, page, "list"); !slices.Equal(before, after) || !call[bool](t, page, `() => Array.from(document.querySelectorAll('.result'), (item) => item.offsetTop).join() === places.join()`) {
		t.Errorf("results moved under the reader: %v, then %v", before, after)
	}
	call[any](t, page, `() => document.getElementById('better').focus({ preventScroll: true })`)
	press(t, page, kb.Enter)
	focusIs(t, page, "results", "after the button for a better answer")
	native := native(t, filepath.Join(dir, "collection"))
	waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning')`)
	finds(t, page, "list", onePerPage(t, native, search.Query{Query: search.Text{Text: "lantern"}, K: 60}, 10))

	// More, by the engine: what is there stays, and the focus goes to the first new one.
	call[any](t, page, typeQuery, "harbour")
	want := onePerPage(t, native, search.Query{Query: search.Text{Text: "harbour"}, K: 60}, 20)
	finds(t, page, "list", want[:10])
	call[any](t, page, `() => document.getElementById('more-results').click()`)
	finds(t, page, "list", want)
	if at := call[int](t, page, `() => Number(document.activeElement.closest('.result').dataset.index)`); at != want[10] {
		t.Errorf("the focus is on result %d, not on %d", at, want[10])
	}

	searchPageInput(t, page)
	searchPageLooks(t, page)

	// The page works without its host.
	waitFor(t, page, isKept)
	page.Expect(unanswered)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := page.Navigate(server.URL("/?q=ferry")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning') && document.querySelector('.result')`)
}

// searchPageInput tries hostile metadata, the empty field, the history and the keyboard.
func searchPageInput(t *testing.T, page *harness.Page) {
	t.Helper()
	call[any](t, page, typeQuery, "poison")
	waitFor(t, page, `document.querySelector('.result')?.textContent.includes('oison') && location.search === '?q=poison'`)
	for _, problem := range call[[]string](t, page, `() => [
		...Array.from(document.querySelectorAll('main a, main img'), ({ href, src }) => href ?? src).filter((address) => !/^https?:/.test(address)),
		...Array.from(document.querySelectorAll('main :is(script, b, h2 img)'), ({ tagName }) => tagName),
		...('attacked' in window ? ['attacked'] : []),
	]`) {
		t.Errorf("hostile metadata: %s", problem)
	}
	if !call[bool](t, page, `() => document.querySelector('#list').textContent.includes('<img src=x onerror="attacked=1">')`) {
		t.Error("a title with HTML is not shown as it is")
	}

	// Results that are not close are shown only on request. The level of closeness is tested elsewhere.
	call[any](t, page, `() => {
		const { search } = vantage;
		vantage.search = async (query) => ({ ...(await search.call(vantage, query)), close: false });
	}`)
	call[any](t, page, typeQuery, "zeppelins")
	waitFor(t, page, `!document.getElementById('nothing').hidden && !document.querySelector('.result') && document.getElementById('nothing-title').textContent === 'Nothing close enough to “zeppelins”'`)
	call[any](t, page, `() => { delete vantage.search; document.getElementById('nearest').focus(); }`)
	press(t, page, kb.Enter)
	waitFor(t, page, `document.getElementById('nothing').hidden && document.querySelectorAll('.result').length === 10`)
	focusIs(t, page, "results", "after the button for the nearest")

	call[any](t, page, typeQuery, "ferry")
	waitFor(t, page, `document.querySelector('.thumbnail[src$="icon-192.png"]') && location.search === '?q=ferry'`)
	call[any](t, page, `() => document.getElementById('query').focus()`)
	press(t, page, kb.Escape)
	waitFor(t, page, `document.getElementById('query').value === '' && location.search === '' && document.title === 'The Lighthouse'`)
	if !call[bool](t, page, `() => document.querySelectorAll('.result').length === 0 && document.getElementById('bar').hidden && !document.getElementById('examples').hidden`) {
		t.Error("an emptied query leaves something")
	}
	call[any](t, page, `() => history.back()`)
	waitFor(t, page, `document.getElementById('query').value === 'ferry' && document.querySelector('.thumbnail')`)
	call[any](t, page, `() => history.forward()`)
	waitFor(t, page, `document.getElementById('query').value === '' && !document.querySelector('.result')`)
	call[any](t, page, `() => document.querySelector('.example').click()`)
	waitFor(t, page, `document.querySelector('.result mark') && location.search === '?q=lantern' && document.activeElement.id === 'query'`)

	waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning')`)
	focus := func() string {
		return call[string](t, page, `() => document.activeElement.id || Array.from(document.querySelectorAll('.stop')).indexOf(document.activeElement).toString()`)
	}
	for i, step := range []struct{ key, want string }{{kb.ArrowDown, "0"}, {kb.ArrowDown, "1"}, {kb.ArrowUp, "0"}, {kb.ArrowUp, "query"}, {kb.ArrowDown, "0"}, {kb.Escape, "query"}} {
		press(t, page, step.key)
		if got := focus(); got != step.want {
			t.Errorf("key %d: the focus is on %s, want %s", i, got, step.want)
		}
	}
	call[any](t, page, `() => document.activeElement.blur()`)
	// One event for key and text, as a keyboard sends it: press sends two, and the page can
	// prevent only one of them.
	slash := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/"}
	if err := page.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, slash)
		return err
	})); err != nil {
		t.Fatal(err)
	}
	if got := focus() + call[string](t, page, `() => ' ' + document.getElementById('query').value`); got != "query lantern" {
		t.Errorf("a slash: the focus and the text are %s", got)
	}
	waitFor(t, page, `/result.*by meaning/.test(document.getElementById('announcement').textContent)`)
}

// searchPageLooks checks the five screens and asks axe.
func searchPageLooks(t *testing.T, page *harness.Page) {
	t.Helper()
	firstFits(t, page)
	violations(t, page, axe(t), "search page", contrast)
}

// screens are widths and heights of phones, tablets and desktops, in pixels.
var screens = [][2]int64{{390, 664}, {768, 1024}, {1024, 768}, {1280, 720}, {1600, 900}}

// firstFits checks on these screens that the first result is seen without scrolling, and that nothing is wider than the
// screen.
func firstFits(t *testing.T, page *harness.Page) {
	t.Helper()
	for _, size := range screens {
		if err := page.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, fmt.Sprintf(`innerWidth === %d`, size[0]))
		got := call[[]float64](t, page, `async () => {
			scrollTo(0, 0);
			await new Promise(requestAnimationFrame);
			const first = Array.from(document.querySelectorAll('.result')).find((item) => item.checkVisibility());
			return [first.getBoundingClientRect().bottom, document.documentElement.scrollWidth];
		}`)
		if got[0] > float64(size[1]) {
			t.Errorf("%d × %d: the first result ends at %.0f", size[0], size[1], got[0])
		}
		if got[1] > float64(size[0]) {
			t.Errorf("%d × %d: the page is %.0f pixels wide", size[0], size[1], got[1])
		}
	}
}

// onePerPage are the best passages of the first pages of an answer.
func onePerPage(t *testing.T, c *search.Collection, q search.Query, pages int) (numbers []int) {
	t.Helper()
	result, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, h := range result.Hits {
		page := h.ID
		if h.ID == "oil" || strings.HasPrefix(h.ID, "keeper") {
			page = "keepers"
		}
		if !seen[page] && len(numbers) < pages {
			numbers = append(numbers, h.Index)
		}
		seen[page] = true
	}
	return numbers
}

// However often a reader asks for more results, the page asks for at most 500 passages, and its last answer offers no
// more.
func TestSearchPageMost(t *testing.T) {
	t.Parallel()
	sides, texts := sidesSite(t)
	mux := http.NewServeMux()
	mux.Handle("/", harness.Static())
	mux.Handle("/debates/", http.StripPrefix("/debates", folder(debates(t))))
	mux.Handle("/sides/", http.StripPrefix("/sides", folder(sides)))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/{$}", harness.Blank)
	page := open(t, serve(t, mux).URL("/"))
	call[any](t, page, `async () => {
		const { openEngine } = await import('/search/parts/engine.js');
		window.opened = async (name) => {
			const engine = await openEngine({ collection: '/' + name + '/collection/' }, () => {}, () => []);
			const { vantage } = engine;
			for (const name of ['search', 'sides']) {
				const method = vantage[name];
				vantage[name] = (...args) => {
					engine.k = Math.max(engine.k ?? 0, args.at(-1).k);
					return method.apply(vantage, args);
				};
			}
			await vantage.ready;
			return engine;
		};
	}`)
	type answer struct {
		K      int // the largest that was asked for
		Groups int
		More   bool
	}
	list := call[[]answer](t, page, `async (query) => {
		const engine = await window.opened('debates');
		const answers = [];
		for (const want of [10, 330, 340, 490, 500, 510]) {
			engine.k = 0;
			const { groups, more } = await engine.answer({ query, side: '', from: '' }, want, new AbortController().signal);
			answers.push({ k: engine.k, groups: groups.length, more });
		}
		engine.vantage.close();
		return answers;
	}`, "night trains")
	if want := []answer{{15, 10, true}, {495, 330, true}, {500, 340, true}, {500, 490, true}, {500, 500, false}, {500, 500, false}}; !slices.Equal(list, want) {
		t.Errorf("a list: %v, want %v", list, want)
	}
	both := call[[]answer](t, page, `async (texts) => {
		const engine = await window.opened('sides');
		const columns = (want) => engine.both(texts[0], want, new AbortController().signal);
		const { for: { count }, against: { count: other }, neither: { count: none } } = await columns(100);
		const whole = Math.max(count, other, none);
		const [all, fewer] = [await columns(whole), await columns(whole - 1)];
		if (all.more || !fewer.more) throw new Error('more than ' + whole + ' offered, or not more than one less');
		await engine.vantage.add(Array.from({ length: 1800 }, (_, i) => ({ id: 'more ' + i, text: texts[i % texts.length] })));
		const answers = [];
		for (const want of [10, 300, 510]) {
			engine.k = 0;
			const { for: pro, against, more } = await engine.both(texts[0], want, new AbortController().signal);
			if (Math.max(pro.count, against.count) <= 500) throw new Error(pro.count + ' for it, ' + against.count + ' against it');
			answers.push({ k: engine.k, groups: Math.max(pro.groups.length, against.groups.length), more });
		}
		engine.vantage.close();
		return answers;
	}`, texts)
	if want := []answer{{20, 10, true}, {500, 300, true}, {500, 500, false}}; !slices.Equal(both, want) {
		t.Errorf("both sides: %v, want %v", both, want)
	}
}
