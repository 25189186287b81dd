package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// A fault of a query goes with it, and an answer that nobody waits for any more is no fault. Other fields keep their keys.
func TestSearchPageFaultsPass(t *testing.T) {
	t.Parallel()
	server := serve(t, folder(lighthouseSite(t)))
	page := open(t, server.URL("/?q=harbour"))
	meaning := `document.getElementById('summary').textContent.includes('by meaning')`
	waitFor(t, page, `globalThis.vantage && `+meaning)

	call[any](t, page, `() => { vantage.search = async () => Promise.reject(new Error("a hiccup")); }`)
	call[any](t, page, typeQuery, "ferry")
	waitFor(t, page, `!document.getElementById('fault').hidden && document.getElementById('fault').textContent.endsWith('Error: a hiccup')`)
	// Visitors read what happened and what they can do, and the owner the error.
	if got := call[string](t, page, `() => document.getElementById('fault').innerText.replace(/\s+/g, ' ').trim()`); got != "Something went wrong in this search. Try again Details for the owner of this site" {
		t.Errorf("a visitor reads: %s", got)
	}
	call[any](t, page, `() => { delete vantage.search; }`)
	call[any](t, page, typeQuery, "harbour")
	waitFor(t, page, meaning+` && document.querySelectorAll('.result').length === 10`)
	if !call[bool](t, page, `() => document.getElementById('fault').hidden`) {
		t.Error("the fault of an earlier query stays")
	}

	// The owner's page may have fields of its own, in which a slash is a character.
	if taken := call[[]string](t, page, `() => {
		const fields = ['input', 'textarea', 'select', 'div'].map((name) => document.createElement(name));
		fields[3].contentEditable = 'true';
		document.body.append(...fields);
		const taken = fields.filter((field) => !field.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true, cancelable: true })));
		for (const field of fields) field.remove();
		return taken.map(({ localName }) => localName);
	}`); len(taken) > 0 {
		t.Errorf("a slash in a field moves the focus: %q", taken)
	}

	call[any](t, page, `() => {
		const { search } = vantage;
		vantage.search = async (query) => {
			if (query.query === 'harbour') await new Promise((resolve) => (globalThis.release = resolve));
			return search.call(vantage, query).finally(() => (globalThis.answered = query.query));
		};
		document.getElementById('more-results').click();
	}`)
	waitFor(t, page, `globalThis.release`)
	call[any](t, page, typeQuery, "boats")
	call[any](t, page, `() => release()`)
	waitFor(t, page, `globalThis.answered === 'boats' && document.title.startsWith('boats')`)
	if fault := call[string](t, page, `async () => {
		await new Promise((resolve) => setTimeout(resolve, 200));
		return document.getElementById('fault').hidden ? '' : document.getElementById('fault').textContent;
	}`); fault != "" {
		t.Errorf("more results of a query that is no longer asked: %s", fault)
	}
}

// A link may ask for a side that the collection cannot tell, because an update has changed its encoder. The page does not
// say that the results are on that side.
func TestSearchPageSideThatCannotBeTold(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, folder(lighthouseSite(t))).URL("/?q=harbour&side=against"))
	waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning')`)
	if got := call[string](t, page, `() => document.getElementById('summary').textContent`); got != "The best 10 results, by meaning and words" {
		t.Errorf("summary: %s", got)
	}
}

// If nothing can answer, the page does not say that nothing is close to the query.
func TestSearchPageBrokenManifest(t *testing.T) {
	t.Parallel()
	site := folder(lighthouseSite(t))
	page := open(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/manifest.json") {
			fmt.Fprint(w, "{")
			return
		}
		site.ServeHTTP(w, r)
	})).URL("/?q=harbour"))
	waitFor(t, page, `!document.getElementById('fault').hidden`)
	call[any](t, page, typeQuery, "ferry")
	call[any](t, page, `() => new Promise((resolve) => setTimeout(resolve, 500))`) // longer than it waits for the next key
	if got := call[[]bool](t, page, `() => ['fault', 'nothing', 'bar'].map((id) => document.getElementById(id).hidden)`); !slices.Equal(got, []bool{false, true, true}) {
		t.Errorf("fault, nothing and bar are hidden: %v", got)
	}
}

// While the host is silent, the page says that it waits. When it gives up, it says what the visitor can do. Here its
// clock runs thirty times as fast.
func TestSearchPageSilentHost(t *testing.T) {
	t.Parallel()
	var silent atomic.Bool
	silent.Store(true)
	mux := http.NewServeMux()
	files := folder(lighthouseSite(t))
	mux.Handle("/", files)
	mux.HandleFunc("/collection/manifest.json", func(w http.ResponseWriter, r *http.Request) {
		if silent.Load() {
			<-r.Context().Done()
			return
		}
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/early.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `const [now, wait] = [performance.now.bind(performance), setTimeout];
			performance.now = () => 30 * now();
			globalThis.setTimeout = (f, milliseconds, ...rest) => wait(f, milliseconds / 30, ...rest);
			globalThis.waited = new Promise((resolve) => addEventListener('DOMContentLoaded', () => {
				new MutationObserver(() => {
					const bar = document.getElementById('bar');
					if (bar.checkVisibility() && bar.innerText.startsWith('Waiting for the host')) resolve(true);
				}).observe(document.getElementById('bar'), { attributes: true, childList: true, subtree: true });
			}));`)
	})
	page := openUnkept(t, serve(t, mux).URL("/?q=harbour"))
	call[bool](t, page, `() => waited`)
	waitFor(t, page, `document.getElementById('fault').checkVisibility()`)
	if got := call[string](t, page, `() => document.getElementById('fault').innerText.replace(/\s+/g, ' ').trim() + document.getElementById('bar').checkVisibility()`); got != "The host of this search does not answer. Is your network working? Try again Details for the owner of this sitefalse" {
		t.Errorf("a visitor reads: %s", got)
	}
	silent.Store(false)
	call[any](t, page, `() => document.querySelector('#fault button').click()`)
	settles(t, page, `document.getElementById('fault').hidden && document.getElementById('query').value === 'harbour' && document.querySelectorAll('.result').length === 10`)
}

// The link to the lab takes the query over.
func TestSearchPageLeadsToLab(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(debates(t))).URL("/?q=night+trains&side=against"))
	waitFor(t, page, `document.querySelector('.result')`)
	call[any](t, page, typeQuery, "homework & sleep")
	call[any](t, page, `() => document.querySelector('footer a').click()`)
	settles(t, page, `location.pathname === '/lab.html' && `+answered)
	if got := call[string](t, page, `() => document.getElementById('query').value`); got != "homework & sleep" {
		t.Errorf("the lab asks %q", got)
	}
	// From then on, the state of the lab is in the fragment.
	call[any](t, page, set, "query", "night trains")
	call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	waitFor(t, page, `location.hash.includes('q=night+trains') && location.search === ''`)
}
