package browser

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

// The page reports as many downloaded bytes as the server sent.
func TestDemoReadings(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	var mu sync.Mutex
	sent := map[string]int{} // by kind
	kindOf := func(path string) string {
		if strings.HasPrefix(path, "/lib/") && strings.HasSuffix(path, ".js") {
			return "Library"
		}
		for part, kind := range map[string]string{"/core.wasm.gz": "Core", "/kernel": "Kernel", "/encoder/": "Encoder", "/vectors/": "Vectors", "/docs/": "Texts"} {
			if strings.Contains(path, part) {
				return kind
			}
		}
		return ""
	}
	seen := map[string]bool{}
	site := withSources(folder(dir))
	page := openUnkept(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &counting{ResponseWriter: w}
		site.ServeHTTP(c, r)
		mu.Lock()
		defer mu.Unlock()
		if kind := kindOf(r.URL.Path); kind != "" && !seen[r.URL.Path] {
			seen[r.URL.Path] = true
			sent[kind] += c.n
		}
	})).Lab())
	waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#readings dd')`)
	// An answer only by words may come before the encoder has loaded, and is measured too.
	waitFor(t, page, `['Everything loaded after', 'Ranking, tri-sum'].every((name) => document.getElementById('readings').textContent.includes(name))`)
	got := call[map[string]string](t, page, `() => Object.fromEntries(Array.from(document.querySelectorAll('#readings dl div'), (row) => [row.children[0].textContent, row.children[1].textContent]))`)
	exact := call[map[string]int](t, page, `async () => Object.fromEntries((await (await import('/static/demo/parts/downloads.js')).downloaded(window.vantage)).kinds)`)
	mu.Lock()
	defer mu.Unlock()
	for kind, bytes := range sent {
		if exact[kind] != bytes {
			t.Errorf("%s: the page says %d bytes, %d were sent", kind, exact[kind], bytes)
		}
		if got[kind] == "" {
			t.Errorf("the page does not show the bytes of %s: %v", kind, got)
		}
	}
	if len(sent) != 6 || exact["Page"] < 10_000 {
		t.Errorf("kinds sent: %v, page %d", sent, exact["Page"])
	}
	further := call[map[string]int](t, page, `async () => {
		const names = ['terms/0123.bin', 'angles/0123.safetensors', 'tokens/0123.bin', 'tokens/4567.safetensors'];
		const downloads = async () => names.map((name, i) => ({ url: new URL('collection/' + name, location).href, bytes: 10 ** i, transferred: 0 }));
		const { downloaded } = await import('/static/demo/parts/downloads.js');
		return Object.fromEntries((await downloaded({ downloads })).kinds);
	}`)
	if further["Index of words"] != 1 || further["Angles"] != 10 || further["Vectors of tokens"] != 1100 {
		t.Errorf("kinds of files that this collection does not have: %v", further)
	}
	for _, name := range []string{"First query possible after", "Encoding the query", "Ranking, plain cosine", "Ranking, tri-sum", "Reading the passages"} {
		if !strings.HasSuffix(got[name], " ms") {
			t.Errorf("%s: %q", name, got[name])
		}
	}
	for _, name := range []string{"Memory in use", "Memory reserved"} {
		if !strings.HasSuffix(got[name], " MB") {
			t.Errorf("%s: %q", name, got[name])
		}
	}
}

// counting counts the bytes of an answer.
type counting struct {
	http.ResponseWriter
	n int
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n += n
	return n, err
}
