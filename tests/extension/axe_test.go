package extension

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// None of the extension's pages has barriers that axe finds, on a wide and on a narrow screen and
// in both colour schemes: the privacy page, the options and their editor with its problems shown,
// the popup by itself, and over a page without a rule. No page is wider than its screen.
func TestAxe(t *testing.T) {
	s := chromium(t)
	source, err := os.ReadFile(filepath.Join(tools.Packages(t, "axe"), "node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(x tab, state string, widths ...int64) {
		t.Helper()
		if _, err := chromedp.Run(x.Context(), chromedp.Evaluate[any](string(source)+";null")); err != nil {
			t.Fatal(err)
		}
		for _, width := range widths {
			if width > 0 {
				if err := x.Resize(width, 800); err != nil {
					t.Fatal(err)
				}
			}
			for _, scheme := range []string{"light", "dark"} {
				if err := x.Prefer("prefers-color-scheme", scheme); err != nil {
					t.Fatal(err)
				}
				got := call[struct {
					Passes, Width int64
					Violations    []string
				}](x, `async () => {
					const { passes, violations } = await axe.run(document, { resultTypes: ['violations'] });
					return { passes: passes.length, width: document.documentElement.scrollWidth, violations: violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, any, all, none }) => [id, help, target, ...any.concat(all, none).map(({ message }) => message)].join(': '))) };
				}`)
				for _, v := range got.Violations {
					t.Errorf("%s, %s, %d px: %s", state, scheme, width, v)
				}
				if got.Passes < 10 {
					t.Errorf("%s: only %d rules apply: the test checks nothing", state, got.Passes)
				}
				if width > 0 && got.Width > width {
					t.Errorf("%s, %s: the page is %d px wide on a screen of %d", state, scheme, got.Width, width)
				}
				if width > 0 {
					picture(t, x, fmt.Sprintf("extension-%s-%s-%d", state, scheme, width))
				}
			}
		}
	}
	check(open(t, s, s.origin+"/privacy.html"), "privacy", 1000, 360)
	options := s.options(t)
	call[any](options, `() => document.querySelector('[value=server]').click()`)
	check(options, "options", 1280, 360)
	call[any](options, `() => {
		document.querySelector('#add').click();
		document.querySelector('#test').open = true;
		document.querySelector('#rule [type=submit]').click();
	}`)
	check(options, "editor", 1280, 360)

	address := pages.Forum.URL(pages.Nuclear, "", "count", "9")
	open(t, s, address)
	popup := s.popup(t, address)
	popup.waitFor(`document.querySelectorAll('#actions button').length > 0`)
	check(popup, "popup over a page", 0) // it has the size that it wants
	alone := open(t, s, s.origin+"/popup/popup.html")
	alone.waitFor(`document.querySelector('#about').textContent.length > 5`)
	check(alone, "popup", 1280, 360)
}
