package browser

import (
	"testing"
)

// Parts of the page that visitors open are accessible too: measured figures, a
// file of their own with its faults, several perspectives, a link to copy by
// hand.
func TestAxeDemoOpened(t *testing.T) {
	t.Parallel()
	source := axe(t)
	dir := judgedSite(t)
	page := blankPage(t, looks[0].scheme, looks[0].width)
	check := func(state string) {
		t.Helper()
		violations(t, page, source, state, contrast)
	}
	if err := page.Navigate(serve(t, folder(dir)).URL("/")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `!document.getElementById('gold').hidden`)
	call[any](t, page, `() => document.getElementById('gold-run').click()`)
	waitFor(t, page, `!document.getElementById('gold-busy').hidden`)
	waitFor(t, page, `!document.getElementById('gold-table').hidden && document.getElementById('gold-busy').hidden`)
	check("measured")
	call[any](t, page, `() => {
		document.querySelectorAll('details').forEach((details) => { details.open = true; });
		document.getElementById('add').click();
		const chip = document.querySelector('#perspectives li:last-child input');
		chip.value = 'a passenger';
		chip.dispatchEvent(new Event('input', { bubbles: true }));
		Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
		document.getElementById('copy').click();
	}`)
	waitFor(t, page, `!document.getElementById('map-which').hidden && !document.getElementById('link').hidden`)
	check("two perspectives and a link")
	call[any](t, page, drop, "a.csv", []byte("id,text\n1,\"x"))
	waitFor(t, page, `!document.getElementById('file-fault').hidden`)
	check("a faulty file")
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `!document.getElementById('file-now').hidden`)
	call[any](t, page, `() => document.getElementById('file-keep').click()`)
	waitFor(t, page, `!document.getElementById('kept').hidden`)
	check("a file of one's own")
	call[any](t, page, `async () => (await import('/lib/index.js')).Vantage.forget('page: garden.csv')`)
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}
