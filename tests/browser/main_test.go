// Package browser tests the library, the pages and the engine in a real Chromium, and
// with the tag otherbrowsers in Firefox and WebKit.
package browser

import (
	"context"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

var launched struct {
	sync.Once
	browser *harness.Browser
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if launched.browser != nil {
		launched.browser.Close()
	}
	os.RemoveAll(debatesSite.dir)
	if packs.site != nil {
		packs.site.model.Close()
		os.RemoveAll(packs.site.dir)
	}
	os.RemoveAll(command.dir)
	os.Exit(code)
}

// chromium is the one browser of all tests. Without it they fail: a library
// for browsers that was not tried in one is untested.
func chromium(t testing.TB) *harness.Browser {
	t.Helper()
	launched.Do(func() { launched.browser, launched.err = harness.Launch(context.Background()) })
	if launched.err != nil {
		t.Fatal(launched.err)
	}
	return launched.browser
}

// serve starts a server for the length of the test.
func serve(t testing.TB, handler http.Handler) *harness.Server {
	t.Helper()
	server, err := harness.Serve(handler)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// pageTimeout bounds a page's life, generously: machines that run tests are
// busy.
const pageTimeout = 5 * time.Minute

// open loads a page for the length of the test, which fails if anything goes
// wrong in it that was not expected.
func open(t testing.TB, url string) *harness.Page {
	t.Helper()
	return navigated(t, tab(t), url)
}

// openUnkept is open for the tests of a site's pages that are not about its service
// worker: to keep a site takes as long as to search it.
func openUnkept(t testing.TB, url string) *harness.Page {
	t.Helper()
	page := tab(t)
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	return navigated(t, page, url)
}

func tab(t testing.TB) *harness.Page {
	t.Helper()
	page, err := chromium(t).NewPage(pageTimeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range page.Problems() {
			t.Errorf("in the page: %s", problem)
		}
		page.Close()
	})
	return page
}

func navigated(t testing.TB, page *harness.Page, url string) *harness.Page {
	t.Helper()
	if err := page.Navigate(url); err != nil {
		t.Fatal(err)
	}
	return page
}

// call is harness.Call for a test that cannot go on without the answer.
func call[T any](t testing.TB, page *harness.Page, function string, args ...any) T {
	t.Helper()
	value, err := harness.Call[T](page, function, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// outcome is what a call gave that ran beside the test.
type outcome[T any] struct {
	value T
	err   error
}

// started runs a call beside the test, which only the test's own goroutine may end.
func started[T any](page *harness.Page, function string, args ...any) <-chan outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		value, err := harness.Call[T](page, function, args...)
		done <- outcome[T]{value, err}
	}()
	return done
}

// must is the value of a call for a test that cannot go on without it.
func (o outcome[T]) must(t testing.TB) T {
	t.Helper()
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o.value
}

// site serves the library, the test modules of testdata and a blank page. Its callers
// add the strict policy.
func site() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/", withSources(http.NotFoundHandler()))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/{$}", harness.Blank)
	return mux
}

// withSources adds what a site has not, under /static/: the sources of the library in
// src and of the page in demo, for tests of single modules.
func withSources(site http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", site)
	mux.Handle("/static/", http.StripPrefix("/static", harness.Static()))
	return mux
}

// library opens a blank page in which tests import the library's modules.
func library(t testing.TB) *harness.Page {
	t.Helper()
	return open(t, serve(t, harness.WithPolicy(site())).URL("/"))
}
