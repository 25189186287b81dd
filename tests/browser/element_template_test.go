package browser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A page's own template is copied for each result, and filled with texts: whatever a document says, it adds no element
// and no script, and links lead to the web only.
func TestElementTemplate(t *testing.T) {
	t.Parallel()
	site := serveElement(t, worded(t), elementScript+`<vantage-search collection="/collection/" k="3" highlight>
		<template slot="result"><article class="themed"><a data-field="url"><b data-field="title"></b></a>
			<p data-field="text"></p><i data-field="score"></i><u data-field="stance">?</u><s data-field="metadata.author"></s>
			<a class="bare" data-field="url"></a><em data-field="metadata.__proto__">x</em><small data-field="metadata.html"></small>
			<script data-field="text"></script></article></template>
	</vantage-search>`, nil)
	page := open(t, site.address)
	waitFor(t, page, ready)
	hurt := `<img src=x onerror="window.hurt = true"><script>window.hurt = true</script>`
	call[any](t, page, elementAdd, []map[string]any{
		{"id": "1", "title": "Zyzzyva " + hurt, "text": "window.hurt = true; // zyzzyva zyzzyva zyzzyva", "metadata": map[string]any{"url": "/there?a=1&b=2", "author": "Ann", "html": hurt}},
		{"id": "2", "title": "Zyzzyva", "text": "A zyzzyva is a beetle.", "metadata": map[string]any{"url": "javascript:window.hurt=true"}},
		{"id": "3", "title": "Zyzzyva", "text": "Zyzzyva and many more words that are about something else.", "metadata": map[string]any{"url": "data:text/html,<script>1</script>", "author": 7}},
	}, "zyzzyva")
	type result struct {
		Title, Text, HTML, Author, Link, Bare string
		Hidden                                []string
		Elements, Marks                       int
		Script                                string
	}
	got := call[[]result](t, page, `() => [...document.querySelectorAll('vantage-search article')].map((item) => {
		const text = (selector) => item.querySelector(selector).textContent;
		const [link, bare] = item.querySelectorAll('a');
		return {
			title: text('b'), text: text('p'), html: text('small'), author: text('s'), link: link.getAttribute('href') ?? '', bare: bare.textContent,
			hidden: [...item.querySelectorAll('[hidden]')].map(({ localName }) => localName),
			elements: item.querySelectorAll(':not(mark)').length, marks: item.querySelectorAll('mark').length, script: text('script'),
		};
	})`)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	byText := map[string]result{}
	for _, r := range got {
		byText[r.Text] = r
	}
	origin, _, _ := strings.Cut(site.address, "/page.html")
	want := map[string]result{
		"window.hurt = true; // zyzzyva zyzzyva zyzzyva":             {"Zyzzyva " + hurt, "window.hurt = true; // zyzzyva zyzzyva zyzzyva", hurt, "Ann", origin + "/there?a=1&b=2", origin + "/there?a=1&b=2", []string{"u", "em"}, 10, 4, ""},
		"A zyzzyva is a beetle.":                                     {"Zyzzyva", "A zyzzyva is a beetle.", "", "", "", "", []string{"u", "s", "em", "small"}, 10, 2, ""},
		"Zyzzyva and many more words that are about something else.": {"Zyzzyva", "Zyzzyva and many more words that are about something else.", "", "7", "", "", []string{"u", "em", "small"}, 10, 2, ""},
	}
	if !reflect.DeepEqual(byText, want) {
		t.Errorf("%+v,\nwant %+v", byText, want)
	}
	if call[bool](t, page, `() => 'hurt' in window`) {
		t.Error("a document ran a script")
	}
	// The copies are in the page: its styles apply, the arrow keys stop at them, and a click tells which one it was.
	type look struct {
		Visible  bool
		Theme    string
		Selected string
		Focus    []int
	}
	call[any](t, page, `() => {
		window.at = () => [...document.querySelectorAll('vantage-search article')].findIndex((item) => item.contains(document.activeElement));
		window.stops = [];
		document.querySelector('vantage-search').focus();
	}`)
	for _, key := range []string{kb.ArrowDown, kb.ArrowDown, kb.ArrowUp, kb.Escape} {
		strike(t, page, key)
		call[any](t, page, `() => { window.stops.push(window.at()); }`)
	}
	if got, want := call[look](t, page, `() => {
		const element = document.querySelector('vantage-search');
		const item = element.querySelector('article');
		let selected = '';
		element.addEventListener('vantage-select', (event) => { event.preventDefault(); selected = event.detail.title; }, { once: true });
		item.querySelector('b').click();
		const visible = item.checkVisibility() && item.getBoundingClientRect().height > 20;
		return { visible, theme: getComputedStyle(item).getPropertyValue('--vantage-accent').trim(), selected, focus: window.stops };
	}`), (look{true, "rgb(120, 20, 90)", got[0].Title, []int{0, 1, 0, -1}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if left := call[int](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		element.value = '';
		await element.search();
		return element.querySelectorAll('article').length;
	}`); left != 0 {
		t.Errorf("%d copies are left of an emptied query", left)
	}
}
