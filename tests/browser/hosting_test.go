package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// search1 is the shortest use of the library.
const search1 = `async (collection, options, query) => {
	const { Vantage } = await import('LIB/index.js');
	const vantage = await Vantage.open(collection, options);
	await vantage.ready;
	const { hits } = await vantage.search({ query });
	const { inWorker } = vantage;
	vantage.close();
	return { inWorker, ids: hits.map((hit) => hit.id) };
}`

type found struct {
	InWorker bool
	IDs      []string
}

// The library works on hosts that treat files differently, and in pages at
// different addresses.
func TestHosting(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	secure := serve(t, bare(dir))
	for _, c := range []struct {
		name       string
		page       func() string // URL
		lib        string
		collection string
		options    map[string]any
		inWorker   bool
	}{
		{name: "plain http", page: func() string { return serve(t, bare(dir)).PlainURL("/") }, lib: "/lib", collection: "/collection/", inWorker: true},
		{name: "below a path, by a relative address", page: func() string {
			mux := http.NewServeMux()
			mux.Handle("/some/where/", http.StripPrefix("/some/where", bare(dir)))
			mux.HandleFunc("/favicon.ico", harness.NoIcon)
			return serve(t, mux).URL("/some/where/")
		}, lib: "./lib", collection: "collection", inWorker: true},
		{name: "by the manifest's address", page: func() string { return secure.URL("/") }, lib: "/lib", collection: "/collection/manifest.json", inWorker: true},
		{name: "a host that unpacks", page: func() string { return serve(t, unpacking(bare(dir))).URL("/") }, lib: "/lib", collection: "/collection/", inWorker: true},
		{name: "collection on another origin", page: func() string { return serve(t, lax(bare(dir))).URL("/") }, lib: "/lib", collection: serve(t, withCORS(folder(dir))).URL("/collection/"), inWorker: true},
		{name: "library on another origin", page: func() string { return serve(t, lax(bare(dir))).URL("/") }, lib: serve(t, withCORS(folder(dir))).URL("/lib"), collection: "/collection/"},
		{name: "modules given by address", page: func() string { return secure.URL("/") }, lib: "/lib", collection: "/collection/", inWorker: true,
			options: map[string]any{"core": "lib/core.wasm.gz", "kernel": "lib/kernel.wasm"}},
		{name: "two workers, plain http, modules given by address", page: func() string { return serve(t, bare(dir)).PlainURL("/") }, lib: "/lib", collection: "collection", inWorker: true,
			options: map[string]any{"workers": 2, "core": "lib/core.wasm.gz", "kernel": "lib/kernel.wasm"}},
		{name: "two workers requested, library on another origin", page: func() string { return serve(t, lax(bare(dir))).URL("/") }, lib: serve(t, withCORS(folder(dir))).URL("/lib"), collection: "/collection/",
			options: map[string]any{"workers": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call[found](t, open(t, c.page()), strings.ReplaceAll(search1, "LIB", c.lib), c.collection, c.options, oppose)
			if got.InWorker != c.inWorker || len(got.IDs) != 10 || !strings.HasPrefix(got.IDs[0], "night-trains") {
				t.Errorf("%+v, want worker %v", got, c.inWorker)
			}
		})
	}
}

// unpacking is a host that declares files to be gzipped by the ends of their names,
// so that browsers unpack them.
func unpacking(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".bin") || strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
		}
		next.ServeHTTP(w, r)
	})
}

func withCORS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, r)
	})
}

// lax removes the policy.
func lax(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&dropPolicy{w}, r)
	})
}

type dropPolicy struct{ http.ResponseWriter }

func (w *dropPolicy) WriteHeader(status int) {
	w.Header().Del("Content-Security-Policy")
	w.ResponseWriter.WriteHeader(status)
}

func (w *dropPolicy) Write(b []byte) (int, error) {
	w.Header().Del("Content-Security-Policy")
	return w.ResponseWriter.Write(b)
}

// A collection of another origin is refused unless a header allows it, and the
// error says what to do.
func TestOtherOriginWithoutCORS(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	page := open(t, serve(t, lax(bare(dir))).URL("/"))
	page.Expect(`CORS policy|Failed to load resource`)
	got := call[seenFault](t, page, `async (collection) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		return lib.Vantage.open(collection).then(() => ({}), describe);
	}`, serve(t, folder(dir)).URL("/collection/"))
	if got.Name != "NetworkError" || !strings.Contains(got.Message, "Access-Control-Allow-Origin") {
		t.Errorf("%+v", got)
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	for _, worker := range []bool{true, false} {
		got := call[[]found](t, page, `async (worker, query) => {
			const { Vantage } = await import('/lib/index.js');
			const { shim } = await import('/static/src/engine/shim.js');
			const bytes = async (name) => (await fetch('/lib/' + name)).arrayBuffer();
			const out = [];
			const module = async (name) => WebAssembly.compile(await bytes(name));
			for (const options of [
				{ core: await bytes('core.wasm.gz'), kernel: new Uint8Array(await bytes('kernel.wasm')), shim: shim.buffer },
				{ kernel: await module('kernel.wasm'), shim: await WebAssembly.compile(shim) },
				{ kernel: 'data:application/wasm;base64,' + btoa(String.fromCharCode(...new Uint8Array(await bytes('kernel.wasm')))) },
			]) {
				const vantage = await Vantage.open(new URL('/collection/', location), { ...options, worker });
				await vantage.ready;
				const { hits } = await vantage.search({ query });
				out.push({ inWorker: vantage.inWorker, ids: hits.map((hit) => hit.id) });
				vantage.close();
			}
			return out;
		}`, worker, oppose)
		for _, f := range got {
			if f.InWorker != worker || len(f.IDs) != 10 {
				t.Errorf("worker %v: %+v", worker, f)
			}
		}
	}
}
