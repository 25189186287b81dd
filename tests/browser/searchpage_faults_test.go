package browser

import (
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
	waitFor(t, page, `!document.getElementById('fault').hidden && document.getElementById('fault').textContent === 'Error: a hiccup'`)
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
