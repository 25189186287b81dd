package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// shows waits until a list has these passages.
func shows(t *testing.T, page *harness.Page, list string, want []int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !slices.Equal(shown(t, page, list), want); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: %v, want %v", list, shown(t, page, list), want)
		}
	}
}

// For a query that asks for a side, the page says how many passages are on each side, and
// which side each passage is on; it shows those of one side, and the other side of a
// passage, all as Go tells them. The address says what is shown, and axe finds no barrier.
func TestDemoSides(t *testing.T) {
	t.Parallel()
	page, collection, texts := sidesDemo(t)
	const king = "the king walked to the city"
	against := "reasons against: " + king
	call[any](t, page, set, "query", against)
	call[any](t, page, set, "method", "contrast")
	counts, err := collection.Sides(t.Context(), search.SidesQuery{Root: king})
	if err != nil {
		t.Fatal(err)
	}
	// All passages, and those on one side.
	result, err := collection.Search(t.Context(), search.Query{Query: search.Text{Text: against}, Method: "contrast", K: 70})
	if err != nil {
		t.Fatal(err)
	}
	var all, pro []int
	said := map[int]string{}
	for _, h := range result.Hits {
		if len(all) < 10 {
			all = append(all, h.Index)
			said[h.Index] = ""
			if h.Stance != nil {
				said[h.Index] = fmt.Sprintf("%s %.0f %%", h.Stance.Side, 100*h.Stance.Probability)
			}
		}
		if h.Stance != nil && h.Stance.Side == search.For && len(pro) < 10 {
			pro = append(pro, h.Index)
		}
	}
	if len(pro) < 3 {
		t.Fatalf("only %d passages are for it: the test compares too little", len(pro))
	}
	shows(t, page, "chosen", all)
	// Sides are told after the results; until then, those of the query before are there.
	waitFor(t, page, fmt.Sprintf(`!document.getElementById('sides-buttons').hidden && document.getElementById('sides-for').textContent + ' · ' + document.getElementById('sides-against').textContent === %q`,
		fmt.Sprintf("%d for · %d against", counts.For.Count, counts.Against.Count)))
	labels := call[map[int]string](t, page, `() => Object.fromEntries(Array.from(document.querySelectorAll('#chosen .hit'), (hit) => [hit.dataset.index, hit.querySelector('.stance').textContent.replace(/^(clearly|probably|perhaps) /, '')]))`)
	for index, want := range said {
		if labels[index] != want {
			t.Errorf("passage %d is labelled %q, want %q", index, labels[index], want)
		}
	}
	source := axe(t)
	violations(t, page, source, "sides", contrast)

	call[any](t, page, `() => document.getElementById('sides-for').click()`)
	shows(t, page, "chosen", pro)
	if hash := call[string](t, page, `() => location.hash`); !strings.Contains(hash, "&side=for") {
		t.Errorf("one side: the address is %s", hash)
	}
	if pressed := call[string](t, page, `() => Array.from(document.querySelectorAll('#sides [aria-pressed=true]'), (button) => button.id).join()`); pressed != "sides-for" {
		t.Errorf("pressed: %s", pressed)
	}

	// The other side of a passage, by the keyboard, and back.
	document := pro[1]
	other, err := collection.OtherSide(t.Context(), search.OtherSideQuery{Document: document, Root: king})
	if err != nil {
		t.Fatal(err)
	}
	var there []int
	for _, h := range other.Hits {
		there = append(there, h.Index)
	}
	call[any](t, page, `(index) => {
		const button = document.querySelector('#chosen .hit[data-index="' + index + '"] .other-side');
		button.focus();
		button.click();
	}`, document)
	shows(t, page, "other-list", there)
	if got := call[string](t, page, `() => document.activeElement.id + ' ' + document.getElementById('other-title').textContent + document.getElementById('columns').hidden`); got != "other-title The other side of “"+texts[document]+"”true" {
		t.Errorf("the other side: %s", got)
	}
	violations(t, page, source, "other side", contrast)
	link := call[string](t, page, `() => location.hash`)
	if !strings.Contains(link, fmt.Sprintf("&other=%d", document)) {
		t.Errorf("the other side: the address is %s", link)
	}
	call[any](t, page, `() => document.getElementById('other-back').click()`)
	waitFor(t, page, `document.getElementById('other').hidden && !document.getElementById('columns').hidden`)
	if got := call[int](t, page, `() => Number(document.activeElement.dataset.index)`); got != document {
		t.Errorf("the focus is on passage %d after the way back, not on %d", got, document)
	}
	// The browser's way back leads there again, and a new query away.
	call[any](t, page, `() => history.back()`)
	shows(t, page, "other-list", there)
	call[any](t, page, set, "query", "Find a claim that supports the argument: "+king)
	waitFor(t, page, `document.getElementById('other').hidden && document.querySelector('#sides-both[aria-pressed=true]')`)

	// Without a side in the query there is no line, and no passage has a label.
	call[any](t, page, set, "query", "a king's view of: "+king)
	call[any](t, page, set, "method", "pap+")
	waitFor(t, page, `document.getElementById('sides').hidden && !document.querySelector('#plain .stance:not(:empty)')`)

	// A link to an other side that does not exist is said to lead nowhere.
	call[any](t, page, `(hash) => { location.hash = hash; }`, strings.NewReplacer(fmt.Sprint("&other=", document), "&other=5000", "&side=for", "&side=up").Replace(link))
	waitFor(t, page, `document.querySelector('#other-list .lack')?.textContent.includes('document 5000') && !document.getElementById('link-note').hidden`)
}
