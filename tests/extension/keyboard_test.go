package extension

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// What is found, picked and saved by keys leaves the focus in the bar, also while the page changes, and picking keeps the
// focus until Escape ends it.
func TestKeyboardFound(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	address := pages.Forum.URL(pages.Uniforms, "", "count", "9")
	x := open(t, s, address)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barInferred", 9))
	keys := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			if err := x.Do(chromedp.KeyEvent(key)); err != nil {
				t.Fatal(err)
			}
		}
	}
	focused := func(key string) {
		t.Helper()
		name := ""
		wait.Until(t, label(t, key)+" has the focus", func() bool {
			name = callOn[string](x, x.bar(), `function () { return this.getRootNode().activeElement?.textContent ?? ''; }`)
			return name == label(t, key)
		})
	}
	callOn[any](x, x.control("button", label(t, "barPick")), `function () { this.focus(); }`)

	// The page changes its list.
	call[any](x, `(selector) => document.querySelector(selector).remove()`, pages.Forum.Result)
	x.waitStatus(label(t, "barInferred", 8))
	focused("barPick")

	shield := `(document.activeElement.parentElement === document.documentElement && document.activeElement !== document.body)`
	keys(kb.Enter)
	x.waitFor(shield)
	keys(kb.Tab, kb.Tab)
	if !call[bool](x, `() => `+shield) {
		t.Error("Tab leaves the picking")
	}
	keys(kb.Escape)
	x.waitFor(`!` + shield)
	focused("barPick")

	callOn[any](x, x.control("button", label(t, "barSaveRule")), `function () { this.focus(); }`)
	keys(kb.Enter)
	x.waitStatus(label(t, "barSaved", pages.Forum.Host))
	focused("barPick")
}

// The bar works by keys alone: arrows go from chip to chip, Enter chooses, Escape undoes. The
// page hears none of these keys.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "", 6)
	call[any](x, `() => { globalThis.heard = 0; for (const type of ['keydown', 'keyup', 'keypress']) addEventListener(type, () => heard++); }`)
	chip := x.control("button", label(t, "barSupporting"))
	if role := callOn[string](x, chip, `function () { this.focus(); return this.closest('[role="toolbar"]').ariaLabel; }`); role != label(t, "barToolbar") {
		t.Errorf("the chips are in a toolbar %q", role)
	}
	press := func(keys string) {
		t.Helper()
		if err := x.Do(chromedp.KeyEvent(keys)); err != nil {
			t.Fatal(err)
		}
	}
	press(kb.ArrowRight)
	press(kb.Enter)
	x.waitTitles(list, opposing(t, results))
	wait.Until(t, "the chip is pressed", func() bool {
		return callOn[string](x, x.control("button", label(t, "barOpposing")), `function () { return this.ariaPressed; }`) == "true"
	})
	press(kb.ArrowLeft)
	press(" ")
	x.waitTitles(list, supporting(t, results))
	press(kb.Escape)
	x.waitTitles(list, titles(results))
	if heard := call[int](x, `() => heard`); heard > 0 {
		t.Errorf("the page heard %d keys", heard)
	}
}
