package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// outagePage is a page with the element during an outage of its collection, which has failed to open.
func outagePage(t *testing.T, host *outage, attributes, children string) *harness.Page {
	t.Helper()
	site := http.NewServeMux()
	site.Handle("/", bare(worded(t)))
	site.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8"><title>A page with a search</title>` + elementScript +
			`<button id="before">A button</button><vantage-search collection="/collection/" k="4" ` + attributes + `>` + children + `</vantage-search>`))
	})
	page := host.of(t, site, isManifest)
	page.Expect(`<vantage-search>`)
	waitFor(t, page, outageOver+` === 'error'`)
	return page
}

const (
	outageOver  = `document.querySelector('vantage-search').getAttribute('state')`
	outageFault = `document.querySelector('vantage-search').shadowRoot.querySelector('[part=fault]').checkVisibility()`
)

// After an outage, whoever opens the dialog gets an answer. During one, each attempt asks the host once.
func TestElementDialogAfterOutage(t *testing.T) {
	t.Parallel()
	var host outage
	page := outagePage(t, &host, "dialog", `<a href="#all">All articles</a>`)
	shows := func(when string) {
		t.Helper()
		if got := call[string](t, page, `() => {
			const element = document.querySelector('vantage-search');
			const visible = [element.querySelector('a'), element.shadowRoot.querySelector('[part=open]')].map((part) => part.checkVisibility());
			return [...visible, `+outageFault+`, `+dialogOpen+`].join();
		}`); got != "true,true,true,false" {
			t.Errorf("%s: link, button and fault are shown, and the dialog is open: %s", when, got)
		}
	}
	shows("at first")
	call[any](t, page, `() => {
		const element = document.querySelector('vantage-search');
		globalThis.failed = 0;
		element.addEventListener('vantage-error', () => globalThis.failed++);
		document.getElementById('before').focus();
	}`)
	refused := host.refused.Load()
	strike(t, page, "k", chromedp.KeyModifiers(2))
	waitFor(t, page, `failed > 0 && `+outageOver+` === 'error'`)
	shows("after another attempt")
	// The library and words.js both ask for the manifest.
	if got, n := call[int](t, page, `() => failed`), host.refused.Load()-refused; got != 1 || n > 2 {
		t.Errorf("an attempt failed %d times, with %d requests", got, n)
	}
	host.over.Store(true)
	strike(t, page, "k", chromedp.KeyModifiers(2))
	strike(t, page, "Night trains")
	waitFor(t, page, elementStatus+`.startsWith('4 results') && `+outageOver+` === 'ready'`)
	if got := call[string](t, page, `() => [`+dialogOpen+`, `+outageFault+`, document.querySelector('a').checkVisibility()].join()`); got != "true,false,false" {
		t.Errorf("when the host is back, the dialog is open, and fault and link are shown: %s", got)
	}
	strike(t, page, kb.Escape)
	if isOpen(t, page) {
		t.Error("Escape does not close the dialog")
	}
}

// After an outage, the box takes the children's place again once the visitor enters their field, with what is typed
// there, or once a script searches or focuses the element. Until then, nothing is taken from the visitor.
func TestElementAfterOutage(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"field", "search", "focus"} {
		var host outage
		page := outagePage(t, &host, "", `<form><input type="search" aria-label="Search" value="bicycles"></form>`)
		const typed = `document.querySelector('input').value`
		call[any](t, page, `() => {
			globalThis.failed = 0;
			document.querySelector('vantage-search').addEventListener('vantage-error', () => globalThis.failed++);
			document.querySelector('input').focus();
		}`)
		waitFor(t, page, `failed > 0`)
		call[any](t, page, `() => document.querySelector('input').select()`)
		strike(t, page, "Night trains")
		if got := call[string](t, page, `() => [failed, `+typed+`, document.activeElement === document.querySelector('input'), `+outageFault+`].join()`); got != "1,Night trains,true,true" {
			t.Errorf("%s: during the outage: %s", how, got)
		}
		host.over.Store(true)
		call[any](t, page, `(how) => {
			const element = document.querySelector('vantage-search');
			document.getElementById('before').focus();
			if (how === 'field') document.querySelector('input').focus();
			else element[how]();
		}`, how)
		waitFor(t, page, elementStatus+` === '4 results for “Night trains”' && `+outageOver+` === 'ready'`)
		if got := call[string](t, page, `() => {
			const element = document.querySelector('vantage-search');
			return [`+outageFault+`, element.shadowRoot.querySelector('input').checkVisibility(), element.querySelector('input').checkVisibility()].join();
		}`); got != "false,true,false" {
			t.Errorf("%s: after it, fault, box and children are shown: %s", how, got)
		}
	}
}
