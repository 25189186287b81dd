package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Hosts refuse long addresses. A query that is too long for one is kept in the browser's history.
func TestSearchPageLongQuery(t *testing.T) {
	t.Parallel()
	site := folder(lighthouseSite(t))
	page := openUnkept(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.RequestURI) > 4096 {
			w.WriteHeader(http.StatusRequestURITooLong)
			return
		}
		site.ServeHTTP(w, r)
	})).URL("/?q=harbour"))
	waitFor(t, page, byMeaning)
	long := strings.Repeat("маяк и гавань ", 130) + `lantern "`
	other := long + " ferry"
	finish := func(query string) {
		t.Helper()
		call[any](t, page, typeQuery, query)
		call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	}
	holds := func(query string) string {
		return `document.getElementById('query')?.value === decodeURIComponent('` + url.PathEscape(query) + `')`
	}
	finish(long)
	finish(other)
	if got := call[int](t, page, `() => Math.max(location.href.length, ...Array.from(document.querySelectorAll('footer a'), ({ href }) => href.split('#')[0].length))`); got > 2200 {
		t.Errorf("an address of %d characters", got)
	}
	finish("ferry")
	if got := call[string](t, page, `() => location.search`); got != "?q=ferry" {
		t.Errorf("a short query after a long one: %s", got)
	}
	call[any](t, page, `() => history.back()`)
	settles(t, page, holds(other))
	// A link to a part of the page keeps the query.
	call[any](t, page, `() => document.querySelector('.skip').click()`)
	settles(t, page, `location.hash === '#results' && `+holds(other)+` && document.title.startsWith('маяк')`)
	call[any](t, page, `() => { globalThis.old = true; location.reload(); }`)
	settles(t, page, `!globalThis.old && `+holds(other)+` && document.title.startsWith('маяк')`)
	call[any](t, page, `() => history.go(-2)`)
	settles(t, page, holds(long))
	call[any](t, page, `() => document.querySelector('footer a').click()`)
	settles(t, page, `location.pathname === '/lab.html' && `+holds(long))
}
