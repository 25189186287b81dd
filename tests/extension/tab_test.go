package extension

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// tab is a page of results with the bar on it.
type tab struct {
	*harness.Page
	t     testing.TB
	known *harness.Node // the bar
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
	return tab{page, t, &harness.Node{}}
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

// titles lists the titles of the results, which the selector finds, in the order of the page.
func (x tab) titles(selector string) []string {
	x.t.Helper()
	return call[[]string](x, titlesOf, selector)
}

// titlesOf reads titles without the badges, whose texts are in closed shadow roots. While a page is still being parsed, its
// last result may lack its title; that is empty then.
const titlesOf = `(selector) => Array.from((globalThis.listRoot ?? document).querySelectorAll(selector), (result) => {
	const title = result.querySelector('h2, h3, .title, .mw-search-result-heading, .Story_title span:not([data-scheme])') ?? result.nextElementSibling?.querySelector('.list-title');
	return (title?.textContent ?? '').replace('Title:', '').trim();
})`

// keep remembers the results' elements, and what stands between them.
func (x tab) keep(selector string) {
	x.t.Helper()
	call[any](x, `(selector) => {
		globalThis.kept = Array.from(document.querySelectorAll(selector));
		const parent = kept[0].parentElement;
		const moves = new Set(kept.flatMap((result) => result.localName === 'dt' ? [result, result.nextElementSibling] : [result]));
		globalThis.places = () => Array.from(parent.children).filter((child) => child.localName !== 'div' || child.attributes.length > 0).map((child, at) => moves.has(child) ? '' : at + child.outerHTML).join('|');
		globalThis.stood = places();
	}`, selector)
}

// same fails the test unless the results are the elements that were kept, wherever they
// stand, and nothing else has moved. The handlers of the page still hear clicks.
func (x tab) same(selector string) {
	x.t.Helper()
	if fault := call[string](x, `(selector) => {
		const now = Array.from(document.querySelectorAll(selector));
		if (now.length !== kept.length) return now.length + ' results, there were ' + kept.length;
		if (!kept.every((result) => now.includes(result))) return 'other elements';
		if (places() !== stood) return 'something else has moved: ' + places() + ' was ' + stood;
		const before = now.map((result) => result.clicks);
		now.forEach((result) => result.click());
		const deaf = now.filter((result, i) => result.clicks !== before[i] + 1);
		return before[0] === undefined || deaf.length === 0 ? '' : deaf.length + ' results do not hear clicks';
	}`, selector); fault != "" {
		x.t.Error(fault)
	}
}

// titlesIn lists the titles of results by their indexes.
func titlesIn(results []pages.Result, order []int) []string {
	var titles []string
	for _, i := range order {
		titles = append(titles, results[i].Title)
	}
	return titles
}

// inOrder are the indexes from 0 to n-1.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// callOn is harness.CallOn for a test that cannot go on without the answer.
func callOn[T any](x tab, node harness.Node, function string, args ...any) T {
	x.t.Helper()
	value, err := harness.CallOn[T](node, function, args...)
	if err != nil {
		x.t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// picture saves a screenshot in the folder that VANTAGE_SHOTS names.
func picture(t testing.TB, x tab, name string) {
	t.Helper()
	dir := os.Getenv("VANTAGE_SHOTS")
	if dir == "" {
		return
	}
	content, err := x.Picture()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), content, 0o666); err != nil {
		t.Fatal(err)
	}
}
