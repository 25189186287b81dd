package browser

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// gated serves a folder. Of the requests whose paths contain one of some parts, it drops those that come while lost, and
// holds the others until the gate opens.
type gated struct {
	http.Handler
	parts []string
	lost  atomic.Bool
	gate  atomic.Pointer[chan struct{}] // nil: it is open
}

func (g *gated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, part := range g.parts {
		if !strings.Contains(r.URL.Path, part) {
			continue
		}
		if g.lost.Load() {
			panic(http.ErrAbortHandler)
		}
		if gate := g.gate.Load(); gate != nil {
			select {
			case <-*gate:
			case <-r.Context().Done():
				return
			}
		}
	}
	g.Handler.ServeHTTP(w, r)
}

// shut holds requests until the function that it returns is called.
func (g *gated) shut() (release func()) {
	gate := make(chan struct{})
	g.gate.Store(&gate)
	return func() { close(gate) }
}

// searched is what the search page shows.
type searched struct {
	Summary, Pressed, Fault, Notice        string
	Results                                int
	Sides, Both, Nothing, Progress, Better bool
}

const look = `() => {
	const shown = (id) => document.getElementById(id).checkVisibility();
	const text = (id) => (shown(id) ? document.getElementById(id).innerText.replace(/\s+/g, ' ').trim() : '');
	return {
		summary: text('summary'),
		pressed: document.querySelector('#sides [aria-pressed=true]')?.textContent ?? '',
		fault: text('fault'),
		notice: text('notice'),
		results: Array.from(document.querySelectorAll('#list .result')).filter((item) => item.checkVisibility()).length,
		sides: shown('sides'),
		both: shown('both'),
		nothing: shown('nothing'),
		progress: shown('progress'),
		better: shown('better'),
	};
}`

const byMeaning = `globalThis.vantage && document.getElementById('summary').textContent.includes('by meaning')`

func pressOn(t *testing.T, page *harness.Page, id string) {
	t.Helper()
	call[any](t, page, `(id) => document.getElementById(id).click()`, id)
}

// If what tells sides apart cannot be loaded, as without a network, topics answer, and the page says so. The buttons stay,
// and the next answer tries again.
func TestSearchPageSidesCannotBeLoaded(t *testing.T) {
	t.Parallel()
	host := &gated{Handler: folder(kingsSite(t)), parts: []string{"/angles/", "/encoder/"}}
	page := openUnkept(t, serve(t, host).URL("/?q=king"))
	page.Expect(`Failed to load resource`)
	waitFor(t, page, byMeaning)
	host.lost.Store(true)
	const lost = "What tells sides apart cannot be used, so these results may be on any side."
	for _, side := range []string{"for", "against"} {
		pressOn(t, page, "side-"+side)
		waitFor(t, page, `document.getElementById('notice').checkVisibility() || document.getElementById('fault').checkVisibility()`)
		got := call[searched](t, page, look)
		if got.Fault != "" || got.Results != 10 || !got.Sides || !strings.HasPrefix(got.Notice, lost) || strings.Contains(got.Summary, side+" “") || !strings.Contains(got.Summary, "by meaning") {
			t.Errorf("%s, which cannot be told: %+v", side, got)
		}
		pressOn(t, page, "side-all")
		waitFor(t, page, `!document.getElementById('notice').checkVisibility() && `+byMeaning)
	}
	call[any](t, page, typeQuery, "pros and cons of the king walked to the city")
	waitFor(t, page, `document.getElementById('notice').checkVisibility() || document.getElementById('fault').checkVisibility()`)
	if got := call[searched](t, page, look); got.Fault != "" || got.Both || got.Results != 10 || !strings.HasPrefix(got.Notice, lost) || !strings.Contains(got.Summary, "by meaning") {
		t.Errorf("both sides, which cannot be told: %+v", got)
	}
	host.lost.Store(false)
	pressOn(t, page, "side-all")
	waitFor(t, page, `document.getElementById('both').checkVisibility() && !document.getElementById('notice').checkVisibility()`)
	pressOn(t, page, "side-against")
	waitFor(t, page, `document.getElementById('summary').textContent.includes(' against “the king walked to the city”')`)
}

// A link of the lab to one side is answered, too, and its buttons lead to the other sides.
func TestLabSidesCannotBeLoaded(t *testing.T) {
	t.Parallel()
	host := &gated{Handler: folder(kingsSite(t)), parts: []string{"/angles/"}}
	host.lost.Store(true)
	page := openUnkept(t, serve(t, host).Lab()+"#q=a+king&root=the+king+walked&p=a+claim+that+supports&side=for")
	page.Expect(`Failed to load resource`)
	const told = `document.getElementById('sides-note').innerText.startsWith('The sides cannot be shown')`
	waitFor(t, page, told+` || document.getElementById('fault').checkVisibility()`)
	if !call[bool](t, page, `() => `+told+` && document.getElementById('sides-buttons').checkVisibility() && document.querySelectorAll('#columns .hit').length > 0 && document.getElementById('fault').hidden`) {
		t.Error("no results, or no buttons")
	}
	host.lost.Store(false)
	pressOn(t, page, "sides-against")
	waitFor(t, page, `/^\d+ against$/.test(document.getElementById('sides-against').textContent) && !`+told)
}

// If no answer for a side is possible at all, the buttons stay, so that the visitor can choose another.
func TestSearchPageKeepsSidesBesideFault(t *testing.T) {
	t.Parallel()
	page := openUnkept(t, serve(t, folder(kingsSite(t))).URL("/?q=king"))
	waitFor(t, page, byMeaning)
	call[any](t, page, `() => { vantage.search = async () => Promise.reject(new Error('a hiccup')); }`)
	pressOn(t, page, "side-for")
	waitFor(t, page, `document.getElementById('fault').checkVisibility()`)
	if got := call[searched](t, page, look); !got.Sides || got.Results != 0 || got.Summary != "" || got.Nothing {
		t.Errorf("beside the fault: %+v", got)
	}
	call[any](t, page, `() => { delete vantage.search; }`)
	pressOn(t, page, "side-all")
	waitFor(t, page, byMeaning+` && document.querySelectorAll('.result').length === 10 && document.getElementById('fault').hidden`)
}

// While what tells sides apart is on its way, the page says so and shows how much has come, and not the results for all
// sides under the button of one.
func TestSearchPageSlowSides(t *testing.T) {
	t.Parallel()
	site := kingsSite(t)
	for _, part := range []string{"/encoder/", "/angles/"} {
		host := &gated{Handler: folder(site), parts: []string{part}}
		page := openUnkept(t, serve(t, host).URL("/?q=king"))
		waitFor(t, page, byMeaning)
		release := host.shut()
		pressOn(t, page, "side-for")
		waitFor(t, page, `document.getElementById('summary').textContent.startsWith('Loading')`)
		const loading = "Loading what tells sides apart …"
		got := call[searched](t, page, look)
		if got.Summary != loading || got.Pressed != "For" || !got.Sides || got.Results != 0 || got.Progress != (part == "/encoder/") {
			t.Errorf("without %s: %+v", part, got)
		}
		waitFor(t, page, `(`+said+`)() === '`+loading+`'`)
		// All sides need none of it.
		pressOn(t, page, "side-all")
		waitFor(t, page, byMeaning)
		if got := call[searched](t, page, look); got.Results != 10 || got.Progress {
			t.Errorf("all sides meanwhile: %+v", got)
		}
		pressOn(t, page, "side-for")
		waitFor(t, page, `document.getElementById('summary').textContent.startsWith('Loading')`)
		release()
		waitFor(t, page, `document.getElementById('summary').textContent.includes(' for “king”')`)
		if got := call[searched](t, page, look); got.Progress {
			t.Errorf("the progress of a side that has come: %+v", got)
		}
	}
}

// A link to a side is answered by words at first. What tells sides apart comes after everything else, and the page says so.
func TestSearchPageSlowSidesOfLink(t *testing.T) {
	t.Parallel()
	host := &gated{Handler: folder(kingsSite(t)), parts: []string{"/angles/"}}
	release := host.shut()
	page := openUnkept(t, serve(t, host).URL("/?q=king&side=for"))
	waitFor(t, page, `(`+said+`)().startsWith('Loading what tells sides apart')`)
	if got := call[searched](t, page, look); !strings.HasSuffix(got.Summary, "by words") || got.Results == 0 {
		t.Errorf("meanwhile: %+v", got)
	}
	release()
	waitFor(t, page, `document.getElementById('summary').textContent.includes(' for “king”')`)
}
