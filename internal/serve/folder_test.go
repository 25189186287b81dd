package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/console"
)

// A folder that takes the place of the one that is served, or that a link leads to later, is served. While there is
// none, nothing is reported as missing: a page whose sw.js is missing deletes what it has stored.
func TestReplacedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, a folder that a process has open cannot be renamed")
	}
	document := func(yield func(vantage.Document, error) bool) { yield(vantage.Document{ID: "1", Text: "one"}, nil) }
	vectors := &vantage.Vectors{Model: vantage.Model{ID: "mine", Revision: "1"}, Dim: 2, Data: []float32{1, 0}}
	bare := filepath.Join(t.TempDir(), "bare")
	if _, err := vantage.Index(t.Context(), document, bare, vantage.IndexOptions{Vectors: vectors}); err != nil {
		t.Fatal(err)
	}
	move := func(from, to string) func() error { return func() error { return os.Rename(from, to) } }
	link := func(to string) func() error {
		return func() error { return errors.Join(os.Symlink(to, "new"), os.Rename("new", "current")) }
	}
	write := func(name, content string) func() error {
		return func() error { return os.WriteFile(name, []byte(content), 0o600) }
	}
	type step struct {
		do   func() error
		code int
		has  string // in the page
	}
	for _, c := range []struct {
		dir   string
		steps []step
	}{
		{"site", []step{
			{move("one", "site"), 200, "one"}, {move("site", "one"), 503, ""}, {move("two", "site"), 200, "two"},
			{write("site/index.html", "new"), 200, "new"}, {move("site", "two"), 503, ""},
			{move("bare", "site"), 200, "<!doctype"}, {write("site/index.html", "mine"), 200, "mine"}, {move("site", "bare"), 503, ""},
			{move("torn", "site"), 503, ""}, {write("site/index.html", "whole"), 200, "whole"},
		}},
		{"current", []step{{link("one"), 200, "one"}, {link("two"), 200, "two"}, {link("nowhere"), 503, ""}, {link("one"), 200, "one"}}},
		{".", []step{{func() error { return os.Chdir("one") }, 200, "one"}, {move("../one", "../old"), 503, ""}, {move("../two", "../one"), 200, "two"}}},
	} {
		t.Run(c.dir, func(t *testing.T) {
			t.Chdir(t.TempDir())
			torn := write("torn/manifest.json", `{"format":"vantage-coll`)
			err := errors.Join(os.Mkdir("one", 0o700), os.Mkdir("two", 0o700), os.Mkdir("torn", 0o700), os.CopyFS("bare", os.DirFS(bare)),
				write("one/index.html", "one")(), write("two/index.html", "two")(), torn(), c.steps[0].do())
			if err != nil {
				t.Fatal(err)
			}
			var told strings.Builder
			o := options(func(o *Options) { o.Dir, o.Console = c.dir, console.New(&told) })
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			away := 0
			err = o.Run(ctx, func(_, address string) error {
				defer stop()
				for i, s := range c.steps {
					if i > 0 {
						if err := s.do(); err != nil {
							return err
						}
						if s.code == 503 && c.steps[i-1].code != 503 {
							away++
						}
					}
					for range 2 {
						r, err := http.Get(address)
						if err != nil {
							return err
						}
						page, err := io.ReadAll(r.Body)
						if r.Body.Close(); err != nil || r.StatusCode != s.code || !strings.Contains(string(page), s.has) {
							t.Errorf("step %d: %d %.50q, want %d %q (%v)", i, r.StatusCode, page, s.code, s.has, err)
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if n := strings.Count(told.String(), "cannot be served"); n != away {
				t.Errorf("it was told %d times that the folder cannot be served, want %d: %q", n, away, told.String())
			}
		})
	}
}

// Builds that can be repeated give every file one time. It does not tell that a file has changed.
func TestFixedTimes(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "manifest.json")
	for _, fixed := range []time.Time{time.Unix(0, 0), time.Unix(1, 0), time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)} {
		tag := ""
		for i, content := range []string{"one", "two", "two"} {
			if err := errors.Join(os.WriteFile(name, []byte(content), 0o600), os.Chtimes(name, fixed, fixed)); err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest("GET", "/manifest.json", nil)
			r.Header.Set("If-None-Match", tag)
			w := httptest.NewRecorder()
			(&handler{files: os.DirFS(dir)}).ServeHTTP(w, r)
			if want := []int{200, 200, 304}[i]; w.Code != want || want == 200 && w.Body.String() != content {
				t.Errorf("%v: content %d: %d %q, want %d", fixed, i, w.Code, w.Body, want)
			}
			if last := w.Header().Get("Last-Modified"); last != "" {
				t.Errorf("%v: Last-Modified %s", fixed, last)
			}
			tag = w.Header().Get("ETag")
		}
	}
}
