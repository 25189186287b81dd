package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

const dialogOpen = `document.querySelector('vantage-search').shadowRoot.querySelector('dialog').matches(':modal')`

func isOpen(t *testing.T, page *harness.Page) bool {
	t.Helper()
	return call[bool](t, page, `() => `+dialogOpen)
}

// dialogPage is a page that is taller than the screen, with fields, and the dialog form of the element.
func dialogPage(t *testing.T, page *harness.Page, attributes string) {
	t.Helper()
	site := serveElement(t, worded(t), elementScript+`<p><a id="before" href="#before">A link</a></p>
		<textarea aria-label="A text"></textarea><input id="own" aria-label="A field that has the key itself">
		<vantage-search collection="/collection/" k="4" dialog highlight `+attributes+`></vantage-search>`, nil)
	if err := page.Navigate(site.address); err != nil {
		t.Fatal(err)
	}
	call[any](t, page, `() => {
		document.querySelector('main').append(...Array.from({ length: 60 }, (_, i) => Object.assign(document.createElement('p'), { textContent: 'Paragraph ' + i })));
		document.getElementById('own').addEventListener('keydown', (event) => event.ctrlKey && event.preventDefault());
	}`)
	waitFor(t, page, ready)
	// The page was opened before its server, and is closed after it unless the test has closed
	// it: it must ask for nothing then.
	t.Cleanup(func() { _ = page.Navigate("about:blank") })
}

// A button opens the dialog, and so does a key from anywhere in the page, unless a field has that key itself. Escape
// closes it, the focus returns, and the page behind it does not scroll.
func TestElementDialog(t *testing.T) {
	t.Parallel()
	page := tab(t)
	dialogPage(t, page, "")
	ctrl := chromedp.KeyModifiers(2)
	focus := func(selector string) {
		call[any](t, page, `(selector) => document.querySelector(selector).focus()`, selector)
	}
	for _, c := range []struct {
		from string
		want bool
	}{{"#before", true}, {"textarea", true}, {"#own", false}} {
		focus(c.from)
		strike(t, page, "k", ctrl)
		if got := isOpen(t, page); got != c.want {
			t.Errorf("Ctrl-K in %s: open is %v, want %v", c.from, got, c.want)
		}
		if !c.want {
			continue
		}
		strike(t, page, "Night trains")
		waitFor(t, page, elementStatus+`.startsWith('4 results')`)
		if got := call[string](t, page, `() => getComputedStyle(document.documentElement).overflow`); got != "hidden" {
			t.Errorf("behind the dialog, overflow is %s", got)
		}
		strike(t, page, kb.Escape)
		if got := call[bool](t, page, `(selector) => !`+dialogOpen+` && document.activeElement === document.querySelector(selector) && getComputedStyle(document.documentElement).overflow !== 'hidden'`, c.from); !got {
			t.Errorf("Escape does not lead back to %s", c.from)
		}
	}
	// The button; the arrow keys; Enter follows the link.
	call[any](t, page, elementAdd, []map[string]any{{"id": "l", "title": "Zyzzyva", "text": "A zyzzyva is a beetle.", "metadata": map[string]any{"url": "#there"}}}, "zyzzyva")
	call[any](t, page, `() => document.querySelector('vantage-search').shadowRoot.querySelector('[part=open]').click()`)
	strike(t, page, kb.ArrowDown)
	strike(t, page, kb.Enter)
	if got := call[string](t, page, `() => location.hash`); got != "#there" {
		t.Errorf("Enter leads to %q", got)
	}
	if isOpen(t, page) {
		t.Error("the dialog covers the place in the page that a link leads to")
	}
	call[any](t, page, `() => document.querySelector('vantage-search').showModal()`)
	// A click behind the dialog closes it, one in it does not.
	for _, click := range []struct {
		x, y float64
		open bool
	}{{500, 150, true}, {3, 3, false}} {
		if err := page.Do(chromedp.MouseClickXY(click.x, click.y)); err != nil {
			t.Fatal(err)
		}
		if got := isOpen(t, page); got != click.open {
			t.Errorf("after a click at %v, %v: open is %v", click.x, click.y, got)
		}
	}
	// If it is removed while it is open, the page scrolls again.
	if got := call[string](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		element.showModal();
		const during = document.documentElement.style.overflow;
		element.remove();
		await new Promise((resolve) => setTimeout(resolve));
		return during + ' ' + document.documentElement.style.overflow;
	}`); got != "hidden " {
		t.Errorf("overflow: %q", got)
	}
}

// A click on a result that is a place in the page closes the dialog, and the page scrolls there. The dialog stays if the
// page has prevented the click, if the browser opens a new tab or window, and if the link leads to another page.
func TestElementDialogLinks(t *testing.T) {
	t.Parallel()
	page := tab(t)
	dialogPage(t, page, "")
	call[any](t, page, `() => {
		document.querySelector('main').append(Object.assign(document.createElement('h2'), { id: 'there', textContent: 'Zyzzyva' }));
		// The browser must not leave this page, nor open others.
		addEventListener('click', (event) => {
			if (document.querySelector('vantage-search').shadowRoot.querySelector('dialog').open) event.preventDefault();
		});
	}`)
	for _, c := range []struct {
		name, url string
		template  string
		click     map[string]any
		prevent   bool
		open      bool
	}{
		{"a place in this page", "/page.html#there", "", nil, false, false},
		{"the same place again", "#there", "", nil, false, false},
		{"the top of this page", "#", "", nil, false, false},
		{"in a template", "#there", `<a data-field="url"><b data-field="title"></b></a>`, nil, false, false},
		{"Ctrl", "#there", "", map[string]any{"ctrlKey": true}, false, true},
		{"Command", "#there", "", map[string]any{"metaKey": true}, false, true},
		{"Shift", "#there", "", map[string]any{"shiftKey": true}, false, true},
		{"another tab", "#there", `<a data-field="url" target="_blank"><b data-field="title"></b></a>`, nil, false, true},
		{"prevented", "#there", "", nil, true, true},
		{"another page", "/other.html#there", "", nil, false, true},
		{"this page again", "/page.html", "", nil, false, true},
		{"another question to this page", "/page.html?q=1#there", "", nil, false, true},
	} {
		call[any](t, page, `(template) => {
			const element = document.querySelector('vantage-search');
			element.replaceChildren();
			if (template) element.insertAdjacentHTML('beforeend', '<template slot="result">' + template + '</template>');
			element.showModal();
			scrollTo(0, 0);
		}`, c.template)
		documents := []map[string]any{{"id": c.name, "title": "Zyzzyva", "text": "A zyzzyva is a beetle.", "metadata": map[string]any{"url": c.url}}}
		call[any](t, page, elementAdd, documents, "zyzzyva")
		got := call[bool](t, page, `async (id, init, prevent) => {
			const element = document.querySelector('vantage-search');
			if (prevent) element.addEventListener('vantage-select', (event) => event.preventDefault(), { once: true });
			const place = element.querySelector('b') ?? element.shadowRoot.querySelector('[part=title]');
			place.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, ...init }));
			const { open } = element.shadowRoot.querySelector('dialog');
			while (!open && location.hash === '#there' && scrollY === 0) await new Promise((resolve) => setTimeout(resolve, 10));
			element.close();
			await (await element.vantage).remove([id]);
			return open;
		}`, c.name, c.click, c.prevent)
		if got != c.open {
			t.Errorf("%s: open is %v", c.name, got)
		}
	}
}

// The page names another key, or none; one without Ctrl is a character where the visitor types. The page's own button
// opens the dialog, too, even if the key cannot be read.
func TestElementHotkey(t *testing.T) {
	t.Parallel()
	page := tab(t)
	page.Expect(`^console: .*<vantage-search>.*hotkey: "strg\+k"`)
	dialogPage(t, page, `hotkey="/"`)
	attempt := func(hotkey, from, keys string, modifiers ...chromedp.KeyOption) bool {
		call[any](t, page, `(hotkey, from) => {
			const element = document.querySelector('vantage-search');
			element.close();
			element.setAttribute('hotkey', hotkey);
			document.querySelector(from).focus();
		}`, hotkey, from)
		strike(t, page, keys, modifiers...)
		return isOpen(t, page)
	}
	ctrl, shift := chromedp.KeyModifiers(2), chromedp.KeyModifiers(2|8)
	got := []bool{
		attempt("/", "#before", "/"), attempt("/", "textarea", "/"), attempt("/", "#before", "k", ctrl),
		attempt("none", "#before", "k", ctrl), attempt("mod+j", "textarea", "j", ctrl), attempt("ctrl+shift+k", "#before", "K", shift),
		attempt("ctrl+shift+k", "#before", "k", ctrl), attempt("strg+k", "#before", "k", ctrl), attempt("+", "#before", "+"),
		attempt("ctrl++", "textarea", "+", ctrl), attempt("F2", "textarea", kb.F2),
	}
	for i, want := range []bool{true, false, false, false, true, true, false, false, true, true, true} {
		if got[i] != want {
			t.Errorf("attempt %d: open is %v", i+1, got[i])
		}
	}
	// How the button names keys, and texts that name none.
	if got := call[string](t, page, `async () => {
		const { Hotkey } = await import('/static/src/element/hotkey.js');
		return ['+', 'ctrl + +', 'alt+F24', 'f13', 'f0', 'f25', 'f01', 'ctrl+', '++', 'k+alt', ''].map((text) => Hotkey.read(text)?.spoken ?? 'none').join(' ');
	}`); got != "Plus Control+Plus Alt+F24 F13 none none none none none none none" {
		t.Errorf("keys: %s", got)
	}
	if typed := call[string](t, page, `() => document.querySelector('textarea').value`); typed != "/" {
		t.Errorf("the field has %q", typed)
	}
	if !call[bool](t, page, `() => {
		const element = document.querySelector('vantage-search');
		const button = Object.assign(document.createElement('button'), { slot: 'button', textContent: 'Find' });
		element.append(button);
		button.click();
		return `+dialogOpen+`;
	}`) {
		t.Error("the page's own button does not open the dialog")
	}
}

// axe finds nothing in the dialog, on a screen and on a phone, in both schemes. VANTAGE_SHOTS names a folder for
// screenshots.
func TestAxeElementDialog(t *testing.T) {
	t.Parallel()
	source := axe(t)
	page := blankPage(t, looks[0].scheme, looks[0].width)
	dialogPage(t, page, `label="Search the debates" placeholder="A claim"`)
	inside := strings.Replace(contrast, "document.querySelectorAll('body *')", "document.querySelector('vantage-search').shadowRoot.querySelectorAll('*')", 1)
	inside = strings.Replace(inside, "e = e.parentElement", "e = e.parentElement ?? e.getRootNode().host", 1)
	inside = strings.Replace(inside, "return [255, 255, 255]", "return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]", 1)
	violations(t, page, source, "dialog closed", inside)
	call[any](t, page, `() => document.querySelector('vantage-search').showModal()`)
	violations(t, page, source, "dialog empty", inside)
	call[any](t, page, elementAdd, []map[string]any{{"id": "l", "title": "With an address", "text": "Night trains and " + strings.Repeat("a", 200), "metadata": map[string]any{"url": "#there"}}}, "Night trains")
	violations(t, page, source, "dialog results", inside)
	strike(t, page, kb.ArrowDown)
	for range 3 {
		strike(t, page, kb.ArrowDown)
	}
	picture(t, page, "dialog-phone-scrolled")
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}
