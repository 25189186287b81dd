//go:build otherbrowsers

package browser

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/static"
)

// searchPage visits the search page of a collection that tells sides apart: a query, a side, both sides, the way back, an
// example, and a fact about the visitor. Rankings are compared with Go's.
func (o otherPage) searchPage() {
	t := o.t
	t.Helper()
	const king = "the king walked to the city"
	site, _ := sidesSite(t)
	dir := t.TempDir()
	watch(t, dir, static.Page{Name: "Kings", Examples: []string{"a train"}})
	if err := os.Symlink(filepath.Join(site, "collection"), filepath.Join(dir, "collection")); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	server := serve(t, harness.WithPolicy(mux))
	collection := native(t, filepath.Join(dir, "collection"))
	best := indexes(t, collection, search.Query{Query: search.Text{Text: king}, K: 10})
	finds := func(list string, want []int, address string) {
		t.Helper()
		if len(want) == 0 {
			t.Fatal("there is nothing to find: this compares nothing")
		}
		o.wait(`document.querySelector('#summary').textContent.includes('by words') === false &&
			Array.from(document.querySelectorAll('#` + list + ` > .result'), (item) => item.dataset.index).join(' ') === '` + strings.Trim(fmt.Sprint(want), "[]") + `' &&
			document.getElementById('` + list + `').checkVisibility() && location.search === '` + address + `'`)
		t.Logf("search page, %s %s: %v", address, list, want)
	}
	const asked = "?q=the+king+walked+to+the+city"

	// No query at first. What is typed is in the address.
	o.open(server.URL("/"))
	o.wait(`document.activeElement.id === 'query' && document.title === 'Kings' && document.querySelector('.example') && !document.querySelector('.result')`)
	otherCall[any](o, typeQuery, king)
	finds("list", best, asked)

	// One side, and back; both sides, and back.
	o.wait(`document.getElementById('side-against').checkVisibility()`)
	otherCall[any](o, `() => document.getElementById('side-against').click()`)
	finds("list", opposed(t, collection, search.Text{Text: king}), asked+"&side=against")
	o.wait(`document.querySelector('#sides [aria-pressed=true]').textContent === 'Against'`)
	otherCall[any](o, `() => history.back()`)
	finds("list", best, asked)
	otherCall[any](o, typeQuery, "pros and cons of "+king)
	otherCall[any](o, `() => document.getElementById('form').requestSubmit()`)
	sides, err := collection.Sides(t.Context(), search.SidesQuery{Root: king})
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(hits []search.Hit) (out []int) {
		for _, h := range hits {
			out = append(out, h.Index)
		}
		return out
	}
	finds("for-list", numbers(sides.For.Hits), "?q=pros+and+cons+of+the+king+walked+to+the+city")
	otherCall[any](o, `() => history.back()`)
	finds("list", best, asked)

	// A fact about the visitor says why it put a result first. It stays in the browser.
	otherCall[any](o, `() => {
		document.querySelector('#about details').open = true;
		const fact = document.querySelector('#about input');
		fact.value = 'the man sleeps';
		fact.form.requestSubmit();
	}`)
	o.wait(`document.querySelector('.result > .because')?.textContent === 'because: the man sleeps' && document.querySelector('#about summary').textContent === 'About me (1)'`)
	if got := otherCall[string](o, `() => location.search + location.hash`); got != asked {
		t.Errorf("with a fact about the visitor, the address is %s", got)
	}
	otherCall[any](o, `() => document.querySelector('.about-all button:last-child').click()`)
	finds("list", best, asked)

	// An example. An emptied field leaves nothing.
	otherCall[any](o, `() => document.querySelector('.example').click()`)
	finds("list", indexes(t, collection, search.Query{Query: search.Text{Text: "a train"}, K: 10}), "?q=a+train")
	if marked := otherCall[string](o, `() => document.querySelector('mark').textContent`); marked != "train" && marked != "a" {
		t.Errorf("marked: %q", marked)
	}
	otherCall[any](o, `() => document.getElementById('empty').click()`)
	o.wait(`!Array.from(document.querySelectorAll('.result')).some((item) => item.checkVisibility()) && location.search === '' && !document.getElementById('examples').hidden`)

	// The page is kept in the browser, and an address with a query answers it.
	o.wait(`document.getElementById('offline').dataset.state === 'kept'`)
	o.clean()
	if err := errors.Join(server.Close(), o.browser.Navigate(server.URL("/"+asked))); err != nil {
		t.Fatal(err)
	}
	finds("list", best, asked)
}
