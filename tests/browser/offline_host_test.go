package browser

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/static"
)

// host serves a folder like a static host. Tests can change its files and stop
// its answers.
type host struct {
	dir string

	mu   sync.Mutex
	down func(r *http.Request) bool // requests that get no answer
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	down := h.down
	h.mu.Unlock()
	if down != nil && down(r) {
		panic(http.ErrAbortHandler)
	}
	name := path.Clean(r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	content, err := os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// silence sets which requests get no answer from now on.
func (h *host) silence(which func(r *http.Request) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = which
}

func everything(*http.Request) bool { return true }

// newHost makes a host with a site of a few documents.
func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{dir: t.TempDir()}
	if err := pages.Write(h.dir); err != nil {
		t.Fatal(err)
	}
	h.index(t, 120)
	judged := `{"format": "vantage-judgements", "version": 1, "queries": [{"text": "against homework", "root": "homework", "perspectives": ["against"], "label": "oppose", "gold": ["homework-02"]}]}`
	if err := os.WriteFile(filepath.Join(h.dir, static.JudgementsFile), []byte(judged), 0o666); err != nil {
		t.Fatal(err)
	}
	return h
}

// index makes the collection of the first documents of the bundled corpus.
func (h *host) index(t *testing.T, documents int) {
	t.Helper()
	content, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfterN(content, []byte("\n"), documents+1)
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(file, bytes.Join(lines[:documents], nil), 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(h.dir, "collection"), file, shard.I8)
}

// edit changes the file of the page that matches the pattern in place, like an
// incomplete upload.
func (h *host) edit(t *testing.T, pattern, old, new string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.dir, filepath.FromSlash(pattern)))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q %v", pattern, files, err)
	}
	file := files[0]
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(content, []byte(old), []byte(new), 1)
	if bytes.Equal(changed, content) {
		t.Fatalf("%s has no %q", pattern, old)
	}
	if err := os.WriteFile(file, changed, 0o666); err != nil {
		t.Fatal(err)
	}
}

// publish writes the list of the page's current files.
func (h *host) publish(t *testing.T) {
	t.Helper()
	list, err := pages.List(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name))) })
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "offline", "files.js"), list, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Conditions in the page.
const (
	answered = `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`
	isKept   = `document.getElementById('offline').dataset.state === 'kept'`
)

// visit opens the lab of the site at the address.
func visit(t *testing.T, site string) *harness.Page {
	t.Helper()
	page := open(t, site+"lab.html")
	waitFor(t, page, answered)
	return page
}

// again loads the page once more and waits for its answer.
func again(t *testing.T, page *harness.Page) {
	t.Helper()
	reload(t, page)
	settles(t, page, answered)
}

// reload loads the page once more, without the fragment of its address: with
// it, the browser would load nothing.
func reload(t *testing.T, page *harness.Page) {
	t.Helper()
	if err := page.Navigate(call[string](t, page, `() => location.href.split('#')[0]`)); err != nil {
		t.Fatal(err)
	}
}

// settles is waitFor for pages that may reload meanwhile.
func settles(t *testing.T, page *harness.Page, condition string) {
	t.Helper()
	var last error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		holds, err := harness.Call[bool](page, `async () => Boolean(`+condition+`)`)
		if last = err; holds {
			return
		}
	}
	t.Fatalf("timed out waiting for %s (%v)", condition, last)
}

// cacheNames returns the names of the caches of the page's host.
func cacheNames(t *testing.T, page *harness.Page) []string {
	t.Helper()
	return call[[]string](t, page, `async () => (await caches.keys()).sort()`)
}
