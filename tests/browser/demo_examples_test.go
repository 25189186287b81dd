package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/static"
)

// The lab begins with the owner's first example, or else with a judged query, or else empty.
// Examples are for the site's own collection.
func TestDemoExamples(t *testing.T) {
	t.Parallel()
	const cut = "what a teacher would say about <b>uniforms</b> & other rules on what to wear at school, in a long sentence that does not fit"
	collection := filepath.Join(debates(t), "collection")
	for name, c := range map[string]struct {
		page   static.Page
		offers []string
	}{
		"the owner's": {static.Page{Examples: []string{"bicycle helmets", cut}, Judged: []string{"zoos"}}, []string{"bicycle helmets", cut}},
		"judged":      {static.Page{Judged: []string{"zoos"}}, []string{"zoos"}},
		"none":        {static.Page{}, nil},
	} {
		dir := t.TempDir()
		if err := c.page.Write(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(collection, filepath.Join(dir, "collection")); err != nil {
			t.Fatal(err)
		}
		mux := http.NewServeMux()
		mux.Handle("/", folder(dir))
		mux.Handle("/other/", http.StripPrefix("/other", folder(collection)))
		server := serve(t, mux)
		page := openUnkept(t, server.Lab())
		first := ""
		if len(c.offers) > 0 {
			first = c.offers[0]
			waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`)
		} else {
			waitFor(t, page, `document.getElementById('loading').hidden && window.vantage?.coverage.rows > 0`)
		}
		type looks struct {
			Query, Offers     string
			Examples, Results bool // whether they are shown
			Fault, Width      string
		}
		const look = `() => ({
			query: document.getElementById('query').value,
			offers: Array.from(document.querySelectorAll('.example'), (button) => button.textContent).join('|'),
			examples: !document.getElementById('examples').hidden,
			results: document.getElementById('results').checkVisibility(),
			fault: document.getElementById('fault').textContent,
			width: document.documentElement.scrollWidth > innerWidth ? 'scrolls sideways' : '',
		})`
		if got, want := call[looks](t, page, look), (looks{Query: first, Offers: strings.Join(c.offers, "|"), Examples: first != "", Results: first != ""}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		call[any](t, page, set, "query", "homework")
		waitFor(t, page, `document.getElementById('results').checkVisibility() && document.querySelector('#plain h3')?.textContent.match(/homework/i)`)
		if first == "" {
			continue
		}
		call[any](t, page, `() => Array.from(document.querySelectorAll('.example')).at(-1).click()`)
		waitFor(t, page, `document.getElementById('query').value === `+"`"+c.offers[len(c.offers)-1]+"`"+` && location.hash.startsWith('#q=')`)
		if err := page.Navigate(server.Lab() + "?collection=other/"); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, `document.getElementById('loading').hidden && window.vantage?.coverage.rows > 0`)
		if got := call[looks](t, page, look); got != (looks{}) {
			t.Errorf("%s, another collection: %+v", name, got)
		}
	}
}
