package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// unanswered matches the browsers' messages about requests without an answer.
const unanswered = `Failed to load resource|ERR_|An unknown error occurred when fetching the script`

// After one visit the page searches without its host, at the root and below a
// path, including texts that nobody had read.
func TestOffline(t *testing.T) {
	for _, at := range []string{"/", "/some/where/"} {
		h := newHost(t)
		mux := http.NewServeMux()
		mux.Handle(at, http.StripPrefix(strings.TrimSuffix(at, "/"), h))
		mux.HandleFunc("/favicon.ico", harness.NoIcon)
		server := serve(t, harness.WithPolicy(mux))
		page := visit(t, server.URL(at))
		page.Expect(unanswered)
		waitFor(t, page, isKept)
		if said := call[string](t, page, `() => document.getElementById('offline').textContent`); !strings.HasPrefix(said, "Works without a network: page and collection are kept") || strings.Contains(said, "only") {
			t.Errorf("%s: the page says: %s", at, said)
		}
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		again(t, page)
		waitFor(t, page, isKept)
		call[any](t, page, set, "query", "night trains")
		waitFor(t, page, `document.querySelector('#plain h3').textContent.includes('ight')`)
		got := call[struct{ Texts, Rows int }](t, page, `async () => {
			const documents = await vantage.documents(Array.from({ length: vantage.info.documents }, (_, i) => i));
			return { texts: documents.filter(({ text }) => text).length, rows: vantage.coverage.rows };
		}`)
		if got.Texts != 120 || got.Rows != 120 {
			t.Errorf("%s: %+v without a network", at, got)
		}
		if queries := call[int](t, page, `async () => (await (await fetch('judgements.json')).json()).queries.length`); queries != 1 {
			t.Errorf("%s: %d judged queries without a network", at, queries)
		}
		// An address that names a collection, from before there was a search page, leads to the lab.
		if err := page.Navigate(server.URL(at) + "index.html?collection=collection#q=night+trains"); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, answered)
	}
}

// The service worker stores nothing of a pack but its pack.json: the library keeps the
// rest, of which the branch is fetched when a query first needs it.
func TestOfflinePack(t *testing.T) {
	s := carryingPacks(t)
	h := &host{dir: t.TempDir()}
	if err := errors.Join(pages.Write(h.dir), os.CopyFS(filepath.Join(h.dir, "collection"), os.DirFS(filepath.Join(s.dir, "collection")))); err != nil {
		t.Fatal(err)
	}
	counter := &packHost{Handler: h}
	counter.fresh(nil, nil)
	page := visit(t, serve(t, counter).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	h.silence(everything)
	again(t, page)
	got := call[struct {
		By     string
		Stored []string
	}](t, page, `async () => {
		const { encodedBy } = await vantage.search({ query: 'reasons against: the cat sat' });
		const stored = (await (await caches.open('vantage collections /')).keys()).map(({ url }) => new URL(url).pathname);
		return { by: encodedBy, stored: stored.filter((path) => path.includes('/encoder/') || path.includes('/angles/')) };
	}`)
	if want := []string{"/collection/encoder/" + s.json()}; got.By != "engine" || !slices.Equal(got.Stored, want) {
		t.Errorf("without a network: %+v, want %q stored", got, want)
	}
	if fetched := counter.fetched(append(slices.Clone(s.trunk), s.rest...)); !slices.Equal(fetched, append(slices.Repeat([]int{1}, len(s.trunk)), make([]int, len(s.rest))...)) {
		t.Errorf("fetched %v", fetched)
	}
}

// Texts beyond the limit are not stored in advance, and the page says so.
func TestOfflineTextsBeyondTheLimit(t *testing.T) {
	h := newHost(t)
	h.edit(t, "sw.js", "AHEAD=64<<20", "AHEAD=14<<10")
	h.publish(t)
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	said := call[string](t, page, `() => document.getElementById('offline').textContent`)
	if !strings.Contains(said, "of the 120 texts only 100: answers that show others need the network") {
		t.Errorf("the page says: %s", said)
	}
	h.silence(everything)
	reload(t, page)
	waitFor(t, page, `document.getElementById('loading').hidden && window.vantage`)
	got := call[seenFault](t, page, `async () => {
		const lib = await import('./lib/index.js');`+describeFault+`
		await vantage.documents([0, 49]);
		return vantage.documents([119]).then(() => ({}), describe);
	}`)
	if got.Name != "NetworkError" || !strings.Contains(got.Message, "docs/") {
		t.Errorf("%+v", got)
	}
}

// versions returns the versions of the parts of a page.
const versions = `async () => {
	const { LIBRARY } = await import('./lib/index.js');
	const { WORKER } = await import('./lib/worker.js');
	const { PART } = await import('./demo.js');
	return [document.documentElement.dataset.version, PART, LIBRARY, WORKER].map(String).join(' ');
}`

// stamp changes the version in all parts of the page.
func (h *host) stamp(t *testing.T, from, to string) {
	t.Helper()
	if from == "" {
		h.edit(t, "lab.html", `<html lang="en">`, `<html lang="en" data-version="`+to+`">`)
		h.edit(t, "demo.js", "\n", "\nexport const PART = '"+to+"';\n")
		h.edit(t, "lib/index.js", "\n", "\nexport const LIBRARY = '"+to+"';\n")
		h.edit(t, "lib/worker.js", "\n", "\nexport const WORKER = '"+to+"';\n")
		return
	}
	h.edit(t, "lab.html", `data-version="`+from+`"`, `data-version="`+to+`"`)
	h.edit(t, "demo.js", "PART = '"+from, "PART = '"+to)
	h.edit(t, "lib/index.js", "LIBRARY = '"+from, "LIBRARY = '"+to)
	h.edit(t, "lib/worker.js", "WORKER = '"+from, "WORKER = '"+to)
}

// A new version is used as a whole: not while it is partly uploaded, and not
// under a page of the old version. Afterwards nothing of the old version is
// left.
func TestOfflineNewVersion(t *testing.T) {
	h := newHost(t)
	h.stamp(t, "", "1")
	h.publish(t)
	url := serve(t, h).URL("/")
	page := visit(t, url)
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	want := func(page *harness.Page, what, version string) {
		t.Helper()
		if got := call[string](t, page, versions); got != strings.Join([]string{version, version, version, version}, " ") {
			t.Errorf("%s: versions %s, want %s", what, got, version)
		}
	}
	updated := func(page *harness.Page) (waiting bool) {
		t.Helper()
		return call[bool](t, page, `async () => {
			const registration = await navigator.serviceWorker.getRegistration();
			await registration.update().catch(() => {});
			while (registration.installing) await new Promise((resolve) => setTimeout(resolve, 20));
			return registration.waiting !== null;
		}`)
	}

	// The list and the page are already uploaded, the library is not.
	h.stamp(t, "1", "2")
	h.publish(t)
	h.edit(t, "lib/index.js", "LIBRARY = '2'", "LIBRARY = '1'")
	again(t, page)
	want(page, "half uploaded", "1")
	if updated(page) {
		t.Error("a set of two versions was kept")
	}
	h.edit(t, "lib/index.js", "LIBRARY = '1'", "LIBRARY = '2'")
	if !updated(page) {
		t.Error("the new version was not kept")
	}
	want(page, "before it is loaded again", "1")
	waitFor(t, page, `!document.getElementById('newer').hidden`)

	// Another tab keeps the old version alive, and the page says why nothing
	// happens.
	other := visit(t, url)
	want(other, "beside an old page", "1")
	call[any](t, other, `() => document.getElementById('newer-use').click()`)
	waitFor(t, other, `document.getElementById('newer-text').textContent.includes('other tabs')`)
	want(page, "beside another tab", "1")
	other.Close()
	call[any](t, page, `() => document.getElementById('newer-use').click()`)
	settles(t, page, `document.documentElement.dataset.version === '2' && `+answered)
	want(page, "taken on demand", "2")
	if names := cacheNames(t, page); len(names) != 2 {
		t.Errorf("caches %q", names)
	}

	// If nobody clicks the button, the next load uses the new version.
	h.stamp(t, "2", "3")
	h.publish(t)
	if !updated(page) {
		t.Error("the third version was not kept")
	}
	again(t, page)
	settles(t, page, `document.documentElement.dataset.version === '3' && `+answered)
	want(page, "taken by the next load", "3")
	h.silence(everything)
	again(t, page)
	want(page, "without a network", "3")
}

// A page that cannot read its collection is replaced by the next version
// immediately.
func TestOfflineFaultyVersionMakesWay(t *testing.T) {
	h := newHost(t)
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	for _, check := range []string{"m.version>%d", "m.version,1,%d"} { // the check of the manifest's version
		h.edit(t, "lib/engine-*.js", fmt.Sprintf(check, 1), fmt.Sprintf(check, 2))
	}
	h.publish(t)
	h.edit(t, "collection/manifest.json", `"version": 1`, `"version": 2`)
	reload(t, page)
	settles(t, page, answered)
}

// If the network fails while a new collection is fetched, the old one is
// searched.
func TestOfflineHalfArrivedCollection(t *testing.T) {
	h := newHost(t)
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	rows := func() int {
		t.Helper()
		return call[int](t, page, `() => vantage.coverage.rows`)
	}
	files := func() int {
		t.Helper()
		return call[int](t, page, `async () => (await (await caches.open('vantage collections /')).keys()).length`)
	}
	before := files()
	h.index(t, 300)
	var asked atomic.Int32 // files of the new collection, of which the first still arrives
	h.silence(func(r *http.Request) bool { return isVectors(r) && asked.Add(1) > 1 })
	reload(t, page)
	waitFor(t, page, `document.getElementById('fault').textContent.includes('NetworkError')`)
	h.silence(everything)
	again(t, page)
	if got := rows(); got != 120 {
		t.Errorf("%d rows without a network, want those of the old collection", got)
	}
	h.silence(nil)
	again(t, page)
	waitFor(t, page, isKept)
	h.silence(everything)
	again(t, page)
	if got := rows(); got != 300 {
		t.Errorf("%d rows without a network, want those of the new collection", got)
	}
	h.silence(nil)
	h.index(t, 120)
	again(t, page)
	waitFor(t, page, isKept)
	if after := files(); after != before {
		t.Errorf("%d entries are stored for a collection that took %d before: files of the other one are left", after, before)
	}
}

// A link to a collection whose manifest cannot be used does not keep this site's own from being stored.
func TestOfflineHostileManifests(t *testing.T) {
	h := newHost(t)
	for name, inside := range map[string]string{
		"deep":    strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
		"address": `{"path": "http://[", "sha256": ""}`,
	} {
		writeFile(t, filepath.Join(h.dir, name, "manifest.json"), fmt.Appendf(nil, `{"format": %q, "docs": %s}`, manifest.Format, inside))
	}
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	again(t, page) // the service worker sees its requests
	call[any](t, page, `async () => { for (const name of ['deep', 'address']) await (await fetch(name + '/manifest.json')).text(); }`)
	waitFor(t, page, `await (await caches.open('vantage collections /')).match('address/manifest.json?arriving')`)
	call[any](t, page, `async () => {
		const cache = await caches.open('vantage collections /');
		await cache.put('kept/manifest.json', await fetch('deep/manifest.json?')); // by an earlier version
		await cache.put('damaged/manifest.json', new Response('{'));
	}`)
	h.index(t, 300)
	again(t, page)
	waitFor(t, page, `['kept', 'refused'].includes(document.getElementById('offline').dataset.state)`)
	if said := call[string](t, page, `() => document.getElementById('offline').textContent`); !strings.HasPrefix(said, "Works without a network: page and collection are kept") {
		t.Errorf("the page says: %s", said)
	}
	h.silence(everything)
	again(t, page)
	if got := call[int](t, page, `() => vantage.coverage.rows`); got != 300 {
		t.Errorf("%d rows without a network", got)
	}
}

// damage changes a byte in the middle of cached files whose names contain these
// parts.
const damage = `async (parts) => {
	let damaged = 0;
	for (const name of await caches.keys()) {
		const cache = await caches.open(name);
		for (const key of await cache.keys()) {
			if (!parts.some((part) => key.url.includes(part))) continue;
			const response = await cache.match(key);
			const body = new Uint8Array(await response.arrayBuffer());
			body[body.length >> 1] ^= 1;
			await cache.put(key, new Response(body, { headers: response.headers }));
			damaged++;
		}
	}
	return damaged;
}`

// Wrong bytes in the browser's storage are discarded and fetched again.
func TestOfflineDamagedCaches(t *testing.T) {
	h := newHost(t)
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	if n := call[int](t, page, damage, []string{"/vectors/", "/docs/", "/encoder/", "/lib/", "/demo.js"}); n < 12 {
		t.Fatalf("%d files damaged", n)
	}
	again(t, page)
	waitFor(t, page, isKept)
	call[int](t, page, `async () => (await vantage.documents(Array.from({ length: 120 }, (_, i) => i))).length`) // which reads the rest
	h.silence(everything)
	again(t, page) // now the caches are right
	if n := call[int](t, page, `async () => (await vantage.documents(Array.from({ length: 120 }, (_, i) => i))).length`); n != 120 {
		t.Errorf("%d documents", n)
	}

	// Without a network, the error names the file; with a network, it
	// disappears.
	call[int](t, page, damage, []string{"/vectors/"})
	reload(t, page)
	waitFor(t, page, `document.getElementById('fault').textContent.includes('vectors/')`)
	h.silence(nil)
	again(t, page)
}

// If the browser grants too little storage, the page works as before and says so.
func TestOfflineQuota(t *testing.T) {
	for _, c := range []struct {
		bytes int
		says  string
	}{{100_000, "this browser could not keep the page"}, {4_000_000, "this browser has no room for the collection"}} {
		server := serve(t, newHost(t))
		page, err := chromium(t).NewPage(pageTimeout)
		if err != nil {
			t.Fatal(err)
		}
		quota := storage.OverrideQuotaForOriginParams{Origin: strings.TrimSuffix(server.URL(""), "/"), QuotaSize: ptr(float64(c.bytes))}
		err = page.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, storage.OverrideQuotaForOrigin, quota)
			return err
		}))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := page.Navigate(server.Lab()); err != nil {
				t.Fatal(err)
			}
			waitFor(t, page, answered)
			waitFor(t, page, `document.getElementById('offline').dataset.state === 'refused'`)
			if said := call[string](t, page, `() => document.getElementById('offline').textContent`); !strings.Contains(said, c.says) {
				t.Errorf("%d bytes: the page says: %s", c.bytes, said)
			}
		}
		for _, problem := range page.Problems() {
			t.Errorf("%d bytes: in the page: %s", c.bytes, problem)
		}
		page.Close()
	}
}

// If the network fails while a collection is stored, the page does not blame the browser's room.
func TestOfflineInterrupted(t *testing.T) {
	h := newHost(t)
	var storing atomic.Bool
	h.silence(func(r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/sw.js") {
			storing.Store(true)
		}
		return storing.Load() && isVectors(r)
	})
	page := visit(t, serve(t, h).URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, `document.getElementById('offline').dataset.state === 'refused'`)
	if said := call[string](t, page, `() => document.getElementById('offline').textContent`); !strings.HasPrefix(said, "Needs the network: not all of the collection could be kept (") {
		t.Errorf("the page says: %s", said)
	}
	h.silence(nil)
	again(t, page)
	waitFor(t, page, isKept)
}

// A site in another site's folder, visited for the first time while that one waits for its newer
// version, does not take that version for its own.
func TestOfflineSiteInASite(t *testing.T) {
	a, b := newHost(t), newHost(t)
	mux := http.NewServeMux()
	mux.Handle("/", a)
	mux.Handle("/b/", http.StripPrefix("/b", b))
	server := serve(t, mux)
	inA := visit(t, server.URL("/"))
	waitFor(t, inA, isKept)
	a.edit(t, "lab.html", "<title>", "<title>New: ")
	a.publish(t)
	again(t, inA)
	waitFor(t, inA, `!document.getElementById('newer').hidden`)
	inB := visit(t, server.URL("/b/"))
	waitFor(t, inB, isKept)
	if !call[bool](t, inB, `() => document.getElementById('newer').hidden && navigator.serviceWorker.controller.scriptURL.endsWith(location.host + '/sw.js')`) {
		t.Error("the inner site shows the outer site's newer version, or the outer worker did not serve it: this tests nothing")
	}
	again(t, inB)
	waitFor(t, inB, isKept)
	if !call[bool](t, inB, `() => document.getElementById('newer').hidden && navigator.serviceWorker.controller.scriptURL.endsWith('/b/sw.js')`) {
		t.Error("the inner site has no worker of its own")
	}
	if scopes := call[[]string](t, inB, `async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname).sort()`); !slices.Equal(scopes, []string{"/", "/b/"}) {
		t.Errorf("workers for %q", scopes)
	}
}

// Sites on one host do not touch each other's caches; a site that is taken down
// deletes its own.
func TestOfflineSitesOfOneHost(t *testing.T) {
	a, b := newHost(t), newHost(t)
	mux := http.NewServeMux()
	mux.Handle("/a/", http.StripPrefix("/a", a))
	mux.Handle("/a/b/", http.StripPrefix("/a/b", b))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	server := serve(t, mux)
	inA, inB := visit(t, server.URL("/a/")), visit(t, server.URL("/a/b/"))
	for _, page := range []*harness.Page{inA, inB} {
		page.Expect(unanswered)
		waitFor(t, page, isKept)
	}
	again(t, inB) // the first load may have gone through the other site's worker
	names := cacheNames(t, inA)
	if len(names) != 4 {
		t.Fatalf("caches %q", names)
	}
	a.edit(t, "lab.html", "<title>", "<title>New: ")
	a.publish(t)
	again(t, inA)
	waitFor(t, inA, `!document.getElementById('newer').hidden`)
	again(t, inA)
	settles(t, inA, `document.title.startsWith('New') && `+isKept)
	kept := slices.DeleteFunc(cacheNames(t, inA), func(name string) bool { return !slices.Contains(names, name) })
	if len(kept) != 3 {
		t.Errorf("caches %q, of them %q as before", cacheNames(t, inA), kept)
	}
	for _, name := range []string{"sw.js", "lab.html"} {
		if err := os.Remove(filepath.Join(a.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	again(t, inA) // the last load: the worker learns that the site is gone
	settles(t, inA, `(await caches.keys()).every((name) => name.includes(' /a/b/'))`)
	b.silence(everything)
	again(t, inB)
}

// Over plain http there is no service worker; everything else is the same.
func TestOfflineNeedsASecureHost(t *testing.T) {
	page := visit(t, serve(t, newHost(t)).PlainURL("/"))
	if got := call[bool](t, page, `() => navigator.serviceWorker === undefined && document.getElementById('offline').hidden && document.getElementById('install').hidden`); !got {
		t.Error("the page mentions offline use")
	}
}

// In a sandbox, where it may not store anything, the page works without storage.
func TestOfflineInASandbox(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", withCORS(withSources(newHost(t)))) // a page in a sandbox has an origin of its own
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "sandbox allow-scripts")
		http.ServeFile(w, r, "testdata/sandbox.html")
	})
	page := open(t, serve(t, mux).URL("/frame"))
	if got := call[string](t, page, `async () => {
		const { begin, keep } = await import('/static/demo/parts/offline.js');
		let stored = 'storage';
		try {
			void navigator.serviceWorker;
		} catch (error) {
			stored = error.name;
		}
		await begin();
		await keep('collection/');
		return stored + ' ' + document.getElementById('offline').hidden;
	}`); got != "SecurityError true" {
		t.Errorf("%s", got)
	}
}

// The browser finds no obstacle to installing the page. The button is visible
// from the browser's offer until it is used.
func TestInstall(t *testing.T) {
	t.Parallel()
	page := visit(t, serve(t, newHost(t)).URL("/"))
	waitFor(t, page, isKept)
	err := page.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		app, err := cdp.Call(ctx, tab, cdppage.GetAppManifest, cdppage.GetAppManifestParams{})
		if err != nil {
			return err
		}
		if !strings.HasSuffix(app.URL, "/app.webmanifest") || !strings.Contains(app.Data, "icon-maskable") {
			t.Errorf("manifest %q at %q", app.Data, app.URL)
		}
		for _, e := range app.Errors {
			t.Errorf("%+v", e)
		}
		obstacles, err := cdp.Call(ctx, tab, cdppage.GetInstallabilityErrors, cdp.Empty{})
		for _, e := range obstacles.InstallabilityErrors {
			t.Errorf("not installable: %s %v", e.ErrorID, e.ErrorArguments)
		}
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := call[[]bool](t, page, `async () => {
		const button = document.getElementById('install');
		const shown = [];
		const offer = new Event('beforeinstallprompt', { cancelable: true });
		let prompted = 0;
		offer.prompt = async () => { prompted++; };
		dispatchEvent(offer);
		shown.push(!button.hidden, offer.defaultPrevented);
		button.click();
		shown.push(button.hidden, prompted === 1);
		dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt() {} }));
		dispatchEvent(new Event('appinstalled'));
		shown.push(button.hidden);
		return shown;
	}`)
	if slices.Contains(got, false) {
		t.Errorf("%v", got)
	}
}
