package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// focusIs waits until the element with this id has the focus.
func focusIs(t *testing.T, page *harness.Page, id, when string) {
	t.Helper()
	got := call[string](t, page, `async (id) => {
		for (let i = 0; i < 200 && document.activeElement.id !== id; i++) await new Promise((resolve) => setTimeout(resolve, 20));
		return document.activeElement.id || document.activeElement.tagName;
	}`, id)
	if got != id {
		t.Errorf("%s, the focus is on %s, want %s", when, got, id)
	}
}

// If what has the focus disappears from the search page, the focus goes to the results, not to the top of the page.
func TestSearchPageKeepsFocus(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(kingsSite(t))).URL("/?q=the+king"))
	waitFor(t, page, `globalThis.vantage && document.getElementById('summary').textContent.includes('by meaning')`)
	call[any](t, page, `() => document.querySelector('#query').focus()`)
	call[any](t, page, typeQuery, "pros and cons of the king walked to the city")
	waitFor(t, page, `!document.getElementById('both').hidden && location.search.includes('pros')`)
	press(t, page, kb.ArrowDown)
	if !call[bool](t, page, `() => document.activeElement.matches('.column .stop')`) {
		t.Fatal("the arrow key does not lead to a result")
	}
	call[any](t, page, `() => history.back()`)
	waitFor(t, page, `document.getElementById('both').hidden && document.querySelector('#list .stop')`)
	focusIs(t, page, "results", "after a step back")

	// A click beside everything takes the focus away. It stays away.
	call[any](t, page, `() => document.querySelector('.stop').focus()`)
	if err := page.Click(5, 300); err != nil {
		t.Fatal(err)
	}
	call[any](t, page, `() => history.forward()`)
	waitFor(t, page, `!document.getElementById('both').hidden && document.querySelector('.column .stop')`)
	if got := call[string](t, page, `() => document.activeElement.tagName`); got != "BODY" {
		t.Errorf("after a click beside everything, the focus goes to %s", got)
	}

	// The tabs are there on a narrow screen only.
	for i, width := range []int64{390, 1280} {
		if err := page.Resize(width, 800); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, fmt.Sprintf(`innerWidth === %d && document.getElementById('tabs').hidden === %t`, width, i == 1))
		if i == 0 {
			call[any](t, page, `() => document.getElementById('for-tab').focus()`)
		}
	}
	focusIs(t, page, "results", "after the tabs")
}

// In the lab, a step back from the other side of a passage leaves the focus in the results. Only the other side is
// announced, not the results that it replaces.
func TestDemoKeepsFocus(t *testing.T) {
	t.Parallel()
	page, _, _ := sidesDemo(t)
	call[any](t, page, set, "query", "reasons against: the king walked to the city")
	waitFor(t, page, `document.querySelector('#chosen .hit') && !document.getElementById('sides').hidden`)
	call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	call[any](t, page, set, "method", "contrast")
	waitFor(t, page, `document.getElementById('chosen-title').textContent === 'contrast' && document.getElementById('announcement').textContent.includes('passages are the same')`)
	call[any](t, page, `() => {
		globalThis.heard = [];
		const place = document.getElementById('announcement');
		new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true });
		document.querySelector('#chosen .other-side').focus();
	}`)
	// The lists are new to the page, so that their announcement is not that of the last answer.
	call[any](t, page, `() => { document.getElementById('k').value = '5'; }`)
	press(t, page, kb.Enter)
	focusIs(t, page, "other-title", "after the button of the other side")
	waitFor(t, page, `heard.length > 0`)
	call[any](t, page, `() => new Promise((resolve) => setTimeout(resolve, 1000))`) // something else might follow
	if got := call[[]string](t, page, `() => heard.map((text) => text.slice(0, 14))`); len(got) != 1 || got[0] != "The other side" {
		t.Errorf("announced: %q", got)
	}
	call[any](t, page, `() => history.back()`)
	waitFor(t, page, `document.getElementById('other').hidden`)
	focusIs(t, page, "results", "after a step back")
	if got := call[string](t, page, `() => getComputedStyle(document.activeElement).outlineStyle`); got != "solid" {
		t.Errorf("the results that have the focus do not show it: %s", got)
	}
}

// The buttons that begin and stop the measurement take each other's place, and the focus over.
func TestDemoGoldKeepsFocus(t *testing.T) {
	t.Parallel()
	page := demo(t, judgedSite(t))
	waitFor(t, page, `!document.getElementById('gold').hidden`)
	call[any](t, page, `() => document.getElementById('gold-run').focus()`)
	press(t, page, kb.Enter)
	// Which of them depends on how fast the measurement is.
	if got := call[string](t, page, `() => document.activeElement.id`); got != "gold-stop" && got != "gold-run" {
		t.Errorf("while it is measured, the focus is on %q", got)
	}
	waitFor(t, page, `document.getElementById('gold-busy').hidden`)
	focusIs(t, page, "gold-run", "after the measurement")
}

// On the page that evaluates, buttons keep the focus while they work, and what works is announced in few words.
func TestEvalPageKeepsFocus(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(judgedSite(t))).URL("/eval.html"))
	waitFor(t, page, `!document.getElementById('example-offer').hidden`)
	call[any](t, page, `() => {
		globalThis.heard = [];
		const place = document.getElementById('example-state');
		new MutationObserver(() => place.textContent && heard.push(place.textContent)).observe(place, { childList: true });
		document.getElementById('example').focus();
	}`)
	press(t, page, kb.Enter, kb.Enter) // the second key does nothing
	waitEvaluated(t, page)
	focusIs(t, page, "example", "after the example")
	if got := call[[]string](t, page, `() => heard`); len(got) != 2 {
		t.Errorf("announced: %q", got)
	}
	lost := call[string](t, page, `async () => {
		const lost = [];
		const look = (when) => document.activeElement === document.body && lost.push(when);
		const next = document.querySelector('#means [aria-pressed=false]');
		const name = next.textContent;
		next.focus();
		next.click();
		const table = document.getElementById('means');
		while (table.querySelector('[aria-pressed=true]').textContent !== name || !document.getElementById('working').hidden) {
			await new Promise((resolve) => setTimeout(resolve));
			look('while a measure is computed');
		}
		if (document.activeElement.textContent !== name) lost.push('after it: ' + document.activeElement.textContent);
		document.getElementById('per-query').open = true;
		document.getElementById('all-rows').focus();
		document.getElementById('all-rows').click();
		await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		look('after all queries are shown');
		return [...new Set(lost)].join();
	}`)
	if lost != "" {
		t.Errorf("the focus is lost: %s", lost)
	}
}
