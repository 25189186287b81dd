package browser

import "testing"

// If the engine finds what words have found, in the same order, it still adds what it knows: at once if nothing moves, as
// on a wide screen, and else when the visitor presses a button.
func TestSearchPageSameResultsByMeaning(t *testing.T) {
	t.Parallel()
	site := pageOver(t, sidesSiteOf(t, []string{"the king walked to the city in the night"}))
	for _, size := range [][2]int64{{390, 664}, {1280, 720}} {
		narrow := size[0] == 390
		host := &gated{Handler: folder(site), parts: []string{"/core.wasm"}}
		release := host.shut()
		server := serve(t, host)
		page := openUnkept(t, server.URL("/"))
		if err := page.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		if err := page.Navigate(server.URL("/?q=king")); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, `document.querySelector('.result')`)
		const places = `() => JSON.stringify(Array.from(document.querySelectorAll('.result, footer'), (item) => item.getBoundingClientRect()))`
		call[any](t, page, `() => document.querySelector('.result').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))`)
		before := call[string](t, page, places)
		release()
		if narrow {
			waitFor(t, page, `document.getElementById('better').checkVisibility()`)
			if got := call[searched](t, page, look); got.Summary != "1 result, by words" || got.Sides {
				t.Errorf("before the button: %+v", got)
			}
			if text := call[string](t, page, `() => document.getElementById('better').textContent`); text != "Show the better answer" {
				t.Errorf("the button says %q", text)
			}
		} else {
			waitFor(t, page, byMeaning)
		}
		if after := call[string](t, page, places); after != before {
			t.Errorf("narrow %v: what is read moves from %s to %s", narrow, before, after)
		}
		if narrow {
			pressOn(t, page, "better")
			waitFor(t, page, byMeaning)
		}
		if got := call[searched](t, page, look); got.Summary != "1 result, by meaning and words" || !got.Sides || got.Better || got.Results != 1 {
			t.Errorf("narrow %v: %+v", narrow, got)
		}
		waitFor(t, page, `(`+said+`)() === '1 result, by meaning and words.'`)
	}
}
