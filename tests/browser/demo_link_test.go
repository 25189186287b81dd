package browser

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// controls reads the state of the controls, which a link must restore.
const controls = `() => {
	const e = document.getElementById('form').elements;
	return [e.query.value, e.root.value, ...Array.from(document.querySelectorAll('#perspectives input'), (i) => i.value), e.method.value, e.lambda.value, String(e.diversify.checked), e.mmr.value, e.k.value];
}`

// A link restores the whole state in another tab, and the browser's history
// leads back through earlier states.
func TestDemoLink(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	server := serve(t, folder(dir))
	page := openUnkept(t, server.Lab())
	ready := `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`
	waitFor(t, page, ready)
	if method := call[string](t, page, `() => document.getElementById('form').elements.method.value`); method != "auto" {
		t.Errorf("the page begins with the method %q", method)
	}
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, `() => document.getElementById('form').requestSubmit()`)
	first := call[[]string](t, page, controls)
	// A change event follows when a control is released: input events alone add
	// no state to the history.
	commit := `(name, value) => {
		(` + set + `)(name, value);
		document.getElementById('form').elements[name].dispatchEvent(new Event('change', { bubbles: true }));
	}`
	length := call[int](t, page, `() => history.length`)
	call[any](t, page, set, "lambda", "0.2")
	call[any](t, page, commit, "lambda", "0.5")
	waitFor(t, page, `document.getElementById('chosen-at').textContent === 'λ 0.5'`)
	second := call[[]string](t, page, controls)
	call[any](t, page, `async () => {
		const chip = document.querySelector('#perspectives input');
		chip.value = 'a passenger & a taxpayer, 100 % #1';
		chip.dispatchEvent(new Event('input', { bubbles: true }));
		chip.dispatchEvent(new Event('change', { bubbles: true }));
		document.getElementById('add').click();
		const other = document.querySelectorAll('#perspectives input')[1];
		other.value = 'größer +1';
		other.dispatchEvent(new Event('input', { bubbles: true }));
		other.dispatchEvent(new Event('change', { bubbles: true }));
	}`)
	call[any](t, page, commit, "diversify", true)
	call[any](t, page, commit, "mmr", "0.3")
	call[any](t, page, commit, "k", "20")
	call[any](t, page, commit, "method", "add")
	waitFor(t, page, `document.getElementById('chosen-at').textContent === 'MMR 0.3' && document.querySelectorAll('#chosen .hit').length === 20`)
	last := call[[]string](t, page, controls)
	if n := call[int](t, page, `() => history.length`) - length; n != 7 {
		t.Errorf("%d states in the history for 7 changes", n)
	}

	// The button's link equals the address.
	link := call[string](t, page, `async () => {
		let copied;
		Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { copied = text; } } });
		document.getElementById('copy').click();
		await new Promise((resolve) => setTimeout(resolve, 20));
		return copied === location.href ? copied : copied + ' is not ' + location.href;
	}`)
	other := openUnkept(t, link)
	waitFor(t, other, ready+` && document.getElementById('chosen-at').textContent === 'MMR 0.3'`)
	if got := call[[]string](t, other, controls); !slices.Equal(got, last) {
		t.Errorf("restored %q\nwant     %q", got, last)
	}
	if a, b := shown(t, other, "chosen"), shown(t, page, "chosen"); !slices.Equal(a, b) || len(a) != 20 {
		t.Errorf("the restored page shows %v, the other %v", a, b)
	}
	if note := call[bool](t, other, `() => document.getElementById('link-note').hidden`); !note {
		t.Error("the page rejects its own link")
	}

	// Back and forward.
	back := func(steps int, want []string) {
		t.Helper()
		call[any](t, page, `(steps) => history.go(steps)`, steps)
		waitFor(t, page, `JSON.stringify((`+controls+`)()) === JSON.stringify(`+quotedList(want)+`)`)
	}
	back(-6, second)
	waitFor(t, page, `document.getElementById('chosen-at').textContent === 'λ 0.5'`)
	back(-1, first)
	back(7, last)
	waitFor(t, page, `document.querySelectorAll('#chosen .hit').length === 20`)

	// If the clipboard is refused, the page shows the link to be copied by
	// hand.
	got := call[string](t, page, `async () => {
		Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
		document.getElementById('copy').click();
		await new Promise((resolve) => setTimeout(resolve, 20));
		const field = document.getElementById('link');
		return field.hidden || document.activeElement !== field ? 'not shown' : field.value;
	}`)
	if got != link {
		t.Errorf("shown link: %s", got)
	}
}

// A query that is too long for a link is kept in the browser's history.
func TestDemoLongQuery(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(debates(t))).Lab())
	ready := `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`
	waitFor(t, page, ready)
	ask := `(query) => {
		(` + set + `)('query', query);
		document.getElementById('form').requestSubmit();
	}`
	long := strings.TrimSpace(strings.Repeat("夜行 train ", 5000))
	call[any](t, page, ask, long)
	if got := call[string](t, page, `() => location.hash`); got != "" {
		t.Errorf("an address of %d characters", len(got))
	}
	if got := call[string](t, page, `() => { document.getElementById('copy').click(); return document.getElementById('copy').textContent; }`); got != "Too long for a link" {
		t.Errorf("of a query that is too long for a link the button says %q", got)
	}
	call[any](t, page, ask, "night trains")
	call[any](t, page, `() => history.back()`)
	holds := `document.getElementById('query')?.value.length === ` + fmt.Sprint(len([]rune(long)))
	waitFor(t, page, holds)
	call[any](t, page, `() => { globalThis.old = true; location.reload(); }`)
	settles(t, page, `!globalThis.old && `+holds+` && `+ready+` && document.getElementById('link-note').hidden`)
}

func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = "'" + strings.ReplaceAll(s, "'", `\'`) + "'"
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// A link may come from anybody. Invalid parts are ignored and reported; nothing
// in it becomes markup.
func TestDemoHostileLinks(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	server := serve(t, folder(dir))
	page := openUnkept(t, server.URL("/icon.svg"))
	loaded := `document.getElementById('loading').hidden && document.querySelector('#plain .hit')`
	// The first and the last link are opened in a new page, the others in an
	// open one.
	follow := `(fragment) => new Promise((resolve) => {
		addEventListener('popstate', resolve, { once: true });
		location.hash = fragment;
	})`
	cases := []struct {
		name, fragment, note string
	}{
		{"no state", "results", ""},
		{"an unknown method", "q=trains&method=__proto__", "method:"},
		{"the plain side as the other", "q=trains&method=none", "method:"},
		{"λ beyond", "q=trains&lambda=1e9", "lambda:"},
		{"β beyond", "q=trains&method=contrast&strength=3", "strength:"},
		{"λ of nothing", "q=trains&lambda=", "lambda:"},
		{"MMR beyond", "q=trains&mmr=-0.1", "mmr:"},
		{"k of millions", "q=trains&k=2000000000", "k:"},
		{"k in between", "q=trains&k=11", "k:"},
		{"a long query", "q=" + strings.Repeat("trains+", 1000), ""},
		{"a long query of escaped letters", "q=" + strings.Repeat("%74rains+", 4000), ""},
		{"many perspectives", "q=trains&root=t" + strings.Repeat("&p=x", 65), "p:"},
		{"a long link", "q=" + strings.Repeat("x", 40000), "longer than"},
		{"a long link of several texts", "q=x" + strings.Repeat("&root="+strings.Repeat("x", 900), 40), "longer than"},
		{"broken percents", "q=%ff%zz&method=pap", ""},
		{"markup", "q=" + url.QueryEscape(`<img src=x onerror="window.pwned=1">`) + "&root=%3Cb%3E&p=%3Cscript%3Ewindow.pwned=1%3C/script%3E&in=%3Cimg+src=x+onerror=window.pwned=1%3E", "another collection, <img src=x"},
	}
	for i, c := range cases {
		if i == 0 || i == len(cases)-1 {
			if err := page.Navigate(server.Lab() + fmt.Sprintf("?%d#%s", i, c.fragment)); err != nil {
				t.Fatal(err)
			}
		} else {
			call[any](t, page, follow, c.fragment)
		}
		waitFor(t, page, loaded)
		note := call[string](t, page, `() => document.getElementById('link-note').hidden ? '' : document.getElementById('link-note').textContent`)
		if (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
			t.Errorf("%s: the page says %q", c.name, note)
		}
		if call[bool](t, page, `() => window.pwned !== undefined || document.querySelector('main img, main script') !== null`) {
			t.Errorf("%s: the link became markup", c.name)
		}
		if fault := call[string](t, page, `() => document.getElementById('fault').textContent`); fault != "" {
			t.Errorf("%s: %s", c.name, fault)
		}
	}
}
