package browser

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

type dot struct {
	Index  int
	Class  string
	Title  string
	Left   float64
	Bottom float64
}

const dots = `() => Array.from(document.querySelectorAll('#map-dots .dot'), (d) => ({
	index: Number(d.dataset.index), class: d.className, title: d.title, left: parseFloat(d.style.left), bottom: parseFloat(d.style.bottom),
}))`

// The map has a dot for every passage of either list, positioned by perspective
// and relevance. The shape of the dot shows the list.
func TestDemoMap(t *testing.T) {
	dir := debates(t)
	page := demo(t, dir)
	collection := native(t, filepath.Join(dir, "collection"))
	query := call[string](t, page, `() => document.getElementById('query').value`)
	if axis := call[string](t, page, `() => document.getElementById('map-axis').textContent`); axis != "reasons against" {
		t.Fatalf("the axis is %q", axis)
	}

	// The native engine ranks by the perspective alone, so the score is cos(p,
	// c).
	along := map[int]float64{}
	result, err := collection.Search(context.Background(), search.Query{Query: search.Text{Text: "reasons against"}, Method: "none", K: debatesRows})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range result.Hits {
		along[h.Index] = float64(h.Score)
	}
	relevance := map[int]float64{}
	if result, err = collection.Search(context.Background(), search.Query{Query: search.Text{Text: query}, Method: "none", K: debatesRows}); err != nil {
		t.Fatal(err)
	}
	for _, h := range result.Hits {
		relevance[h.Index] = float64(h.Score)
	}

	lists := map[int]string{}
	for _, i := range shown(t, page, "plain") {
		lists[i] = "plain"
	}
	for _, i := range shown(t, page, "chosen") {
		if lists[i] == "plain" {
			lists[i] = "both"
		} else {
			lists[i] = "chosen"
		}
	}
	got := call[[]dot](t, page, dots)
	if len(got) != len(lists) || len(got) < 11 {
		t.Fatalf("%d dots for %d passages", len(got), len(lists))
	}
	low := [2]float64{math.Inf(1), math.Inf(1)}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range lists {
		for axis, v := range []float64{along[i], relevance[i]} {
			low[axis], high[axis] = min(low[axis], v), max(high[axis], v)
		}
	}
	for _, d := range got {
		if !strings.HasSuffix(d.Class, lists[d.Index]) {
			t.Errorf("passage %d is %q, not %q", d.Index, d.Class, lists[d.Index])
		}
		// For this axis the map encodes the texts as float32; the collection's vectors are int8.
		if x := 100 * (along[d.Index] - low[0]) / (high[0] - low[0]); approx.Apart(x, d.Left, 2) {
			t.Errorf("passage %d stands at %.2f along the perspective, want %.2f", d.Index, d.Left, x)
		}
		if y := 100 * (relevance[d.Index] - low[1]) / (high[1] - low[1]); approx.Apart(y, d.Bottom, 0.01) {
			t.Errorf("passage %d stands at %.2f of relevance, want %.2f", d.Index, d.Bottom, y)
		}
	}

	// A dot and its passage are highlighted together; the keyboard moves along
	// the axis and from a dot to its passage.
	linked := call[[]string](t, page, `async () => {
		const dots = Array.from(document.querySelectorAll('#map-dots .dot'));
		const stops = dots.filter((d) => d.tabIndex === 0);
		stops[0].focus();
		const at = () => document.activeElement.dataset.index;
		const lit = () => document.querySelectorAll('.hit.lit').length > 0 && Array.from(document.querySelectorAll('.hit.lit')).every((hit) => hit.dataset.index === at());
		const out = [String(stops.length), String(lit())];
		const sorted = dots.sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left));
		const from = sorted.indexOf(document.activeElement);
		document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
		out.push(String(document.activeElement === sorted[(from + 1) % sorted.length]), String(lit()));
		const index = at();
		document.activeElement.click();
		out.push(String(document.activeElement.matches('.hit[data-index="' + index + '"]')));
		const hit = document.querySelector('#plain .hit:last-child');
		hit.dispatchEvent(new MouseEvent('mouseenter'));
		out.push(String(document.querySelector('.dot[data-index="' + hit.dataset.index + '"]').matches('.lit')));
		hit.dispatchEvent(new MouseEvent('mouseleave'));
		return out;
	}`)
	if strings.Join(linked, " ") != "1 true true true true true" {
		t.Errorf("links between dots and passages: %v", linked)
	}

	// A table has the same data.
	rows := call[[][]string](t, page, `async () => {
		document.getElementById('map-table').open = true;
		await new Promise((resolve) => setTimeout(resolve, 50));
		return Array.from(document.querySelectorAll('#map-rows tr'), (row) => Array.from(row.cells, (cell) => cell.textContent));
	}`)
	if len(rows) != len(got) || rows[0][1] != "1" {
		t.Errorf("table of %d rows: %q", len(rows), rows[0])
	}

	// After another query it has that one's data, also when it is closed and opened again.
	reopened := call[[2][]string](t, page, `async () => {
		const titles = () => Array.from(document.querySelectorAll('#map-rows th'), (cell) => cell.textContent).sort();
		const toggled = (open) => new Promise((resolve) => {
			const fold = document.getElementById('map-table');
			fold.addEventListener('toggle', () => resolve(), { once: true });
			fold.open = open;
		});
		await toggled(false);
		await toggled(true); // as it was for the first query
		const asked = document.getElementById('query');
		const first = asked.value;
		const ask = async (text) => {
			asked.value = text;
			asked.dispatchEvent(new Event('input', { bubbles: true }));
			const before = titles().join();
			for (let i = 0; i < 500 && titles().join() === before; i++) await new Promise((resolve) => setTimeout(resolve, 20));
		};
		await ask('reasons against: Cities should allow rental e-scooters on their streets');
		const open = titles();
		await toggled(false);
		await toggled(true);
		const again = titles();
		await ask(first);
		return [open, again];
	}`)
	if len(reopened[0]) == 0 || !slices.Equal(reopened[0], reopened[1]) {
		t.Errorf("the table of the second query: %q, opened again: %q", reopened[0], reopened[1])
	}

	// Dots do not jump while λ changes, and disappear with the perspective.
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, set, "lambda", "0.9")
	waitFor(t, page, `document.getElementById('chosen-at').textContent === 'λ 0.9'`)
	after := map[int]dot{}
	for _, d := range call[[]dot](t, page, dots) {
		after[d.Index] = d
	}
	stayed := 0
	for _, d := range got {
		if a, ok := after[d.Index]; ok && lists[d.Index] != "chosen" {
			stayed++
			if approx.Apart(a.Left, d.Left, 25) {
				t.Errorf("passage %d jumps from %.1f to %.1f", d.Index, d.Left, a.Left)
			}
		}
	}
	if stayed < 10 {
		t.Errorf("%d dots of the plain side remain", stayed)
	}
	call[any](t, page, set, "query", "sleeping on rails")
	waitFor(t, page, `document.getElementById('map').hidden`)

	// If there are several perspectives, one is the axis.
	call[any](t, page, `() => {
		for (const text of ['a passenger', 'a taxpayer']) {
			document.getElementById('add').click();
			const chip = document.querySelector('#perspectives li:last-child input');
			chip.value = text;
			chip.dispatchEvent(new Event('input', { bubbles: true }));
		}
	}`)
	waitFor(t, page, `!document.getElementById('map').hidden && document.getElementById('map-axis').textContent === 'a passenger' && document.querySelectorAll('#map-which option').length === 2`)
	call[any](t, page, `() => {
		const which = document.getElementById('map-which');
		which.value = '1';
		which.dispatchEvent(new Event('change', { bubbles: true }));
	}`)
	waitFor(t, page, `document.getElementById('map-axis').textContent === 'a taxpayer'`)
}

// If perspectives are removed while the map shows the last of them, the axis is one that is left, or what the query adds
// to its root, as in a page that is opened with that query.
func TestDemoMapRemoved(t *testing.T) {
	t.Parallel()
	server := serve(t, folder(debates(t)))
	const texts = `() => {
		document.getElementById('map-table').open = true;
		return [document.getElementById('map-axis').textContent, ...Array.from(document.querySelectorAll('#map-rows tr'), (row) => row.cells[0].textContent + row.cells[3].textContent).sort()];
	}`
	fragment := "#q=cheap+night+trains&root=night+trains&p=a+claim+that+opposes&p=what+it+costs"
	page := openUnkept(t, server.Lab()+fragment)
	waitFor(t, page, `document.getElementById('loading').hidden && document.querySelectorAll('#map-which option').length === 2`)
	call[any](t, page, `() => {
		const which = document.getElementById('map-which');
		which.value = '1';
		which.dispatchEvent(new Event('change', { bubbles: true }));
	}`)
	waitFor(t, page, `document.getElementById('map-axis').textContent === 'what it costs'`)
	for _, axis := range []string{"a claim that opposes", "what the query adds to its subject"} {
		call[any](t, page, `() => document.querySelector('#perspectives li:last-child .remove').click()`)
		waitFor(t, page, `document.getElementById('map-axis').textContent === '`+axis+`'`)
		other := openUnkept(t, call[string](t, page, `() => location.href`))
		waitFor(t, other, `document.getElementById('loading').hidden && !document.getElementById('map').hidden`)
		for _, shown := range []*harness.Page{page, other} {
			call[any](t, shown, texts) // opens the table
			waitFor(t, shown, `document.querySelector('#map-rows tr')`)
		}
		want := call[[]string](t, other, texts)
		if got := call[[]string](t, page, texts); len(got) < 11 || !slices.Equal(got, want) {
			t.Errorf("after a perspective was removed the map shows\n%q, in a new page\n%q", got, want)
		}
	}
}
