package content_test

import "testing"

// A bar without a place beside a list stands at the window's lower edge, however long and far scrolled the page is.
func TestBarFloats(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { hosted, make } = await import('/extension/content/shadow.js');
		const css = await (await fetch('/extension/content/bar.css')).text();
		document.body.append(Object.assign(document.createElement('div'), { style: 'height: 5000px' }));
		const frame = make('div', { class: 'bar' }, make('div', { class: 'status' }, 'A text'));
		const { host } = hosted('div', css, frame);
		host.toggleAttribute('data-floating', true); // as bar.js does
		document.documentElement.append(host);
		for (const y of [0, 2000]) {
			scrollTo(0, y);
			const { left, right, top, bottom, width } = frame.getBoundingClientRect();
			const fits = top >= 0 && left >= 0 && right <= innerWidth && Math.abs(bottom - (innerHeight - 12)) < 1;
			if (!fits || width < 200) return JSON.stringify({ y, left, right, top, bottom, innerWidth, innerHeight });
		}
		return '';
	}`)
	if fault != "" {
		t.Error("the bar is not at the window's edge: ", fault)
	}
}
