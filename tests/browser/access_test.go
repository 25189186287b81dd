package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// With reduced motion nothing moves: no animation or transition runs, not even
// for a frame. The test's own animation shows that the test would notice one.
func TestReducedMotion(t *testing.T) {
	page := demo(t, debates(t))
	if err := page.Prefer("prefers-reduced-motion", "reduce"); err != nil {
		t.Fatal(err)
	}
	moving := call[[]string](t, page, `async (queries) => {
		const seen = new Set();
		const query = document.getElementById('query');
		document.querySelector('h1').animate({ opacity: [1, 0.9] }, 200);
		for (const text of queries) {
			query.value = text;
			query.dispatchEvent(new Event('input', { bubbles: true }));
			const end = performance.now() + 1000;
			while (performance.now() < end) {
				await new Promise(requestAnimationFrame);
				for (const { transitionProperty, animationName, effect } of document.getAnimations()) seen.add((transitionProperty ?? animationName ?? 'animate') + ' ' + effect.target.tagName);
			}
		}
		return [...seen];
	}`, []string{oppose, "reasons against: Cities should allow rental e-scooters on their streets", "sleeping"})
	if strings.Join(moving, ", ") != "animate H1" {
		t.Errorf("in motion: %q, want the test's own animation alone", moving)
	}
}

// press sends keys to the focused element.
func press(t *testing.T, page *harness.Page, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if err := page.Do(chromedp.KeyEvent(key)); err != nil {
			t.Fatal(err)
		}
	}
}

// tabTo presses Tab until an element that a selector matches has the focus.
func tabTo(t *testing.T, page *harness.Page, selector string) {
	t.Helper()
	for range 200 {
		press(t, page, kb.Tab)
		if call[bool](t, page, `(selector) => document.activeElement.matches(selector)`, selector) {
			return
		}
	}
	t.Fatalf("Tab does not lead to %s", selector)
}

// The link that skips to the results, the query, its settings and an explanation can be used without a mouse.
func TestKeyboardAlone(t *testing.T) {
	page := demo(t, debates(t))
	value := func(expression, want string) {
		t.Helper()
		waitFor(t, page, `String(`+expression+`) === `+want)
	}
	press(t, page, kb.Tab, kb.Enter)
	value(`document.activeElement.id`, `'results'`) // by the link that skips to them
	call[any](t, page, `() => { document.activeElement.blur(); scrollTo(0, 0); }`)

	tabTo(t, page, "#query")
	if err := page.Do(chromedp.KeyEvent("a", chromedp.KeyModifiers(2))); err != nil { // Ctrl: select all
		t.Fatal(err)
	}
	press(t, page, strings.Split("reasons against: bicycle helmets", "")...)
	press(t, page, kb.Enter)
	value(`document.getElementById('root').value`, `'bicycle helmets'`)

	tabTo(t, page, "#settings > summary")
	press(t, page, kb.Enter)
	value(`document.getElementById('settings').open`, `'true'`)
	tabTo(t, page, "#root")
	press(t, page, kb.End, " ", "l", "a", "w")
	tabTo(t, page, "#add")
	press(t, page, kb.Enter)
	press(t, page, strings.Split("a doctor", "")...)
	value(`Array.from(document.querySelectorAll('#perspectives input'), (input) => input.value).join()`, `'reasons against,a doctor'`)
	press(t, page, kb.Tab, kb.Enter) // removes it again
	value(`document.querySelectorAll('#perspectives input').length + document.activeElement.id`, `'1add'`)

	tabTo(t, page, "#method")
	press(t, page, kb.ArrowDown)
	value(`document.getElementById('chosen-title').textContent`, `'pap+'`)
	tabTo(t, page, "#lambda")
	press(t, page, kb.ArrowLeft, kb.ArrowLeft)
	value(`document.getElementById('lambda').value`, `'0.9'`)
	tabTo(t, page, "#diversify")
	press(t, page, " ")
	tabTo(t, page, "#mmr")
	press(t, page, kb.Home)
	value(`document.getElementById('mmr').value`, `'0'`)
	tabTo(t, page, "#k")
	press(t, page, kb.ArrowUp)
	value(`document.querySelectorAll('#chosen .hit').length`, `'5'`)
	tabTo(t, page, "#chosen summary")
	press(t, page, kb.Enter)
	value(`document.activeElement.closest('details').open`, `'true'`)

	// The link that skips to the results leaves the query, its settings and the address as they are.
	before := call[string](t, page, `() => { document.querySelector('.skip').focus(); return location.href; }`)
	press(t, page, kb.Enter)
	value(`document.activeElement.id`, `'results'`)
	value(`document.getElementById('query').value.trim() + document.getElementById('k').value`, `'reasons against: bicycle helmets5'`)
	if got := call[string](t, page, `() => location.href`); got != before || !strings.Contains(got, "bicycle") {
		t.Errorf("the link that skips to the results leads from %s to %s", before, got)
	}
}
