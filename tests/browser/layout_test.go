package browser

import (
	"errors"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// There is no horizontal scrolling on any screen, and text has enough contrast,
// in both colour schemes.
func TestDemoLayout(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	// A page that may not write to the clipboard shows the link in a field beside the button.
	call[any](t, page, `() => {
		document.querySelectorAll('details').forEach((d) => { d.open = true; });
		Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
		document.getElementById('copy').click();
	}`)
	waitFor(t, page, `!document.getElementById('link').hidden`)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 390, 768, 1280} {
			show(t, page, scheme, width)
			if got := call[int64](t, page, `() => document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s, %d px: the page is %d px wide", scheme, width, got)
			}
			// The sentence beside them keeps room for several words in a line.
			if cut := call[[]string](t, page, `() => {
				const beyond = ['copy', 'link'].filter((id) => {
					const { left, right, width } = document.getElementById(id).getBoundingClientRect();
					return width < 60 || left < 0 || right > document.documentElement.clientWidth;
				});
				return document.getElementById('summary').offsetWidth < 180 ? [...beyond, 'summary'] : beyond;
			}`); len(cut) > 0 {
				t.Errorf("%s, %d px: cut or narrow: %q", scheme, width, cut)
			}
			for _, pale := range call[[]string](t, page, contrast) {
				t.Errorf("%s, %d px: %s", scheme, width, pale)
			}
		}
	}
}

// Words that are longer than a line do not widen the page.
func TestDemoLongWords(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	word := strings.Repeat("Donaudampfschifffahrt_", 10)
	call[any](t, page, drop, word+".jsonl", []byte(`{"_id": "1", "title": "`+word+`", "text": "https://example.org/`+word+`", "metadata": {"sha": "`+word+word+`"}}`+"\n"+`{"_id": "2", "text": "`+word+`"}`))
	waitFor(t, page, `document.querySelectorAll('#plain .hit .tag').length === 1 && document.querySelectorAll('#plain .hit').length === 2`)
	call[any](t, page, `() => document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	for _, width := range []int64{320, 768, 1280} {
		show(t, page, "light", width)
		if got := call[int64](t, page, `() => document.documentElement.scrollWidth`); got > width {
			t.Errorf("%d px: the page is %d px wide", width, got)
		}
		if call[bool](t, page, `() => document.querySelector('.tag').offsetHeight > 30`) {
			t.Errorf("%d px: a long value takes several lines", width)
		}
	}
	if title := call[string](t, page, `() => document.querySelector('.tag').title`); title != "sha: "+word+word {
		t.Errorf("the title of a value: %q", title)
	}
}

// On every screen, the title of the first result is seen without scrolling, and no method's
// formula is cut off at the side.
func TestDemoFirstResult(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	for _, size := range screens {
		if err := page.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		type looks struct {
			First, Width float64
			Cut          []string // formulas that are not seen whole
		}
		got := call[looks](t, page, `async () => {
			const { method } = document.getElementById('form').elements;
			const chosen = method.value;
			const shown = () => document.getElementById('chosen').textContent;
			while (!document.querySelector('#chosen .hit h3')) await new Promise((resolve) => setTimeout(resolve, 20));
			const settled = shown();
			const cut = [];
			for (const { value, disabled } of method.options) {
				if (disabled) continue;
				method.value = value;
				method.dispatchEvent(new Event('input', { bubbles: true }));
				const name = method.selectedOptions[0].textContent.toLowerCase();
				for (let i = 0; i < 100 && value !== chosen && !name.includes(document.getElementById('chosen-title').textContent.toLowerCase()); i++) await new Promise((resolve) => setTimeout(resolve, 20));
				for (const formula of document.querySelectorAll('.formula')) {
					const { right, left } = formula.getBoundingClientRect();
					if (formula.scrollWidth > Math.ceil(right - left) || right > innerWidth) cut.push(formula.textContent);
				}
			}
			method.value = chosen;
			method.dispatchEvent(new Event('input', { bubbles: true }));
			scrollTo(0, 0);
			for (let i = 0; i < 500 && shown() !== settled; i++) await new Promise((resolve) => setTimeout(resolve, 20));
			await new Promise((resolve) => setTimeout(resolve, 100));
			return { first: document.querySelector('#chosen .hit h3').getBoundingClientRect().bottom, width: document.documentElement.scrollWidth, cut };
		}`)
		if got.First > float64(size[1]) || got.Width > float64(size[0]) || len(got.Cut) > 0 {
			t.Errorf("%d × %d: the first title ends at %.0f, the page is %.0f wide, formulas %q are cut", size[0], size[1], got.First, got.Width, got.Cut)
		}
	}
}

// blankPage opens an empty tab with a colour scheme and a width.
func blankPage(t *testing.T, scheme string, width int64) *harness.Page {
	t.Helper()
	page, err := chromium(t).NewPage(pageTimeout)
	if err != nil {
		t.Fatal(err)
	}
	show(t, page, scheme, width)
	return page
}

// show sets the page's colour scheme and width, and waits until they apply.
func show(t *testing.T, page *harness.Page, scheme string, width int64) {
	t.Helper()
	if err := errors.Join(page.Resize(width, 800), page.Prefer("prefers-color-scheme", scheme)); err != nil {
		t.Fatal(err)
	}
	call[any](t, page, `async () => {
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		const passing = document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < Infinity);
		await Promise.allSettled(passing.map(({ finished }) => finished));
	}`)
}

// contrast lists the elements whose text has a contrast below 4.5 : 1 (WCAG
// 2.2, 1.4.3).
const contrast = `() => {
	const channel = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
	const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
	const colour = (text) => { const n = text.match(/[\d.]+/g).map(Number); return { rgb: n.slice(0, 3), alpha: n[3] ?? 1 }; };
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const c = colour(getComputedStyle(e).backgroundColor);
			if (c.alpha === 1) return c.rgb;
		}
		return [255, 255, 255];
	};
	const out = new Set();
	for (const e of document.querySelectorAll('body *')) {
		if (!Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.disabled) continue;
		const [a, b] = [luminance(colour(getComputedStyle(e).color).rgb), luminance(behind(e))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) out.add(e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 20) + ': contrast ' + ratio.toFixed(2));
	}
	return [...out];
}`
