//go:build otherbrowsers

package browser

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/webdriver"
	"github.com/vantage-search/vantage/static"
)

// The pages and the element work in Firefox.
func TestFirefox(t *testing.T) { other(t, "VANTAGE_FIREFOX", webdriver.Firefox) }

// The pages and the element work in WebKit.
func TestWebKit(t *testing.T) { other(t, "VANTAGE_WEBKIT", webdriver.WebKit) }

// other is a smoke test in a browser other than Chromium: the variable names it.
func other(t *testing.T, variable string, launch func(string) (webdriver.Browser, error)) {
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s does not name a browser: `make test-full` installs one", variable)
	}
	browser, err := launch(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	}()
	t.Log(browser.Version())

	dir := t.TempDir()
	watch(t, dir, pages)
	collection := filepath.Join(debates(t), "collection")
	var down atomic.Bool
	mux := http.NewServeMux()
	mux.Handle("/", withSources(folder(dir)))
	mux.Handle("/collection/", folder(debates(t)))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	server := serve(t, harness.WithPolicy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler) // like an unreachable host
		}
		mux.ServeHTTP(w, r)
	})))
	o := otherPage{t, browser}
	engine := native(t, collection)
	text := func(s string) search.Text { return search.Text{Text: s} }

	o.searchPage()

	// The lab of the bundled corpus searches, and shows what Go answers.
	const answered = `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`
	o.open(server.Lab())
	o.wait(answered)
	asked := otherCall[string](o, `() => document.getElementById('query').value`)
	compare := func(query string) {
		t.Helper()
		want := fmt.Sprint(indexes(t, engine, search.Query{Query: text(query), Method: "none"}), indexes(t, engine, search.Query{Query: text(query)}))
		const shown = `['plain', 'chosen'].map((column) => '[' + Array.from(document.querySelectorAll('#' + column + ' .hit'), (hit) => hit.dataset.index).join(' ') + ']').join(' ')`
		o.wait(shown + ` === '` + want + `'`)
		t.Logf("%q: %s", query, want)
	}
	compare(asked)
	otherCall[any](o, set, "query", oppose)
	compare(oppose)

	// The page reports downloaded bytes, even if the browser does not.
	o.wait(`document.getElementById('readings').textContent.includes('Everything loaded after')`)
	kinds := otherCall[map[string]int64](o, `async () => Object.fromEntries((await (await import('/static/demo/parts/downloads.js')).downloaded(window.vantage)).kinds)`)
	readings := otherCall[map[string]string](o, `() => Object.fromEntries(Array.from(document.querySelectorAll('#readings dl div'), (row) => [row.children[0].textContent, row.children[1].textContent]))`)
	t.Logf("readings: encoder %s, vectors %s, over the network %s", readings["Encoder"], readings["Vectors"], readings["Over the network this time"])
	for kind, folder := range map[string]string{"Encoder": "encoder", "Vectors": "vectors"} {
		if want := sizeOf(t, filepath.Join(collection, folder)); kinds[kind] != want {
			t.Errorf("%s: the page says %d bytes, they are %d", kind, kinds[kind], want)
		}
	}

	// A second visit needs no network.
	o.wait(`document.getElementById('offline').dataset.state`)
	t.Log(otherCall[string](o, `() => document.getElementById('offline').textContent`))
	if state := otherCall[string](o, `() => document.getElementById('offline').dataset.state`); state != "kept" {
		t.Errorf("the page is not stored: %s", state)
	}
	o.clean()
	down.Store(true)
	o.open(server.Lab())
	o.wait(answered)
	compare(asked)
	down.Store(false)

	// The element searches.
	o.open(server.URL("/element.html"))
	o.wait(ready)
	got := otherCall[[]string](o, `async (query) => {
		const element = document.querySelector('vantage-search');
		const results = new Promise((resolve) => element.addEventListener('vantage-results', ({ detail }) => resolve(detail), { once: true }));
		element.value = query;
		element.search();
		const { hits } = await results;
		return hits.map(({ index }) => String(index));
	}`, oppose)
	var want []string
	for _, index := range indexes(t, engine, search.Query{Query: text(oppose), K: 4}) {
		want = append(want, fmt.Sprint(index))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the element finds %q, want %q", got, want)
	}
	t.Logf("the element: %q", got)
	o.clean()

	// The library gives the bits of the Go packages, in one worker and in two.
	o.open(server.URL("/test/blank.html"))
	e := expect(t, debates(t), questions())
	for _, workers := range []int{1, 2} {
		e.equals(t, otherCall[[]string](o, ask, "/collection/", e.queries(), map[string]any{"workers": workers}))
		t.Logf("%d questions of the library, answered by %d workers; hits as Go finds them, to the last bit: %d", len(e.questions), workers, e.hits/len(e.answers))
	}

	// Added documents are saved, and restored in the next visit.
	if got := otherCall[string](o, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const first = await Vantage.open('/collection/');
		await first.add([{ id: 'note', text: 'Night trains in the snow' }]);
		await first.save('smoke');
		first.close();
		const second = await Vantage.open('/collection/');
		await second.restore('smoke');
		await second.ready;
		const { hits } = await second.search({ query: 'Night trains in the snow', k: 1 });
		second.close();
		await Vantage.forget('smoke');
		return hits[0].id;
	}`); got != "note" {
		t.Errorf("after saving and restoring, %q is found first", got)
	}
	o.clean()

	// Opened from a file, the pages say what to do: also where modules come from files, and nothing else does.
	for _, page := range []string{"lab.html", "index.html?q=trains"} {
		o.open("file://" + dir + "/" + page)
		o.wait(`!document.getElementById('fault').hidden`)
		fault := otherCall[string](o, `() => document.getElementById('fault').textContent`)
		if !strings.HasPrefix(fault, "This page was opened from a file") || !strings.Contains(fault, "vantage serve") {
			t.Errorf("%s from a file: %q", page, fault)
		}
		t.Logf("%s from a file: %s", page, fault)
	}
}

// watch writes a site whose pages have an additional script that records problems, and a
// page with the element.
func watch(t *testing.T, dir string, site static.Page) {
	t.Helper()
	if err := site.Write(dir); err != nil {
		t.Fatal(err)
	}
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }
	write := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for to, from := range map[string]string{"index.html": filepath.Join(dir, "index.html"), "lab.html": filepath.Join(dir, "lab.html"), "element.html": filepath.Join("testdata", "component.html")} {
		page, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(to, []byte(strings.Replace(string(page), `<meta charset="utf-8">`, `<meta charset="utf-8"><script src="/test/watch.js"></script>`, 1)))
	}
	list, err := site.List(read) // with which the service worker checks the page
	if err != nil {
		t.Fatal(err)
	}
	write("offline/files.js", list)
}

func sizeOf(t *testing.T, dir string) (total int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// otherPage is the page of a browser other than Chromium.
type otherPage struct {
	t       *testing.T
	browser webdriver.Browser
}

func (o otherPage) open(url string) {
	o.t.Helper()
	if err := o.browser.Navigate(url); err != nil {
		o.t.Fatal(err)
	}
}

func otherCall[T any](o otherPage, function string, args ...any) T {
	o.t.Helper()
	value, err := webdriver.Call[T](o.browser, function, args...)
	if err != nil {
		o.t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// wait polls a condition in the page.
func (o otherPage) wait(condition string) {
	o.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if otherCall[bool](o, `() => Boolean(`+condition+`)`) {
			return
		}
		if time.Now().After(deadline) {
			o.t.Fatalf("timed out waiting for %s; the page says: %s", condition, otherCall[string](o, `() => document.body.innerText.slice(0, 2000) + JSON.stringify(window.problems)`))
		}
	}
}

// clean fails the test if there were problems in the page.
func (o otherPage) clean() {
	o.t.Helper()
	for _, problem := range otherCall[[]string](o, `() => Array.from(window.problems)`) { // fails if the list is missing
		o.t.Errorf("in the page: %s", problem)
	}
}
