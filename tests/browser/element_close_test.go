package browser

import (
	"strconv"
	"testing"
)

// If nothing in the collection is close to the query, <vantage-search> says so above what is nearest.
func TestElementSaysThatNothingIsClose(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="3"></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, `document.querySelector('vantage-search').shadowRoot?.querySelector('input')`)
	for query, want := range map[string]string{
		"night trains":                    "3 results for “night trains”",
		"quantum chromodynamics lectures": "Nothing is close to “quantum chromodynamics lectures”. The nearest are:",
	} {
		call[any](t, page, `(query) => {
			const input = document.querySelector('vantage-search').shadowRoot.querySelector('input');
			input.value = query;
			input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
		}`, query)
		waitFor(t, page, elementStatus+` === `+strconv.Quote(want))
		if n := call[int](t, page, `() => document.querySelector('vantage-search').shadowRoot.querySelectorAll('[part=result]').length`); n != 3 {
			t.Errorf("%s: %d results", query, n)
		}
	}
}
