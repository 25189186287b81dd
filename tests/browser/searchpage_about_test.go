package browser

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/static"
)

// officeSite is the site of a benefits office. Two of its pages have several passages, all
// have pictures, and their texts are in many files.
func officeSite(t *testing.T, page static.Page, rows collection.Source) string {
	t.Helper()
	c, err := corpus.Open("../../examples/benefits/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	documents := func(yield func(store.Document, error) bool) {
		for d, err := range c.Documents() {
			at := d.ID
			if benefit, _, _ := strings.Cut(d.ID, "-"); benefit == "sick" || benefit == "care" {
				at = benefit
			}
			d.Metadata = map[string]any{"url": "pages/" + at + ".html#" + d.ID, "image": "pictures/" + d.ID + ".png"}
			if !yield(d, err) {
				return
			}
		}
	}
	dir := t.TempDir()
	if err := page.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, collection.Options{
		Rows: rows, Terms: true, BlockDocuments: 3, TermBytes: 500, ShardBytes: 3000,
	}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withPictures answers every address of a picture with an icon. Nothing may be kept in the
// browser's cache, where the age of files would decide which requests the server gets.
func withPictures(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if strings.HasPrefix(r.URL.Path, "/pictures/") {
			http.ServeFile(w, r, filepath.Join(dir, "icon-192.png"))
			return
		}
		folder(dir).ServeHTTP(w, r)
	})
}

// before runs a script in every document of the tab before its own scripts.
func before(t *testing.T, page *harness.Page, script string) {
	t.Helper()
	if err := page.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	})); err != nil {
		t.Fatal(err)
	}
}

// listen records what a page asks for and what it says.
const listen = `(() => {
	globalThis.heard = { asked: [], said: [] };
	const { fetch } = globalThis;
	globalThis.fetch = (...call) => {
		const [at, { signal, ...options } = {}] = call;
		heard.asked.push(JSON.stringify([at.url ?? String(at), options]));
		return fetch(...call);
	};
	const picture = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
	Object.defineProperty(HTMLImageElement.prototype, 'src', { ...picture, set(at) { heard.asked.push('picture ' + at); picture.set.call(this, at); } });
	for (const name of ['log', 'info', 'debug', 'warn', 'error']) {
		const tell = console[name];
		console[name] = (...said) => { heard.said.push(said.map(String).join()); tell.apply(console, said); };
	}
	for (const name of ['error', 'unhandledrejection']) addEventListener(name, (event) => heard.said.push(String(event.message ?? event.reason)));
})();`

// addFact writes a fact into the panel and presses Enter.
func addFact(t *testing.T, page *harness.Page, fact string) {
	t.Helper()
	waitFor(t, page, `document.querySelector('#about:not(.waiting) details')`)
	call[any](t, page, `() => { document.querySelector('#about details').open = true; document.querySelector('#about input').focus(); }`)
	if err := page.Do(chromedp.KeyEvent(fact + "\r")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('.about-status').textContent === 'Added.'`)
}

// officeVisit is what a visit to the office's site leaves.
type officeVisit struct {
	Orders    [][]int
	Reasons   []string
	Addresses []string
	Asked     []string // by the page, in its order
	Said      []string
	requests  []string // at the server, sorted, because some are under way together
}

// visitOffice asks the same queries, with private contexts or without.
func visitOffice(t *testing.T, dir, scripts string, contexts []string) (got officeVisit) {
	t.Helper()
	v := &visits{Handler: withPictures(dir)}
	server := serve(t, v)
	page := tab(t)
	before(t, page, listen+scripts)
	navigated(t, page, server.URL("/"))
	for _, c := range contexts {
		addFact(t, page, c)
	}
	quiet := func() {
		t.Helper()
		seen, since := -1, time.Now()
		for deadline := time.Now().Add(30 * time.Second); time.Since(since) < 400*time.Millisecond; time.Sleep(20 * time.Millisecond) {
			v.mu.Lock()
			n := len(v.log)
			v.mu.Unlock()
			if n != seen {
				seen, since = n, time.Now()
			}
			if time.Now().After(deadline) {
				t.Fatal("the page does not stop asking")
			}
		}
	}
	for _, query := range []string{"Who pays me when I am ill?", "What do I have to do for my pension?", "help with the costs of my home"} {
		// The address, which requests of the page have as their referrer, changes at once.
		call[any](t, page, `(query) => { (`+typeQuery+`)(query); document.getElementById('form').requestSubmit(); }`, query)
		waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning') && new URL(location.href).searchParams.get('q') === document.getElementById('query').value`)
		quiet()
		got.Orders = append(got.Orders, pagesShown(t, page, "list"))
		got.Addresses = append(got.Addresses, call[string](t, page, `() => location.pathname + location.search + location.hash`))
		got.Reasons = append(got.Reasons, call[[]string](t, page, `() => Array.from(document.querySelectorAll('.result > .because'), ({ textContent }) => textContent)`)...)
	}
	call[any](t, page, `() => document.getElementById('more-results').click()`)
	waitFor(t, page, `document.querySelectorAll('.result').length > 12`)
	quiet()
	heard := call[officeVisit](t, page, `() => ({ asked: heard.asked.map((one) => one.replaceAll(location.host, 'HOST')), said: heard.said })`)
	got.Asked, got.Said = heard.Asked, append(heard.Said, page.All()...)
	v.mu.Lock()
	defer v.mu.Unlock()
	got.requests = slices.Clone(v.log)
	slices.Sort(got.requests)
	return got
}

// A visit to a site's search page makes the same requests with private contexts and without:
// byte for byte, or with a service worker to the same addresses. The page asks for everything
// in the same order; but the contexts order the results, which say so. Nothing that leaves the
// page has a word of them.
func TestSearchPageKeepsContextsPrivate(t *testing.T) {
	t.Parallel()
	dir := officeSite(t, static.Page{Name: "Benefits"}, collection.Carried{Model: builtin.Builtin()})
	const unkept = `delete Navigator.prototype.serviceWorker;`
	private := []string{"I build kitchens as a carpenter and have no employer.", "I use a wheelchair.", "日本"}
	for _, c := range []struct{ name, scripts string }{
		{"workers", unkept},
		{"one thread", unkept + `delete globalThis.Worker;`}, // then the page makes all requests itself
		{"service worker", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Words and the engine answer beside each other. On a busy machine their requests come in another order, and the
			// engine may answer before words are shown, contexts or not. What the contexts decide would differ in every try.
			var differences []string
			for range 4 {
				without, with := visitOffice(t, dir, c.scripts, nil), visitOffice(t, dir, c.scripts, private)
				with.keepPrivate(t, private, without)
				// What the service worker stores may be in the browser's cache already or not, in any visit.
				if differences = with.differ(without, c.scripts == ""); len(differences) == 0 {
					return
				}
			}
			t.Errorf("the visits differ in every try, at last so:\n%s", strings.Join(differences, "\n"))
		})
	}
}

// keepPrivate fails the test unless the contexts of a visit appear as reasons in the page, and nowhere outside it.
func (with *officeVisit) keepPrivate(t *testing.T, private []string, without officeVisit) {
	t.Helper()
	if len(without.Reasons) > 0 || len(with.Reasons) < 15 {
		t.Errorf("reasons: %q and %q", without.Reasons, with.Reasons)
	}
	for _, reason := range with.Reasons {
		if fact, found := strings.CutPrefix(reason, "because: "); !found || !slices.Contains(private, fact) {
			t.Errorf("a reason is %q", reason)
		}
	}
	if fmt.Sprint(without.Orders) == fmt.Sprint(with.Orders) {
		t.Error("the contexts change no answer: this compares nothing")
	}
	kinds := strings.Join(addressesOf(with.requests), "\n")
	if n, m := strings.Count(kinds, "/collection/docs/"), strings.Count(kinds, "/pictures/"); n < 5 || m < 20 {
		t.Errorf("only %d requests for texts and %d for pictures:\n%s", n, m, kinds)
	}
	for _, text := range slices.Concat(with.requests, with.Asked, with.Addresses, with.Said) {
		for _, word := range []string{"carpenter", "wheelchair", "日本", "%E6%97%A5"} {
			if strings.Contains(text, word) {
				t.Errorf("%q is in %s", word, text)
			}
		}
	}
}

// differ says how a server, or whoever reads the addresses, could tell two visits apart. With a service
// worker, it compares only the addresses of requests, not their headers.
func (with *officeVisit) differ(without officeVisit, worker bool) (out []string) {
	plain, told := without.requests, with.requests
	if worker {
		plain, told = addressesOf(plain), addressesOf(told)
	}
	if !slices.Equal(plain, told) {
		out = append(out, fmt.Sprintf("%d requests without contexts, %d with", len(plain), len(told)))
		for i := range min(len(plain), len(told)) {
			if plain[i] != told[i] {
				out = append(out, fmt.Sprintf("request %d:\nwithout %s\nwith    %s", i, plain[i], told[i]))
				break
			}
		}
	}
	if !slices.Equal(without.Asked, with.Asked) {
		out = append(out, fmt.Sprintf("the page asks for\n%s\nwithout contexts, and with them for\n%s", strings.Join(without.Asked, "\n"), strings.Join(with.Asked, "\n")))
	}
	if !slices.Equal(without.Addresses, with.Addresses) {
		out = append(out, fmt.Sprintf("addresses %q and %q", without.Addresses, with.Addresses))
	}
	return out
}

// addressesOf returns the methods and addresses of requests, each once.
func addressesOf(requests []string) (out []string) {
	for _, r := range requests {
		line, _, _ := strings.Cut(r, "\n")
		out = append(out, line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Results follow the list of facts at once, by keyboard, in place. A list from an earlier visit counts, too.
func TestSearchPageAbout(t *testing.T) {
	t.Parallel()
	dir := officeSite(t, static.Page{Name: "Benefits"}, collection.Carried{Model: builtin.Builtin()})
	page := openUnkept(t, serve(t, withPictures(dir)).URL("/"))
	violations(t, page, axe(t), "about me, nothing asked", contrast)
	call[any](t, page, typeQuery, "Who pays me when I am ill?")
	waitFor(t, page, `document.getElementById('summary').textContent.includes('by meaning')`)
	plain := pagesShown(t, page, "list")
	addFact(t, page, "I work without an employer.")
	waitFor(t, page, `document.querySelectorAll('.result > .because').length === document.querySelectorAll('.result').length`)
	if got := pagesShown(t, page, "list"); slices.Equal(got, plain) {
		t.Errorf("the list changes nothing: %v", got)
	}
	if focus := call[string](t, page, `() => document.activeElement.id + ' ' + location.search`); focus != "about-text-1 ?q=Who+pays+me+when+I+am+ill%3F" {
		t.Errorf("focus and address: %s", focus)
	}
	violations(t, page, axe(t), "about me, with results", contrast)
	reload(t, page)
	waitFor(t, page, `document.querySelector('.result > .because')?.textContent === 'because: I work without an employer.'`)
	if summary := call[string](t, page, `() => document.querySelector('#about summary').textContent`); summary != "About me (1)" {
		t.Errorf("after a reload: %s", summary)
	}
	call[any](t, page, `() => { document.querySelector('#about details').open = true; document.querySelector('.about-all button:last-child').click(); }`)
	waitFor(t, page, `!document.querySelector('.because') && document.querySelector('.result')`)
	if got := pagesShown(t, page, "list"); !slices.Equal(got, plain) {
		t.Errorf("without the list: %v, want %v", got, plain)
	}
}

// A page has no panel if its encoder is on a server. If its collection has no encoder, the panel is never shown.
func TestSearchPageAboutOnlyInThePage(t *testing.T) {
	t.Parallel()
	dir := officeSite(t, static.Page{Name: "Benefits", Server: "./"}, collection.Carried{Model: builtin.Builtin()})
	page := openUnkept(t, serve(t, withPictures(dir)).URL("/"))
	call[any](t, page, `() => { localStorage['vantage-about-me'] = '["I work without an employer."]'; }`)
	page.Expect("WebSocket|v1/stream")
	waitFor(t, page, `document.querySelector('#about')`)
	if call[bool](t, page, `() => document.querySelector('#about details') !== null`) {
		t.Error("a page with an encode server has the panel")
	}
	page = openUnkept(t, serve(t, withPictures(officeSite(t, static.Page{Name: "Benefits"}, withoutEncoder(t)))).URL("/"))
	waitFor(t, page, `!document.getElementById('about').classList.contains('waiting')`)
	if call[bool](t, page, `() => document.querySelector('#about details') !== null`) {
		t.Error("a page whose collection has no encoder has the panel")
	}
	if content, err := (static.Page{Server: "./"}).Contents(); err != nil || !bytes.Contains(content["index.html"], []byte(`id="about"`)) {
		t.Errorf("the place of the panel: %v", err)
	}
}

// withoutEncoder are rows for the bundled benefits corpus of which nobody knows the encoder.
func withoutEncoder(t *testing.T) collection.Source {
	t.Helper()
	content, err := os.ReadFile("../../examples/benefits/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const dim = 2
	data := make([]float32, dim*bytes.Count(content, []byte("\n")))
	for i := range data {
		data[i] = 1
	}
	return collection.Given{Model: manifest.Model{ID: "unknown"}, Dim: dim, Data: data}
}
