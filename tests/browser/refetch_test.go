package browser

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/late"
)

// outage is a host that answers 503 for some paths while it lasts, and counts these answers.
type outage struct {
	over    atomic.Bool
	refused atomic.Int64
}

func (o *outage) of(t *testing.T, site http.Handler, paths func(*http.Request) bool) *harness.Page {
	t.Helper()
	page := open(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !o.over.Load() && paths(r) {
			o.refused.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		site.ServeHTTP(w, r)
	})).URL("/"))
	page.Expect(`Failed to load resource`)
	return page
}

type refetched struct {
	Error, Method, Notice string
	Hits, Rows, Total     int
}

// openRefetch opens a collection, and returns the name of the error that `ready` rejects with.
const openRefetch = `async (url, options) => {
	const { Vantage } = await import('/lib/index.js');
	globalThis.vantage = await Vantage.open(url, { ...options, onProgress: (progress) => { globalThis.progress = progress; } });
	globalThis.ask = (query) => vantage.search(query).then(
		({ method, notice = '', hits, coverage }) => ({ method, notice, hits: hits.length, ...coverage }),
		({ name }) => ({ error: name }),
	);
	return vantage.ready.then(() => '', ({ name }) => name);
}`

// If no vectors could be fetched, the next query fetches them again and waits for them. While the host is still away,
// a query asks for few of the files.
func TestVectorsAreFetchedAgain(t *testing.T) {
	t.Parallel()
	for _, options := range []map[string]any{{"worker": true}, {"worker": false}, {"workers": 2}} {
		var host outage
		page := host.of(t, bare(debates(t)), isVectors)
		if got := call[string](t, page, openRefetch, "/collection/", options); got != "NetworkError" {
			t.Fatalf("%v: ready rejects with %q", options, got)
		}
		first := host.refused.Load()
		if got := call[refetched](t, page, `(query) => ask({ query })`, oppose); got.Hits != 0 || got.Rows != 0 || got.Total != debatesRows {
			t.Errorf("%v: without vectors: %+v", options, got)
		}
		if again := host.refused.Load() - first; first < 6 || again < 1 || again > 4 {
			t.Errorf("%v: %d requests at first, and %d for a query", options, first, again)
		}
		host.over.Store(true)
		if got := call[refetched](t, page, `(query) => ask({ query })`, oppose); got.Hits != 10 || got.Rows != debatesRows {
			t.Errorf("%v: when the host is back: %+v", options, got)
		}
		if got := call[bool](t, page, `() => progress.loaded === progress.total && progress.rows === progress.totalRows`); !got {
			t.Errorf("%v: the progress is not complete", options)
		}
		call[any](t, page, `() => vantage.close()`)
	}
}

// If some vectors could not be fetched, a query does not wait for them. Words that answer because no vectors have
// arrived do not wait, either.
func TestVectorsAreFetchedAgainBesideAnswers(t *testing.T) {
	t.Parallel()
	var one atomic.Value // the path of the first file that is asked for
	for name, paths := range map[string]func(*http.Request) bool{
		"one": func(r *http.Request) bool {
			return isVectors(r) && (one.CompareAndSwap(nil, r.URL.Path) || one.Load() == r.URL.Path)
		},
		"all": isVectors,
	} {
		var host outage
		page := host.of(t, bare(worded(t)), paths)
		if got := call[string](t, page, openRefetch, "/collection/", map[string]any{}); got != "NetworkError" {
			t.Fatalf("%s: ready rejects with %q", name, got)
		}
		got := call[refetched](t, page, `(query) => ask({ query })`, oppose)
		byWords := got.Method == "bm25" && strings.HasPrefix(got.Notice, "no vectors have arrived yet")
		if got.Hits != 10 || byWords != (name == "all") || name == "one" && (got.Rows == 0 || got.Rows >= debatesRows) {
			t.Errorf("%s: during the outage: %+v", name, got)
		}
		host.over.Store(true)
		call[any](t, page, `(query) => ask({ query })`, oppose)
		waitFor(t, page, `vantage.coverage.rows === vantage.coverage.total`)
		if got := call[refetched](t, page, `(query) => ask({ query })`, oppose); got.Notice != "" || got.Rows != debatesRows {
			t.Errorf("%s: after it: %+v", name, got)
		}
	}
}

// The columns that a filter needs, and what loads vectors of tokens, are fetched again by the next query.
func TestOtherFilesAreFetchedAgain(t *testing.T) {
	t.Parallel()
	dir, _ := lateSite(t)
	vector := map[string]any{"query": late.Words{}.Vectors("w7 w8 w9")}
	filtered := func(more map[string]any) map[string]any {
		more["query"], more["filter"] = oppose, map[string]any{"stance": []string{"oppose"}}
		return more
	}
	for name, c := range map[string]struct {
		site      http.Handler
		url, part string
		query     map[string]any
		ready     string
	}{
		"columns":           {bare(debates(t)), "/collection/", "/columns/", filtered(map[string]any{}), ""},
		"columns for words": {bare(worded(t)), "/collection/", "/columns/", filtered(map[string]any{"method": "bm25"}), ""},
		"tokens":            {beside(dir), "/8/", "/tokens/", vector, "NetworkError"},
	} {
		var host outage
		page := host.of(t, c.site, func(r *http.Request) bool { return strings.Contains(r.URL.Path, c.part) })
		options := map[string]any{"encoder": nil}
		if name != "tokens" {
			options = map[string]any{}
		}
		if got := call[string](t, page, openRefetch, c.url, options); got != c.ready {
			t.Errorf("%s: ready: %q", name, got)
		}
		if got := call[refetched](t, page, `(query) => ask(query)`, c.query); got.Error != "NetworkError" {
			t.Errorf("%s: during the outage: %+v", name, got)
		}
		host.over.Store(true)
		if got := call[refetched](t, page, `(query) => ask(query)`, c.query); got.Hits == 0 || got.Rows != got.Total {
			t.Errorf("%s: after it: %+v", name, got)
		}
	}
}

// On the search page, the next query after an outage is answered by meaning.
func TestSearchPageAfterOutage(t *testing.T) {
	t.Parallel()
	var host outage
	page := host.of(t, folder(lighthouseSite(t)), isVectors)
	call[any](t, page, typeQuery, "harbour")
	waitFor(t, page, `globalThis.vantage && document.getElementById('summary').textContent.includes('by words')`)
	host.over.Store(true)
	for _, query := range []string{"ferry", "boats"} { // the first one begins to fetch, and words answer it
		call[any](t, page, typeQuery, query)
		waitFor(t, page, `vantage.coverage.rows === vantage.coverage.total`)
	}
	waitFor(t, page, `document.title.startsWith('boats') && document.getElementById('summary').textContent.includes('by meaning')`)
}
