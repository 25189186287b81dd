package browser

import (
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// elementSite is a page under the strict policy, beside a collection with an index of words. It notes what is
// requested.
type elementSite struct {
	dir, address string

	mu    sync.Mutex
	paths []string
}

// serveElement serves a page with this content. Requests for a path that contains a key of gates wait for it.
func serveElement(t testing.TB, dir, content string, gates map[string]<-chan struct{}) *elementSite {
	t.Helper()
	s := &elementSite{dir: dir}
	mux := http.NewServeMux()
	mux.Handle("/", bare(dir))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.Handle("/static/", withSources(http.NotFoundHandler()))
	mux.HandleFunc("/page.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
			<title>A page with a search</title><link rel="stylesheet" href="/test/component.css"><main><h1>Debates</h1>` + content + `</main>`))
	})
	s.address = serve(t, harness.WithPolicy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.paths = append(s.paths, r.URL.Path)
		s.mu.Unlock()
		for part, gate := range gates {
			if strings.Contains(r.URL.Path, part) {
				select {
				case <-gate:
				case <-r.Context().Done():
					return
				}
			}
		}
		mux.ServeHTTP(w, r)
	}))).URL("/page.html")
	return s
}

// requested counts the requests for a path that contains this.
func (s *elementSite) requested(part string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(slices.DeleteFunc(slices.Clone(s.paths), func(path string) bool { return !strings.Contains(path, part) }))
}

const (
	elementScript = `<script type="module" src="/lib/vantage-search.js"></script>`
	elementStatus = `document.querySelector('vantage-search').shadowRoot.querySelector('[part=status]').textContent`
	// elementAdd adds documents and searches.
	elementAdd = `async (documents, query) => {
		const element = document.querySelector('vantage-search');
		const vantage = await element.vantage;
		await vantage.ready;
		await vantage.add(documents);
		element.value = query;
		await element.search();
	}`
)

func strike(t *testing.T, page *harness.Page, keys string, modifiers ...chromedp.KeyOption) {
	t.Helper()
	if err := page.Do(chromedp.KeyEvent(keys, modifiers...)); err != nil {
		t.Fatal(err)
	}
}

// The box takes keys before anything of the engine is there. What is typed then is answered by words, if only the
// collection is there, and by the engine once that is; nothing moves under a reader's eyes.
func TestElementTakesKeysAtOnce(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	manifest, core := make(chan struct{}), make(chan struct{})
	let := func(gate chan struct{}) func() { return sync.OnceFunc(func() { close(gate) }) }
	letManifest, letCore := let(manifest), let(core)
	t.Cleanup(letManifest)
	t.Cleanup(letCore)
	site := serveElement(t, dir, `<vantage-search collection="/collection/" k="4"><form action="/elsewhere"><label>Search <input name="q"></label></form></vantage-search>`,
		map[string]<-chan struct{}{"/collection/": manifest, "core.wasm": core})
	page := open(t, site.address)
	call[any](t, page, `() => {
		document.querySelector('vantage-search input').focus();
		window.answers = [];
		document.addEventListener('vantage-results', ({ detail }) => window.answers.push(detail.method));
	}`)
	strike(t, page, "Night")
	call[any](t, page, `async () => { await import('/lib/vantage-search.js'); }`)
	strike(t, page, " trains")
	waitFor(t, page, elementStatus+` === 'Searching…'`)
	type state struct {
		State, Value, Status string
		Fallback, Focus      bool
		Titles               []string
		Answers              int
		Better               bool
	}
	read := func() state {
		return call[state](t, page, `() => {
			const element = document.querySelector('vantage-search');
			const root = element.shadowRoot;
			const text = (part) => root.querySelector('[part=' + part + ']').textContent;
			return {
				state: element.getAttribute('state'), value: root.querySelector('input').value, status: text('status'),
				fallback: element.querySelector('input').checkVisibility(), focus: root.activeElement === root.querySelector('input'),
				titles: [...root.querySelectorAll('[part=title]')].map(({ textContent }) => textContent), answers: window.answers.length,
				better: root.querySelector('[part=better]').checkVisibility(),
			};
		}`)
	}
	if got, want := read(), (state{"loading", "Night trains", "Searching…", false, true, []string{}, 0, false}); !reflect.DeepEqual(got, want) {
		t.Errorf("while nothing is there: %+v, want %+v", got, want)
	}
	letManifest()
	waitFor(t, page, elementStatus+` !== 'Searching…'`)
	titles := func(method string) (titles []string) {
		result, err := native(t, filepath.Join(dir, "collection")).Search(t.Context(), search.Query{Query: search.Text{Text: "Night trains"}, Method: method, K: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range result.Hits {
			titles = append(titles, hit.Title)
		}
		return titles
	}
	byWords, whole := titles(search.MethodWords), titles("")
	if reflect.DeepEqual(byWords, whole) {
		t.Fatal("words and the whole engine answer alike: the test checks nothing")
	}
	first := state{"loading", "Night trains", "4 results for “Night trains” (only by their words so far)", false, true, byWords, 0, false}
	if got := read(); !reflect.DeepEqual(got, first) {
		t.Errorf("without the engine: %+v, want %+v", got, first)
	}
	time.Sleep(1100 * time.Millisecond) // somebody reads it
	letCore()
	waitFor(t, page, `document.querySelector('vantage-search').shadowRoot.querySelector('[part=better]').checkVisibility()`)
	if got := read(); got.State != "ready" || !reflect.DeepEqual(got.Titles, byWords) {
		t.Errorf("with the engine: %+v, want %q", got, byWords)
	}
	call[any](t, page, `() => document.querySelector('vantage-search').shadowRoot.querySelector('[part=better]').click()`)
	waitFor(t, page, elementStatus+` === '4 results for “Night trains”'`)
	if got := read(); !reflect.DeepEqual(got.Titles, whole) || got.Better {
		t.Errorf("the better answer: %+v, want %q", got, whole)
	}
}

// If the engine first gives the results that words gave before it, these count as read since the words gave them. The
// page's clock stands still, except that the test moves it.
func TestElementKeepsWhatIsRead(t *testing.T) {
	t.Parallel()
	core, encoder := make(chan struct{}), make(chan struct{})
	let := func(gate chan struct{}) func() { return sync.OnceFunc(func() { close(gate) }) }
	letCore, letEncoder := let(core), let(encoder)
	t.Cleanup(letCore)
	t.Cleanup(letEncoder)
	site := serveElement(t, worded(t), `<vantage-search collection="/collection/" k="4"></vantage-search>`,
		map[string]<-chan struct{}{"core.wasm": core, "/collection/encoder/": encoder})
	page := open(t, site.address)
	call[any](t, page, `async () => {
		window.now = 0;
		performance.now = () => window.now;
		window.methods = [];
		document.addEventListener('vantage-results', ({ detail }) => window.methods.push(detail.method));
		await import('/lib/vantage-search.js');
		document.querySelector('vantage-search').value = 'Night trains';
		document.querySelector('vantage-search').search();
	}`)
	waitFor(t, page, elementStatus+`.endsWith('(only by their words so far)')`)
	call[any](t, page, `() => { window.now = 900; }`)
	letCore()
	waitFor(t, page, `window.methods.length > 0`)
	call[any](t, page, `() => { window.now = 1500; }`) // since the words, but not since the engine, longer than a glance
	letEncoder()
	waitFor(t, page, `document.querySelector('vantage-search').shadowRoot.querySelector('[part=better]').checkVisibility() || window.methods.length > 1`)
	if got := call[[]string](t, page, `() => window.methods`); !slices.Equal(got, []string{search.MethodWords}) {
		t.Errorf("results change while they are read: %v", got)
	}
}

// With loading="lazy", neither engine nor collection is fetched before the visitor turns to the box; with "idle", they
// are fetched when the page has nothing else to do. If the collection cannot be opened, what was typed goes back to the
// children.
func TestElementLoadsLate(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	for _, loading := range []string{"lazy", "idle"} {
		site := serveElement(t, dir, elementScript+`<vantage-search collection="/collection/" loading="`+loading+`"></vantage-search>`, nil)
		page := open(t, site.address)
		if loading == "lazy" {
			waitFor(t, page, `document.querySelector('vantage-search').getAttribute('state') === 'idle'`)
			time.Sleep(2500 * time.Millisecond) // longer than "idle" waits
			if n := site.requested("/collection/") + site.requested(".wasm"); n > 0 {
				t.Errorf("lazy: %d requests before the visitor does anything", n)
			}
			strike(t, page, kb.Tab)
		}
		waitFor(t, page, ready)
		if site.requested("core.wasm") == 0 {
			t.Errorf("%s: the core is not requested: the test checks nothing", loading)
		}
	}
	site := serveElement(t, dir, elementScript+`<vantage-search collection="/nowhere/" loading="lazy"><input name="q" aria-label="Search"></vantage-search>`, nil)
	page := open(t, site.address)
	page.Expect(`Failed to load resource|^console: .*<vantage-search>`)
	waitFor(t, page, `document.querySelector('vantage-search').getAttribute('state') === 'idle'`)
	strike(t, page, kb.Tab+"Night trains")
	waitFor(t, page, `document.querySelector('vantage-search').getAttribute('state') === 'error'`)
	if got := call[string](t, page, `() => document.activeElement.name + ': ' + document.activeElement.value`); got != "q: Night trains" {
		t.Errorf("after a failure: %q", got)
	}
}

// The attribute hybrid is the library's option.
func TestElementHybrid(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="8" method="cosine"></vantage-search>`, nil)
	page := open(t, site.address)
	page.Expect(`^console: .*<vantage-search>.*nonsense`)
	waitFor(t, page, ready)
	for _, problem := range call[[]string](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		const vantage = await element.vantage;
		await vantage.ready;
		const problems = [];
		const orders = new Set();
		const cases = [
			[null, null, undefined], [undefined, null, undefined], [true, '', true], ['true', 'true', true], ['rrf', 'rrf', 'rrf'], ['none', 'none', 'none'],
			['min-max 0.9', 'min-max 0.9', { fusion: 'min-max', weight: 0.9 }], ['0.1', '0.1', { weight: 0.1 }], [false, 'false', false],
		];
		element.value = 'sleeping on rails against the airlines';
		for (const [value, attribute, hybrid] of cases) {
			element.hybrid = value;
			if (element.getAttribute('hybrid') !== attribute || element.hybrid !== attribute) problems.push(value + ' is ' + element.hybrid);
			const results = new Promise((resolve) => element.addEventListener('vantage-results', ({ detail }) => resolve(detail), { once: true }));
			await element.search();
			const got = await results;
			const want = await vantage.search({ query: element.value, k: 8, method: 'cosine', hybrid });
			if (JSON.stringify([got.hybrid, got.hits]) !== JSON.stringify([want.hybrid, want.hits])) problems.push(value + ': other hits');
			orders.add(got.hits.map(({ index }) => index).join());
		}
		if (orders.size < 3) problems.push('only ' + orders.size + ' orders: the test checks nothing');
		element.hybrid = 'nonsense';
		await element.search();
		const { textContent } = element.shadowRoot.querySelector('[role=alert]');
		if (!textContent.includes('nonsense')) problems.push('no fault: ' + textContent);
		return problems;
	}`) {
		t.Error(problem)
	}
}

// An attribute that a template left empty stands for the default, and not for 0: λ would ask for another method, and
// mmr for nothing but novelty.
func TestElementEmptyNumbers(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="" lambda=" " mmr="" workers=""></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	if got := call[string](t, page, `async (query) => {
		const element = document.querySelector('vantage-search');
		const vantage = await element.vantage;
		await vantage.ready;
		element.value = query;
		const results = new Promise((resolve) => element.addEventListener('vantage-results', ({ detail }) => resolve(detail), { once: true }));
		await element.search();
		const shown = ({ method, hits }) => JSON.stringify([method, hits]);
		const [got, want] = [shown(await results), shown(await vantage.search({ query }))];
		return got === want ? '' : got + ', want ' + want;
	}`, oppose); got != "" {
		t.Error(got)
	}
}

// A number that is none stands for the default, too, and the console names it. Visitors could not mend it.
func TestElementNoNumbers(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="ten" mmr="0,5"></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	if got := call[string](t, page, `async (query) => {
		const element = document.querySelector('vantage-search');
		await (await element.vantage).ready;
		const warned = [];
		console.warn = (...parts) => warned.push(parts.join(' '));
		element.value = query;
		await element.search();
		const root = element.shadowRoot;
		return [root.querySelectorAll('[part=result]').length, root.querySelector('[part=fault]').hidden, ...new Set(warned)].join('; ');
	}`, oppose); got != `10; true; <vantage-search> mmr="0,5" is not a number, so the default holds; <vantage-search> k="ten" is not a number, so the default holds` {
		t.Error(got)
	}
}

// A change of the attribute link applies to the results that are shown.
func TestElementLinkChanges(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="1"></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	document := map[string]any{"id": "z", "title": "Z", "text": "zyzzyva", "metadata": map[string]any{"url": "/one", "permalink": "/two"}}
	call[any](t, page, elementAdd, []map[string]any{document}, "zyzzyva")
	const leads = `document.querySelector('vantage-search').shadowRoot.querySelector('[part=title]')?.getAttribute('href')?.endsWith(%q)`
	waitFor(t, page, fmt.Sprintf(leads, "/one"))
	call[any](t, page, `() => document.querySelector('vantage-search').setAttribute('link', 'permalink')`)
	waitFor(t, page, fmt.Sprintf(leads, "/two"))
}

// The query's words are marked, and of a long text the best two sentences are shown. What documents say is not HTML.
func TestElementHighlight(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="2" highlight></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	filler := strings.Repeat("Somebody tells something that is about nothing else. ", 8)
	hostile := `The zyzzyva <img src=x onerror="window.hurt = true"> & <b>beetles</b>`
	long := "It begins. " + filler + "A Zyzzyva is a small thing. " + filler + "Many BEETLES eat palms."
	call[any](t, page, elementAdd, []map[string]any{{"id": "z", "title": hostile, "text": long}}, "zyzzyva beetles")
	type shown struct {
		Title, Text string
		Marks       []string
		Elements    int
		Colour      bool
		Hurt        bool
	}
	read := func() shown {
		return call[shown](t, page, `() => {
			const item = document.querySelector('vantage-search').shadowRoot.querySelector('[part=result]');
			const marks = [...item.querySelectorAll('mark[part=mark]')];
			return {
				title: item.querySelector('[part=title]').textContent, text: item.querySelector('[part=text]').textContent,
				marks: marks.map(({ textContent }) => textContent), elements: item.querySelectorAll('img, b, mark:not([part])').length,
				colour: marks.length > 0 && getComputedStyle(marks[0]).backgroundColor !== getComputedStyle(item).backgroundColor, hurt: 'hurt' in window,
			};
		}`)
	}
	if got, want := read(), (shown{hostile, "A Zyzzyva is a small thing. … Many BEETLES eat palms.", []string{"zyzzyva", "beetles", "Zyzzyva", "BEETLES"}, 0, true, false}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		element.highlight = false;
		await element.search();
	}`)
	if got, want := read(), (shown{hostile, long, []string{}, 0, false, false}); !reflect.DeepEqual(got, want) {
		t.Errorf("without the attribute: %+v, want %+v", got, want)
	}
}
