//go:build otherbrowsers

package extension

import (
	"io"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/testing/webdriver"
	"github.com/vantage-search/vantage/static/extension"
	"github.com/vantage-search/vantage/tests/extension/pages"
)

// The id of Firefox's extension, and the host of its pages in the tests' profile.
const (
	geckoID = "extension@vantage-search.example"
	uuid    = "5d0e4f4c-7f0a-4c5e-9d55-0c3a4c5b6d7e"
)

func TestFirefox(t *testing.T) {
	path := os.Getenv("VANTAGE_FIREFOX")
	if path == "" {
		t.Fatal("VANTAGE_FIREFOX does not name a browser: `make test-full` installs one")
	}
	dir := t.TempDir()
	if err := unpack(dir, extension.Firefox); err != nil {
		t.Fatal(err)
	}
	w, err := serveWeb(pages.Handler(tools.Packages(t, "react")))
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	proxy, err := harness.Serve(w.proxy())
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	browser, err := webdriver.FirefoxExtension(path, proxy.Address(), dir, geckoID, uuid)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	}()
	t.Log(browser.Version())
	t.Log(browser.Navigate(pages.DuckDuckGo.URL(pages.Uniforms, "")))
	v, err := webdriver.Call[any](browser, "() => document.title + results().length")
	t.Log(v, err)
	t.Log(browser.Navigate("moz-extension://" + uuid + "/options/options.html"))
	v, err = webdriver.Call[any](browser, "async () => [document.title, await browser.permissions.getAll(), await browser.scripting.getRegisteredContentScripts()]")
	t.Log(v, err)
}

// proxy leads every connection to the web.
func (w *web) proxy() http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			w.plainRequests.ServeHTTP(out, r)
			return
		}
		there, err := net.Dial("tcp", w.secure.Address())
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		out.WriteHeader(http.StatusOK)
		here, buffered, err := http.NewResponseController(out).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		go func() {
			io.Copy(there, buffered)
			there.Close()
		}()
		io.Copy(here, there)
	})
}
