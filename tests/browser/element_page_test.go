package browser

import (
	"reflect"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What a page has set before the element's script runs takes effect when it does.
func TestElementPropertiesSetEarly(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), `<vantage-search collection="/collection/" k="4"></vantage-search>`, nil)
	page := open(t, site.address)
	call[any](t, page, `async () => {
		const early = { messages: { label: 'Suche' }, value: 'night trains', hybrid: 'rrf 0.3', highlight: true };
		Object.assign(document.querySelector('vantage-search'), early);
		await import('/lib/vantage-search.js');
	}`)
	waitFor(t, page, elementStatus+`.startsWith('4 results')`)
	type state struct {
		Label, Close, Value, Hybrid, Shown string
		Highlight                          bool
	}
	got := call[state](t, page, `() => {
		const element = document.querySelector('vantage-search');
		element.highlight = false;
		const { messages: { label, close }, value } = element;
		return {
			label, close, value, hybrid: element.getAttribute('hybrid'), highlight: element.hasAttribute('highlight'),
			shown: element.shadowRoot.querySelector('[part=label]').textContent,
		};
	}`)
	if want := (state{"Suche", "Close", "night trains", "rrf 0.3", "Suche", false}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A clone of an element that shows results, as frameworks make to remember a page, shows its own results alone.
func TestElementClone(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="3">
		<template slot="result"><article data-field="title"></article></template></vantage-search>`, nil)
	page := open(t, site.address)
	got := call[[]int](t, page, `async () => {
		const shown = [];
		for (const query of ['night trains', 'zoos']) {
			const element = document.querySelector('vantage-search');
			element.replaceWith(element.cloneNode(true));
			const clone = document.querySelector('vantage-search');
			await (await clone.vantage).ready;
			clone.value = query;
			await clone.search();
			shown.push([...clone.querySelectorAll('article')].filter((item) => item.checkVisibility()).length);
		}
		return shown;
	}`)
	if want := []int{3, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("results shown: %v, want %v", got, want)
	}
}

// In another component's shadow, too, the box takes over what is typed into the element's children, and the focus.
func TestElementInShadow(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), `<div id="outer"></div>`, nil)
	page := open(t, site.address)
	call[any](t, page, `() => {
		const root = document.getElementById('outer').attachShadow({ mode: 'open' });
		root.innerHTML = '<vantage-search collection="/collection/" k="4"><input></vantage-search>';
		root.querySelector('input').focus();
	}`)
	strike(t, page, "night")
	call[any](t, page, `async () => { await import('/lib/vantage-search.js'); }`)
	strike(t, page, " trains")
	const status = `document.getElementById('outer').shadowRoot.querySelector('vantage-search').shadowRoot.querySelector('[part=status]').textContent`
	waitFor(t, page, status+` === '4 results for “night trains”'`)
}

// Of two dialogs, as for wide and narrow screens, the key opens the one that the page displays. It opens one whose
// button is merely invisible, and none blocks the page unseen.
func TestElementDialogNotDisplayed(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<div id="narrow" hidden><vantage-search collection="/collection/" dialog loading="lazy"></vantage-search></div>
		<div id="wide"><vantage-search collection="/collection/" dialog loading="lazy"></vantage-search></div>`, nil)
	page := open(t, site.address)
	waitFor(t, page, `document.querySelectorAll('vantage-search[state=idle]').length === 2`)
	for _, c := range []struct{ change, open string }{
		{`wide.style.display = 'block'`, "wide"},
		{`wide.style.display = 'contents'`, "wide"},
		{`wide.style.visibility = 'hidden'`, "wide"},
		{`wide.hidden = true; wide.style.display = ''`, ""},
		{`narrow.hidden = false`, "narrow"},
	} {
		call[any](t, page, `(change) => { `+c.change+`; }`)
		strike(t, page, "k", chromedp.KeyModifiers(2))
		got := call[string](t, page, `() => {
			const open = [...document.querySelectorAll('vantage-search')].filter((element) => element.shadowRoot.querySelector(':modal'));
			if (open.some((element) => !element.shadowRoot.querySelector('input').checkVisibility({ visibilityProperty: true }))) return 'unseen';
			return open.map((element) => element.parentNode.id).join(' ');
		}`)
		if got != c.open {
			t.Errorf("%s: the key opens %q, want %q", c.change, got, c.open)
		}
		strike(t, page, kb.Escape)
	}
}

// Visitors can select what a result says: a click on it moves neither the page nor the focus to the field. The page's
// focus() does.
func TestElementTextCanBeSelected(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="20"></vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	type point struct{ X, Y float64 }
	at := call[point](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		await (await element.vantage).ready;
		element.value = 'night trains';
		await element.search();
		const text = [...element.shadowRoot.querySelectorAll('[part=text]')].at(-1);
		text.scrollIntoView({ block: 'center' });
		document.activeElement.blur();
		window.top0 = scrollY;
		const { left, top } = text.getBoundingClientRect();
		return { x: left + 40, y: top + 10 };
	}`)
	if err := page.Do(chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(2))); err != nil {
		t.Fatal(err)
	}
	type state struct {
		Scrolled, Field, Selected, Focused bool
	}
	got := call[state](t, page, `() => {
		const element = document.querySelector('vantage-search');
		const field = element.shadowRoot.activeElement?.localName === 'input';
		const scrolled = scrollY !== window.top0 || window.top0 === 0;
		const selected = String(getSelection()).trim() !== '';
		element.focus();
		return { scrolled, field, selected, focused: element.shadowRoot.activeElement?.localName === 'input' };
	}`)
	if want := (state{Selected: true, Focused: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
