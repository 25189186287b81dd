package extension

import (
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/tests/extension/pages"
)

// tab is a page of results with the bar on it.
type tab struct {
	*harness.Page
	t testing.TB
}

// pageTimeout bounds a page's life, generously: machines that run tests are busy.
const pageTimeout = 5 * time.Minute

// open opens an address for the length of the test, which fails if anything goes wrong in
// the page that was not expected.
func open(t *testing.T, s *session, address string) tab {
	t.Helper()
	page, err := s.browser.NewPage(pageTimeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range page.Problems() {
			t.Errorf("in the page: %s", problem)
		}
		page.Close()
	})
	if err := page.Navigate(address); err != nil {
		t.Fatal(err)
	}
	return tab{page, t}
}

// call is harness.Call for a test that cannot go on without the answer.
func call[T any](x tab, function string, args ...any) T {
	x.t.Helper()
	value, err := harness.Call[T](x.Page, function, args...)
	if err != nil {
		x.t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// waitFor waits for a condition in the page's own scripts.
func (x tab) waitFor(condition string) {
	x.t.Helper()
	wait.Until(x.t, condition, func() bool { return call[bool](x, "() => Boolean("+condition+")") })
}

// ranks lists the results in the order of the page, by their ranks before. The results are
// told apart by their titles.
func (x tab) titles(site pages.Site) []string {
	x.t.Helper()
	return call[[]string](x, `(selector) => Array.from(document.querySelectorAll(selector), (result) => {
		const title = result.querySelector('h2, h3, .title, .mw-search-result-heading, .Story_title span') ?? result.nextElementSibling.querySelector('.list-title');
		return title.textContent.replace('Title:', '').trim();
	})`, site.Result)
}
