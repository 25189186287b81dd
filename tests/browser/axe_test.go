package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// axe returns the source of axe-core, which finds barriers for people with
// disabilities.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(tools.Packages(t, "axe"), "node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// violations reports the violations of every rule of axe, including best practices,
// in the page's current state on every screen of looks. The dark scheme changes only
// colours, so there the rules about colours suffice. It also reports pages wider than the
// screen, and text that is hard to read according to the function pale.
func violations(t *testing.T, page *harness.Page, source, state, pale string) {
	t.Helper()
	if !call[bool](t, page, `() => 'axe' in window`) {
		if _, err := chromedp.Run(page.Context(), chromedp.Evaluate[any](source+";null")); err != nil {
			t.Fatal(err)
		}
	}
	type report struct {
		Width      int64
		Passes     int
		Violations []string
	}
	for _, look := range looks {
		show(t, page, look.scheme, look.width)
		got := call[report](t, page, `async (colours) => {
			const { passes, violations } = await axe.run(document, { resultTypes: ['violations'], ...(colours && { runOnly: ['color-contrast', 'link-in-text-block'] }) });
			return { width: document.documentElement.scrollWidth, passes: passes.length, violations: violations.flatMap(({ id, help, nodes }) => nodes.map((node) => id + ': ' + help + ': ' + node.target + ': ' + node.any.concat(node.all, node.none).map(({ message }) => message).join('; '))) };
		}`, look.scheme == "dark")
		at := fmt.Sprintf("%s, %s, %d px", state, look.scheme, look.width)
		for _, v := range append(got.Violations, call[[]string](t, page, pale)...) {
			t.Errorf("%s: %s", at, v)
		}
		if got.Passes < 10 && look.scheme != "dark" || got.Passes == 0 {
			t.Errorf("%s: only %d rules apply: the test checks nothing", at, got.Passes)
		}
		if got.Width > look.width {
			t.Errorf("%s: the page is %d px wide", at, got.Width)
		}
		picture(t, page, "axe-"+strings.NewReplacer(" ", "-", ",", "").Replace(at))
	}
}

// picture saves a screenshot in the folder that VANTAGE_SHOTS names.
func picture(t *testing.T, page *harness.Page, name string) {
	t.Helper()
	dir := os.Getenv("VANTAGE_SHOTS")
	if dir == "" {
		return
	}
	content, err := page.Picture()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// looks lists the screens that are checked.
var looks = []struct {
	scheme string
	width  int64
}{{"light", 1280}, {"dark", 1280}, {"light", 360}, {"dark", 360}}

// The page is accessible in every state: while it loads, with results, with everything open and
// measured, with several perspectives and a link to copy by hand, with the visitor's files, and
// with faults.
func TestAxeDemo(t *testing.T) {
	t.Parallel()
	source := axe(t)
	dir := judgedSite(t)
	page := blankPage(t, looks[0].scheme, looks[0].width)
	page.Expect(`Failed to load resource`)
	check := func(state string) {
		t.Helper()
		violations(t, page, source, state, contrast)
	}
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/collection/vectors/", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			folder(dir).ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
	if err := page.Navigate(serve(t, mux).Lab()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `!document.getElementById('loading').hidden`)
	check("loading")
	close(release)
	waitFor(t, page, answered)
	waitFor(t, page, isKept)
	check("results")
	call[any](t, page, `() => {
		document.querySelectorAll('details').forEach((details) => { details.open = true; });
		for (const id of ['newer', 'install']) document.getElementById(id).hidden = false;
	}`)
	check("everything open")
	call[any](t, page, `() => document.getElementById('gold-run').click()`)
	waitFor(t, page, `document.querySelector('#gold-rows tr') && document.getElementById('gold-busy').hidden`)
	call[any](t, page, `() => document.getElementById('gold').scrollIntoView()`)
	check("measured")
	call[any](t, page, `() => document.getElementById('gold-stop').click()`) // the other methods need not be measured
	call[any](t, page, drop, "broken.csv", []byte("id,text\n1,\"torn"))
	waitFor(t, page, `!document.getElementById('file-fault').hidden`)
	check("fault in a file")
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `!document.getElementById('file-now').hidden`)
	call[any](t, page, `() => document.getElementById('file-keep').click()`)
	waitFor(t, page, `!document.getElementById('kept').hidden`)
	check("a file of one's own")
	call[any](t, page, `async () => (await import('/lib/index.js')).Vantage.forget('page: garden.csv')`)
	call[any](t, page, `() => document.getElementById('file-back').click()`)
	call[any](t, page, set, "query", "sleeping on rails")
	call[any](t, page, set, "method", "pap+")
	waitFor(t, page, `document.querySelector('#chosen .lack')`)
	check("lack")
	call[any](t, page, set, "method", "auto")
	call[any](t, page, set, "query", oppose)
	waitFor(t, page, `document.querySelector('#chosen .hit')`)
	call[any](t, page, `() => {
		document.getElementById('add').click();
		const chip = document.querySelector('#perspectives li:last-child input');
		chip.value = 'a passenger';
		chip.dispatchEvent(new Event('input', { bubbles: true }));
		Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
		document.getElementById('copy').click();
	}`)
	waitFor(t, page, `!document.getElementById('map-which').hidden && !document.getElementById('link').hidden`)
	check("two perspectives and a link")

	broken := http.NewServeMux()
	broken.Handle("/", folder(dir))
	broken.HandleFunc("/collection/", http.NotFound)
	if err := page.Navigate(serve(t, broken).Lab()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.getElementById('fault').textContent.includes('InputError')`)
	check("fault")
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}

func TestAxeComponent(t *testing.T) {
	t.Parallel()
	source := axe(t)
	page := blankPage(t, looks[0].scheme, looks[0].width)
	page.Expect(`Failed to load resource`)
	check := func(state string) {
		t.Helper()
		violations(t, page, source, "component "+state, contrast)
	}
	gate := make(chan struct{})
	if err := page.Navigate(component(t, gate)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('vantage-search').getAttribute('state') === 'loading'`)
	check("loading")
	close(gate)
	waitFor(t, page, ready)
	check("ready")
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		const vantage = await element.vantage;
		await vantage.add([{ id: 'l', title: 'With an address', text: 'Night trains', metadata: { url: '/there' } }]);
		element.value = 'Night trains';
		await element.search();
	}`)
	check("results")
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		element.replaceChildren();
		const fault = new Promise((resolve) => element.addEventListener('vantage-error', resolve, { once: true }));
		element.setAttribute('collection', '/nowhere/');
		await fault;
	}`)
	check("fault")
	page.Close()
}
