package browser

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/static"
)

// A link that was copied when the lab was at the address of the site opens the lab in that
// state. Addresses of the search page stay there.
func TestOldLinks(t *testing.T) {
	t.Parallel()
	server := serve(t, folder(debates(t)))
	page := openUnkept(t, server.Lab())
	waitFor(t, page, answered)
	call[any](t, page, set, "query", oppose)
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, set, "k", "5")
	call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	waitFor(t, page, `document.querySelectorAll('#chosen .hit').length === 5 && location.hash.includes('method=')`)
	fragment, want := call[string](t, page, `() => location.hash`), shown(t, page, "chosen")
	for _, old := range []string{"/", "/index.html", "/?collection=collection%2F"} {
		page := openUnkept(t, server.URL(old+fragment))
		settles(t, page, `location.pathname === '/lab.html' && `+answered)
		waitFor(t, page, `document.getElementById('method').value === 'pap+' && document.querySelectorAll('#chosen .hit').length === 5`)
		if at := call[string](t, page, `() => location.hash`); at != fragment {
			t.Errorf("%s: the fragment became %s, want %s", old, at, fragment)
		}
		if got := shown(t, page, "chosen"); len(got) != 5 || got[0] != want[0] || got[4] != want[4] {
			t.Errorf("%s: %v, want %v", old, got, want)
		}
	}
	for _, own := range []string{"/", "/?q=" + url.QueryEscape(oppose), "/#hits", "/?q=trains#hits"} {
		page := openUnkept(t, server.URL(own))
		waitFor(t, page, `document.readyState === 'complete' && document.getElementById('vantage-config')`)
		if at := call[string](t, page, `() => location.pathname`); at != "/" {
			t.Errorf("%s leads to %s", own, at)
		}
	}
}

// older turns a site into one from before there was a search page: the lab is its
// index.html, and the service worker serves no other page.
func (h *host) older(t *testing.T) {
	t.Helper()
	// The built script may have a line break anywhere, within a text too.
	script := filepath.Join(h.dir, "sw.js")
	worker, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	worker = bytes.ReplaceAll(worker, []byte("\\\n"), nil)
	served := regexp.MustCompile(`\[name\|\|\s*"index\.html",\s*` + "`\\$\\{name\\}\\.html`" + `\s*\]`)
	if len(served.FindAll(worker, -1)) != 1 {
		t.Fatalf("sw.js has no %s", served)
	}
	worker = served.ReplaceAllLiteral(worker, []byte(`[name===""||name==="index.html"?"index.html":""]`))
	if err := os.WriteFile(script, worker, 0o666); err != nil {
		t.Fatal(err)
	}
	lab, err := os.ReadFile(filepath.Join(h.dir, "lab.html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "index.html"), lab, 0o666); err != nil {
		t.Fatal(err)
	}
	h.publish(t)
	list := filepath.Join(h.dir, "offline", "files.js")
	content, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lab.html", "search.js", "search.css", "theme.css"} {
		content = regexp.MustCompile(`"`+regexp.QuoteMeta(name)+`":"[0-9a-f ]+",?`).ReplaceAll(content, nil)
		if err := os.Remove(filepath.Join(h.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(list, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A visitor who saw a site before there was a search page gets both pages: the old page makes
// way for the new worker, a link that it had opens the lab, and both work without a network.
func TestOldWorkerHandsOver(t *testing.T) {
	h := newHost(t)
	h.older(t)
	server := serve(t, h)
	page := open(t, server.URL("/"))
	page.Expect(unanswered)
	waitFor(t, page, answered)
	waitFor(t, page, isKept)
	call[any](t, page, set, "query", "night trains")
	call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	waitFor(t, page, `location.hash.includes('night') && document.querySelector('#chosen .hit')`)
	fragment := call[string](t, page, `() => location.hash`)
	before := cacheNames(t, page)
	if at := call[string](t, page, `() => location.pathname`); at != "/" {
		t.Fatalf("the old page is at %s", at)
	}

	if err := (static.Page{Name: "The owner's"}).Write(h.dir); err != nil {
		t.Fatal(err)
	}
	reload(t, page) // the old page, which finds the new worker
	settles(t, page, `!document.getElementById('newer').hidden && document.getElementById('chosen')`)
	if at := call[string](t, page, `() => location.pathname`); at != "/" {
		t.Fatalf("the old page is at %s", at)
	}
	if err := page.Navigate(server.URL("/?again") + fragment); err != nil {
		t.Fatal(err)
	}
	settles(t, page, `location.pathname === '/lab.html' && `+answered)
	waitFor(t, page, isKept)
	if got := call[string](t, page, `() => document.getElementById('query').value`); got != "night trains" {
		t.Errorf("the link's query became %q", got)
	}
	for _, name := range cacheNames(t, page) {
		if strings.Contains(name, "shell") && slices.Contains(before, name) {
			t.Errorf("the old page is still kept in %q", name)
		}
	}

	h.silence(everything)
	if err := page.Navigate(server.URL("/?q=night+trains")); err != nil {
		t.Fatal(err)
	}
	settles(t, page, `document.title.includes("The owner's") && /night trains/i.test(document.querySelector('main').innerText)`)
	for _, address := range []string{"/lab.html", "/lab"} { // some hosts leave out .html
		if err := page.Navigate(server.URL(address) + fragment); err != nil {
			t.Fatal(err)
		}
		settles(t, page, answered)
	}
}
