package browser

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

const wantsKey = "The encode server wants a key that this page does not have. Whoever runs the server can let pages ask without one: --chat-requests and --chat-tokens bound what each visitor may ask, in place of --keys."

// refusedWith waits until the page shows why a question was refused, and compares all of it.
func refusedWith(t *testing.T, page *harness.Page, want string) {
	t.Helper()
	call[any](t, page, set, "query", "night trains")
	call[any](t, page, click, "domain-run")
	waitFor(t, page, `!document.getElementById('domain-fault').hidden`)
	if got := call[string](t, page, `() => document.getElementById('domain-fault').textContent`); got != want {
		t.Errorf("the page says\n%s\nwant\n%s", got, want)
	}
	// The visitor may ask again, and nothing says that an answer is coming.
	if got := call[string](t, page, `() => [document.getElementById('domain-run').hidden, document.getElementById('domain-stop').hidden, document.getElementById('domain-said').textContent].join()`); got != "false,true," {
		t.Errorf("%s", got)
	}
	violations(t, page, axe(t), "refused", contrast)
}

// A server that did not want keys when the page was opened, and now does, answers 401: the page
// says what can be done.
func TestDemoDomainWithoutKey(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, lawyer)
	site, keys := t.TempDir(), filepath.Join(t.TempDir(), "keys")
	host := serve(t, folder(site))
	server := serveModel(t, host.URL(""), withChat(s, "--domain", "law")...)
	withServer := pages
	withServer.Server = server.URL()
	if err := errors.Join(os.WriteFile(keys, []byte("secret\n"), 0o666), os.CopyFS(site, os.DirFS(debates(t))), withServer.Write(site)); err != nil {
		t.Fatal(err)
	}
	page := tab(t)
	page.Expect(`Failed to load resource|WebSocket connection`)
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, host.Lab())
	waitFor(t, page, `!document.getElementById('domain-ask').hidden`)
	server.Kill()
	server.args = append(server.args, "--keys", keys)
	server.Start()
	waitFor(t, page, `document.getElementById('connection').textContent.includes('key')`)
	refusedWith(t, page, wantsKey)
	if n := len(s.Asked()); n != 0 {
		t.Errorf("the chat model was asked %d times", n)
	}
}

// A gateway may let pages encode and not ask the chat model.
func TestDemoDomainForbidden(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, lawyer)
	var behind http.Handler
	var status atomic.Int32
	gateway := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/perspectives" {
			w.WriteHeader(int(status.Load()))
			return
		}
		behind.ServeHTTP(w, r)
	}))
	origin := strings.TrimSuffix(gateway.URL(""), "/")
	server := serveModel(t, origin, append([]string{debates(t)}, withChat(s, "--domain", "law")...)...)
	target, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	behind = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	page := tab(t)
	page.Expect(`Failed to load resource`)
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, gateway.Lab())
	waitFor(t, page, `!document.getElementById('domain-ask').hidden`)
	for code, want := range map[int]string{
		http.StatusUnauthorized: wantsKey,
		http.StatusForbidden:    "The encode server does not let this page ask. Whoever runs the server can allow it with --origin " + origin + ", or in the gateway before it.",
	} {
		status.Store(int32(code))
		refusedWith(t, page, want)
	}
	if n := len(s.Asked()); n != 0 {
		t.Errorf("the chat model was asked %d times", n)
	}
}

// The button puts the assembled prompt into the clipboard. Without one, the prompt is
// selected.
func TestDemoDomainCopy(t *testing.T) {
	t.Parallel()
	server := serveModel(t, "", append([]string{debates(t)}, withChat(chatscript.Serve(t, lawyer), "--domain", "law")...)...)
	page := tab(t)
	if err := errors.Join(page.WithoutServiceWorkers(), page.AllowClipboard(strings.TrimSuffix(server.URL(), "/"))); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, server.Lab())
	waitFor(t, page, `!document.getElementById('domain-ask').hidden`)
	const query = "prison sentences for night trains"
	call[any](t, page, set, "query", query)
	call[any](t, page, click, "domain-run")
	waitFor(t, page, fmt.Sprintf(domainSaid, "Done."))
	waitFor(t, page, `document.querySelectorAll('#domain-merged > li').length > 0 && document.getElementById('domain-shares').textContent.includes('penalty')`)
	shown := call[string](t, page, `() => document.getElementById('domain-prompt').textContent`)
	if prefix, _, _ := strings.Cut(mvrag.Prompt(query, []string{"x"}), "Document 1:"); !strings.HasPrefix(shown, prefix) || !strings.Contains(prefix, query) {
		t.Errorf("the prompt is %s", shown)
	}
	call[any](t, page, click, "domain-copy")
	waitFor(t, page, `document.getElementById('domain-copied').textContent === 'Copied.'`)
	if got := call[string](t, page, `() => navigator.clipboard.readText()`); got != shown {
		t.Errorf("the clipboard has\n%s\nwant\n%s", got, shown)
	}
	call[any](t, page, `() => Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })`) // plain http
	call[any](t, page, click, "domain-copy")
	waitFor(t, page, `document.getElementById('domain-copied').textContent.startsWith('The prompt is selected')`)
	if got := call[string](t, page, `() => getSelection().toString()`); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(shown), " ") {
		t.Errorf("selected is\n%s\nwant\n%s", got, shown)
	}
}
