package browser

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// component serves the page of testdata under the strict policy; requests for
// the manifest wait for the gate.
func component(t testing.TB, gate <-chan struct{}) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.HandleFunc("/collection/manifest.json", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
			folder(debates(t)).ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
	// A collection without vectors.
	mux.HandleFunc("/broken/", func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/vectors/") {
			http.NotFound(w, r)
			return
		}
		r.URL.Path = strings.Replace(r.URL.Path, "/broken/", "/collection/", 1)
		folder(debates(t)).ServeHTTP(w, r)
	})
	return serve(t, harness.WithPolicy(mux)).URL("/test/component.html")
}

const ready = `document.querySelector('vantage-search').getAttribute('state') === 'ready'`

func TestComponent(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	var once sync.Once
	pass := func() { once.Do(func() { close(gate) }) }
	t.Cleanup(pass)
	page := open(t, component(t, gate))
	waitFor(t, page, `document.querySelector('vantage-search').getAttribute('state') === 'loading'`)
	type looks struct{ Fallback, Box bool }
	const look = `() => {
		const element = document.querySelector('vantage-search');
		return { fallback: element.querySelector('input').checkVisibility(), box: element.shadowRoot.querySelector('input').checkVisibility() };
	}`
	if got := call[looks](t, page, look); got != (looks{false, true}) {
		t.Errorf("while it opens: %+v", got)
	}
	call[any](t, page, `() => {
		const element = document.querySelector('vantage-search');
		element.focus();
		element.value = 'Night trains';
		window.told = [];
		for (const type of ['vantage-ready', 'vantage-results', 'vantage-error', 'vantage-select']) document.addEventListener(type, (event) => window.told.push(type));
	}`)
	pass()
	waitFor(t, page, ready)
	if got := call[looks](t, page, look); got != (looks{false, true}) {
		t.Errorf("when it is open: %+v", got)
	}
	const results = `document.querySelector('vantage-search').shadowRoot.querySelectorAll('[part=result]').length`
	waitFor(t, page, results+` === 4`) // for the text set while it opened
	type state struct {
		Value, Label, Placeholder, Status, Focus string
	}
	read := func() state {
		return call[state](t, page, `() => {
			const root = document.querySelector('vantage-search').shadowRoot;
			const input = root.querySelector('input');
			const focus = root.activeElement;
			return { value: input.value, label: input.labels[0].textContent, placeholder: input.placeholder, status: root.querySelector('[role=status]').textContent, focus: focus ? focus.part + ' ' + [...root.querySelectorAll('[part=title]')].indexOf(focus) : '' };
		}`)
	}
	if got, want := read(), (state{"Night trains", "Search the debates", "A claim", "4 results for “Night trains”", "input -1"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// The arrow keys move through the results; Escape returns to the box.
	for _, step := range []struct{ key, focus string }{{kb.ArrowDown, "title 0"}, {kb.ArrowDown, "title 1"}, {kb.ArrowUp, "title 0"}, {kb.ArrowUp, "input -1"}, {kb.ArrowDown, "title 0"}, {kb.Escape, "input -1"}} {
		if err := page.Do(chromedp.KeyEvent(step.key)); err != nil {
			t.Fatal(err)
		}
		if got := read().Focus; got != step.focus {
			t.Errorf("focus on %q, want %q", got, step.focus)
		}
	}
	// An input method has the arrow keys for itself.
	if taken := call[bool](t, page, `() => {
		const root = document.querySelector('vantage-search').shadowRoot;
		const event = new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true, bubbles: true, composed: true, cancelable: true });
		return !root.querySelector('input').dispatchEvent(event);
	}`); taken || read().Focus != "input -1" {
		t.Errorf("an arrow key of an input method: taken %t, focus on %q", taken, read().Focus)
	}
	// Typed text is searched without a click; attributes apply immediately.
	if err := page.Do(chromedp.KeyEvent(" and ships")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('vantage-search').shadowRoot.querySelector('[role=status]').textContent === '4 results for “Night trains and ships”'`)
	got := call[struct {
		Same     bool
		Method   string
		Told     string
		Links    []string
		Colour   string
		Italic   string
		Messages string
	}](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		const results = () => new Promise((resolve) => element.addEventListener('vantage-results', ({ detail }) => resolve(detail), { once: true }));
		element.shadowRoot.querySelector('[part=result]').click();
		const next = results();
		element.setAttribute('perspectives', 'a claim that opposes | an expert');
		element.setAttribute('method', 'pap');
		const { method, hits } = await next;
		const vantage = await element.vantage;
		await vantage.ready;
		const expected = await vantage.search({ query: element.value, perspectives: ['a claim that opposes', 'an expert'], method: 'pap', k: 4 });
		const same = JSON.stringify(hits) === JSON.stringify(expected.hits);
		await vantage.add([{ id: 'link', title: 'A link', text: element.value, metadata: { url: '/there' } }, { id: 'script', title: 'No link', text: element.value, metadata: { url: 'javascript:alert(1)' } }]);
		for (const name of ['perspectives', 'method']) element.removeAttribute(name);
		await element.search();
		const links = [...element.shadowRoot.querySelectorAll('[part=title]')].slice(0, 2).map((title) => title.tagName + ' ' + (title.getAttribute('href') ?? ''));
		element.classList.add('themed');
		const { color } = getComputedStyle(element.shadowRoot.querySelector('a[part=title]'));
		const italic = getComputedStyle(element.shadowRoot.querySelector('[part=text]')).fontStyle;
		element.messages = { none: () => 'nichts' };
		element.value = '';
		await element.search();
		// If the element is moved, it keeps working; if it is removed, its
		// engine ends.
		document.querySelector('main').prepend(element);
		element.value = 'ships';
		await element.search();
		const moved = element.shadowRoot.querySelectorAll('[part=result]').length;
		element.remove();
		await new Promise((resolve) => setTimeout(resolve));
		const ended = await vantage.search({ query: 'x' }).catch((error) => error.code);
		return { same, method, told: [...new Set(window.told)].join(), links, colour: color, italic, messages: element.messages.none('x') + ' ' + moved + ' ' + ended };
	}`)
	if !got.Same || got.Method != "pap" || got.Told != "vantage-ready,vantage-results,vantage-select" || got.Colour != "rgb(120, 20, 90)" || got.Italic != "italic" || got.Messages != "nichts 4 closed" {
		t.Errorf("%+v", got)
	}
	if len(got.Links) != 2 || !strings.HasPrefix(got.Links[0], "A http") || !strings.HasSuffix(got.Links[0], "/there") || got.Links[1] != "SPAN " {
		t.Errorf("%q", got.Links)
	}
}

// If the collection cannot be opened, the children stay, and a message says
// why, to visitors and on the console.
func TestComponentFault(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	close(gate)
	page := open(t, component(t, gate))
	page.Expect(`Failed to load resource|^console: .*<vantage-search>`)
	waitFor(t, page, ready)
	got := call[[]string](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		const fails = () => new Promise((resolve) => element.addEventListener('vantage-error', ({ detail }) => resolve(detail), { once: true }));
		let fault = fails();
		element.setAttribute('collection', '/nowhere/');
		const out = [(await fault).code, element.getAttribute('state'), String(element.querySelector('input').checkVisibility())];
		const root = element.shadowRoot;
		const alert = root.querySelector('[role=alert]');
		const says = (text) => String(alert.checkVisibility() && alert.textContent.includes(text));
		out.push(says('Search is not available here: '), says('404'), String(root.querySelector('input').checkVisibility()));
		for (const address of ['http://[', null]) {
			fault = fails();
			if (address === null) element.removeAttribute('collection');
			else element.setAttribute('collection', address);
			await fault;
			out.push(element.getAttribute('state'), says(address === null ? 'no attribute "collection"' : 'URL'));
		}
		fault = fails();
		element.setAttribute('collection', '/broken/');
		await fault;
		out.push(element.getAttribute('state'), says('Not all passages could be loaded: '));
		const works = new Promise((resolve) => element.addEventListener('vantage-ready', resolve, { once: true }));
		element.setAttribute('collection', '/collection/');
		await works;
		await (await element.vantage).ready; // when the element searches once more
		out.push(String(root.querySelector('input').checkVisibility()), says(''));
		const asked = fails();
		element.value = 'x';
		element.setAttribute('method', 'magic');
		out.push((await asked).code, says('magic'));
		// If the page prevents the event, nothing is logged on the console.
		element.addEventListener('vantage-error', (event) => event.preventDefault(), { once: true });
		const prevented = fails();
		element.setAttribute('method', 'witchcraft');
		await prevented;
		element.removeAttribute('method');
		await element.search();
		out.push(says(''));
		return out;
	}`)
	if want := "input error true true true false error true error true ready true true false query true false"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	var logged []string
	for _, problem := range page.All() {
		if strings.Contains(problem, "<vantage-search>") {
			logged = append(logged, problem)
		}
	}
	if len(logged) != 5 || !strings.Contains(logged[0], "404") || strings.Contains(strings.Join(logged, ""), "witchcraft") {
		t.Errorf("on the console: %q", logged)
	}
}

// There is no horizontal scrolling on a phone, and text has enough contrast.
// VANTAGE_SHOTS names a folder for screenshots.
func TestComponentLayout(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	close(gate)
	for _, scheme := range []string{"light", "dark"} {
		page := blankPage(t, scheme, 360)
		if err := page.Navigate(component(t, gate)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, ready)
		if got := call[int](t, page, `async () => {
			const element = document.querySelector('vantage-search');
			const vantage = await element.vantage;
			await vantage.add([{ id: 'l', title: 'With an address', text: 'Night trains and ' + 'a'.repeat(200), metadata: { url: '/there' } }]);
			element.value = 'Night trains';
			await element.search();
			return document.documentElement.scrollWidth;
		}`); got > 360 {
			t.Errorf("%s: the page is %d px wide", scheme, got)
		}
		inside := strings.Replace(contrast, "document.querySelectorAll('body *')", "document.querySelector('vantage-search').shadowRoot.querySelectorAll('*')", 1)
		inside = strings.Replace(inside, "e = e.parentElement", "e = e.parentElement ?? e.getRootNode().host", 1)
		inside = strings.Replace(inside, "return [255, 255, 255]", "return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]", 1)
		for _, pale := range call[[]string](t, page, inside) {
			t.Errorf("%s: %s", scheme, pale)
		}
		picture(t, page, "component-"+scheme)
		for _, problem := range page.Problems() {
			t.Errorf("in the page: %s", problem)
		}
		page.Close()
	}
}
