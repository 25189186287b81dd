package extension

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

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
