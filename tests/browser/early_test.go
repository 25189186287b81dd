package browser

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/static"
)

// If a page's modules cannot be loaded, it says what to do, both if it is
// opened from a file and if the host lacks a module.
func TestPageWithoutModules(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a site")
	if err := (static.Page{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	lacking := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/lib/index.js" || r.URL.Path == "/search.js" {
			http.NotFound(w, r)
			return
		}
		folder(dir).ServeHTTP(w, r)
	}))
	for _, test := range []struct{ url, says string }{
		{"file://" + dir + "/index.html", `vantage serve "` + dir + `/"`},
		{"file://" + dir + "/lab.html", `vantage serve "` + dir + `/"`},
		{"file://" + dir + "/eval.html", `vantage serve "` + dir + `/"`},
		{lacking.URL("/"), "upload the whole folder again"},
		{lacking.Lab(), "upload the whole folder again"},
		{lacking.URL("/eval.html"), "upload the whole folder again"},
	} {
		page := open(t, strings.ReplaceAll(test.url, " ", "%20"))
		page.Expect(`Failed to load resource|file:///|origin 'null'`)
		waitFor(t, page, `!document.getElementById('fault').hidden`)
		got := call[string](t, page, `() => {
			const shown = (id) => document.getElementById(id)?.checkVisibility();
			return (shown('fault') ? document.getElementById('fault').textContent : '') + (shown('loading') || shown('working') ? ' still loading' : '');
		}`)
		if !strings.Contains(got, test.says) || strings.Contains(got, "still loading") {
			t.Errorf("%s: %q, want %q", test.url, got, test.says)
		}
	}
}
