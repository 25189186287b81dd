package browser

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// aboutPage serves a page for the panel "About me", and records what it asks for.
func aboutPage(t *testing.T) (address string, requests *visits) {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/about/", http.StripPrefix("/about/", folder("../../static/about")))
	mux.Handle("/test/", http.StripPrefix("/test/", folder("testdata")))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	requests = &visits{Handler: harness.WithPolicy(mux)}
	return serve(t, requests).URL("/test/about.html"), requests
}

const mountAbout = `async () => {
	const { mountAbout } = await import('/about/panel.js');
	window.changes = [];
	window.about = mountAbout(document.getElementById('place'), { onChange: (contexts) => changes.push(contexts.length) });
	document.querySelector('summary').click();
}`

func listed(t *testing.T, page *harness.Page) []string {
	t.Helper()
	return call[[]string](t, page, `() => {
		const shown = Array.from(document.querySelectorAll('.about-list span'), (span) => span.textContent);
		if (JSON.stringify(shown) !== JSON.stringify(about.contexts)) throw new Error(shown + ' is shown, the list is ' + about.contexts);
		return shown;
	}`)
}

// A visitor adds facts by keyboard, deletes and exports them. They survive a reload, and no
// request has a word of them.
func TestAboutPanel(t *testing.T) {
	t.Parallel()
	address, requests := aboutPage(t)
	page := open(t, address)
	call[any](t, page, mountAbout)
	status := func() string {
		return call[string](t, page, `() => document.querySelector('.about-status').textContent`)
	}
	add := func(text, says string) {
		t.Helper()
		call[any](t, page, `() => { const input = document.querySelector('.about-me input'); input.value = ''; input.focus(); }`)
		if err := page.Do(chromedp.KeyEvent(text + "\r")); err != nil {
			t.Fatal(err)
		}
		if got := status(); !strings.Contains(got, says) {
			t.Errorf("after %q: %q, want %q", text, got, says)
		}
	}
	add("I am  self-employed.", "Added.")
	add("I have <b>two</b> cats.", "Added.")
	add("I am self-employed.", "already")
	add("   ", "Write something")
	add("I live alone.", "Added.")
	want := []string{"I am self-employed.", "I have <b>two</b> cats.", "I live alone."}
	if got := listed(t, page); !slices.Equal(got, want) {
		t.Errorf("listed %q", got)
	}
	violations(t, page, axe(t), "about me", contrast)

	exported := call[string](t, page, `async () => {
		const make = URL.createObjectURL;
		let file;
		URL.createObjectURL = (blob) => make.call(URL, (file = blob));
		HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
		[...document.querySelectorAll('.about-all button')].find((button) => button.textContent.startsWith('Export')).click();
		return saved + ' ' + JSON.stringify(JSON.parse(await file.text()));
	}`)
	if exported != `about-me.json ["I am self-employed.","I have <b>two</b> cats.","I live alone."]` {
		t.Errorf("exported %s", exported)
	}

	if err := page.Navigate(address); err != nil {
		t.Fatal(err)
	}
	call[any](t, page, mountAbout)
	if got := listed(t, page); !slices.Equal(got, want) {
		t.Errorf("after a reload: %q", got)
	}
	call[any](t, page, `() => document.querySelector('[aria-label="Delete: I have <b>two</b> cats."]').click()`)
	if got := listed(t, page); !slices.Equal(got, []string{want[0], want[2]}) || status() != "Deleted." {
		t.Errorf("after a deletion: %q, %q", got, status())
	}
	other := open(t, address) // the same origin in another tab
	call[any](t, other, `() => { const kept = JSON.parse(localStorage['vantage-about-me']); localStorage['vantage-about-me'] = JSON.stringify([...kept, 'I am old.']); }`)
	waitFor(t, page, `about.contexts.includes('I am old.')`)
	call[any](t, page, `() => [...document.querySelectorAll('.about-all button')].at(-1).click()`)
	if kept := call[any](t, page, `() => localStorage.getItem('vantage-about-me')`); kept != nil || len(listed(t, page)) > 0 {
		t.Errorf("after all were deleted, %v is kept", kept)
	}
	if changes := call[[]int](t, page, `() => changes`); !slices.Equal(changes, []int{2, 3, 0}) {
		t.Errorf("changes %v", changes)
	}
	requests.mu.Lock()
	defer requests.mu.Unlock()
	for _, request := range requests.log {
		for _, word := range []string{"employed", "cats", "alone", "old"} {
			if strings.Contains(request, word) {
				t.Errorf("%q is in %s", word, request)
			}
		}
	}
}

// What the storage holds may be anything, it may be full, and there may be none.
func TestAboutPanelHostileStorage(t *testing.T) {
	t.Parallel()
	address, _ := aboutPage(t)
	page := open(t, address)
	got := call[map[string]any](t, page, `async () => {
		const { Kept, LONGEST, MOST } = await import('/about/kept.js');
		const holding = (text) => ({ getItem: () => text, setItem() { throw new Error('full'); }, removeItem() {} });
		const many = JSON.stringify(Array.from({ length: 200 }, (_, i) => 'fact ' + i));
		const denied = { getItem() { throw new Error('denied'); } };
		const out = {};
		for (const [name, text] of Object.entries({ nothing: null, cut: '["a', number: '7', object: '{"length":3}', mixed: JSON.stringify(['a', 7, '', ' ', null, 'a', ['b'], 'x'.repeat(LONGEST + 1), 'c']) })) {
			out[name] = new Kept(holding(text)).list.join();
		}
		out.many = new Kept(holding(many)).list.length;
		const all = new Kept(holding(many));
		out.more = all.add('one more') + all.list.length;
		const full = new Kept(holding(null));
		out.full = full.add('a');
		let most = 10; // characters that find room
		let stored = '["a"]';
		const small = new Kept({
			getItem: () => stored,
			setItem(_, text) {
				if (text.length > most) throw new Error('full');
				stored = text;
			},
			removeItem: () => (stored = null),
		});
		out.passing = small.add('a long one') + small.add('b') + small.list;
		small.read(); // as after a change in another tab
		out.passing += small.list;
		out.fits = small.delete('a long one') + small.list + stored;
		small.add('a long one');
		out.cleared = small.clear() + small.list + stored;
		const none = new Kept(denied);
		out.none = none.add('a') + none.list;
		out.long = new Kept(null).add('x'.repeat(LONGEST + 1));
		return out;
	}`)
	for name, want := range map[string]any{
		"nothing": "", "cut": "", "number": "", "object": "", "mixed": "a,c", "many": 64., "more": "The list holds at most 64: delete one first.64",
		"full":    "This browser keeps nothing for this page, so the list lasts until the page is closed.",
		"passing": strings.Repeat("This browser keeps nothing for this page, so the list lasts until the page is closed.", 2) + "a,a long one,ba,a long one,b",
		"fits":    `a,b["a","b"]`, "cleared": "null",
		"none": "This browser keeps nothing for this page, so the list lasts until the page is closed.a",
		"long": "At most 300 characters: this has 301.",
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
}
