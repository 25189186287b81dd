package browser

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// demo opens the page of a site and waits for its first answer.
func demo(t *testing.T, dir string) *harness.Page {
	t.Helper()
	page := openUnkept(t, serve(t, withSources(folder(dir))).Lab())
	waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`)
	return page
}

// waitFor polls a condition in the page.
func waitFor(t *testing.T, page *harness.Page, condition string) {
	t.Helper()
	call[bool](t, page, `async () => {
		for (let i = 0; i < 2400; i++) {
			if (`+condition+`) return true;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		const said = ['fault', 'summary'].map((id) => document.getElementById(id)?.textContent ?? '').join('');
		throw new Error('timed out; the page says: ' + said);
	}`)
}

// shown returns the document numbers of a column's hits.
func shown(t *testing.T, page *harness.Page, column string) []int {
	t.Helper()
	return call[[]int](t, page, `(column) => Array.from(document.querySelectorAll('#' + column + ' .hit'), (hit) => Number(hit.dataset.index))`, column)
}

func indexes(t *testing.T, collection *search.Collection, q search.Query) []int {
	t.Helper()
	result, err := collection.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, h := range result.Hits {
		out = append(out, h.Index)
	}
	return out
}

// set changes a control like a visitor.
const set = `(name, value) => {
	const control = document.getElementById('form').elements[name];
	if (control.type === 'checkbox') control.checked = value;
	else control.value = value;
	control.dispatchEvent(new Event('input', { bubbles: true }));
}`

func TestDemo(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	page := demo(t, dir)
	collection := native(t, filepath.Join(dir, "collection"))
	text := func(s string) search.Text { return search.Text{Text: s} }

	// settled waits until the columns show the native engine's answers.
	settled := func(what string, plain, chosen search.Query) {
		t.Helper()
		wantPlain, wantChosen := indexes(t, collection, plain), indexes(t, collection, chosen)
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			gotPlain, gotChosen := shown(t, page, "plain"), shown(t, page, "chosen")
			if slices.Equal(gotPlain, wantPlain) && slices.Equal(gotChosen, wantChosen) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s:\nplain  %v\n  want %v\nchosen %v\n  want %v", what, gotPlain, wantPlain, gotChosen, wantChosen)
			}
		}
	}

	query := call[string](t, page, `() => document.getElementById('query').value`)
	settled("the first query", search.Query{Query: text(query), Method: "none"}, search.Query{Query: text(query)})
	because := func(want string) {
		t.Helper()
		waitFor(t, page, `document.getElementById('chosen-why').textContent === '`+want+`'`)
	}
	because("Automatic: tri-sum, because the query asks for a side.")
	call[any](t, page, set, "query", "trains at night")
	settled("no perspective", search.Query{Query: text("trains at night"), Method: "none"}, search.Query{Query: text("trains at night")})
	because("Automatic: the plain cosine, because the query has no perspective.")
	call[any](t, page, set, "query", query)
	call[any](t, page, set, "method", "pap+")
	settled("pap+", search.Query{Query: text(query), Method: "none"}, search.Query{Query: text(query), Method: "pap+"})
	if !call[bool](t, page, `() => document.getElementById('chosen-why').hidden`) {
		t.Error("a method that the visitor chose is called automatic")
	}

	call[any](t, page, set, "query", oppose)
	settled("another query", search.Query{Query: text(oppose), Method: "none"}, search.Query{Query: text(oppose), Method: "pap+"})
	if got, want := call[[]string](t, page, `() => [document.getElementById('root').value, document.querySelector('#perspectives input').value]`), []string{"Night trains deserve public subsidy", "a claim that opposes the argument"}; !slices.Equal(got, want) {
		t.Errorf("read as %q, want %q", got, want)
	}

	call[any](t, page, set, "lambda", "-1")
	settled("λ", search.Query{Query: text(oppose), Method: "none"}, search.Query{Query: text(oppose), Method: "pap+", Lambda: ptr(-1.0)})
	call[any](t, page, set, "diversify", true)
	call[any](t, page, set, "mmr", "0.5")
	settled("MMR", search.Query{Query: text(oppose), Method: "none"}, search.Query{Query: text(oppose), Method: "pap+", Lambda: ptr(-1.0), MMR: ptr(0.5)})
	call[any](t, page, set, "diversify", false)
	call[any](t, page, set, "lambda", "1")
	call[any](t, page, set, "k", "5")
	call[any](t, page, set, "method", "add")
	settled("method and k", search.Query{Query: text(oppose), Method: "none", K: 5}, search.Query{Query: text(oppose), Method: "add", K: 5})

	if !call[bool](t, page, `() => document.querySelector('option[value=contrast]').disabled`) {
		t.Error("contrast is offered for a collection without angles")
	}

	// Edited perspectives are kept when the query changes.
	call[any](t, page, `() => {
		const chip = document.querySelector('#perspectives input');
		chip.value = 'a passenger';
		chip.dispatchEvent(new Event('input', { bubbles: true }));
		document.getElementById('add').click();
		const other = document.querySelectorAll('#perspectives input')[1];
		other.value = 'a taxpayer';
		other.dispatchEvent(new Event('input', { bubbles: true }));
	}`)
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, set, "query", "sleeping on rails")
	root := text("Night trains deserve public subsidy")
	settled("edited perspectives", search.Query{Query: text("sleeping on rails"), Method: "none", K: 5},
		search.Query{Query: text("sleeping on rails"), Root: &root, Perspectives: []search.Text{text("a passenger"), text("a taxpayer")}, Method: "pap+", K: 5})

	// Read the query again: its words have no perspective, and the page says what is
	// missing.
	call[any](t, page, `() => document.getElementById('reread').click()`)
	waitFor(t, page, `document.querySelector('#chosen .lack')?.textContent.includes('needs a perspective') && document.querySelectorAll('#plain .move:not([hidden])').length === 0`)

	call[any](t, page, `() => document.querySelector('.example').click()`)
	settled("an example", search.Query{Query: text(query), Method: "none", K: 5}, search.Query{Query: text(query), Method: "pap+", K: 5})

	explained := call[string](t, page, `async () => {
		const details = document.querySelector('#chosen details');
		details.open = true;
		await new Promise((resolve) => { details.ontoggle = () => setTimeout(resolve); });
		return details.textContent;
	}`)
	if !strings.Contains(explained, "Plain cosine:") || !strings.Contains(explained, "along the perspective") {
		t.Errorf("explanation: %s", explained)
	}
	if note := call[string](t, page, `() => document.querySelector('.note').textContent`); !strings.Contains(note, "cannot tell support from opposition") || !strings.Contains(note, "vantage-static-en") {
		t.Errorf("the page does not say what its encoder cannot do: %s", note)
	}
	if n := call[int](t, page, `async () => (await window.vantage.search({ query: 'trains' })).hits.length`); n != 10 {
		t.Errorf("window.vantage finds %d", n)
	}
}

// Tab goes through the page in its order, and each element that it reaches has a
// visible focus and a name.
func TestDemoKeyboard(t *testing.T) {
	page := demo(t, debates(t))
	call[any](t, page, set, "method", "pap+") // Automatic has no λ
	call[any](t, page, `() => { document.getElementById('settings').open = true; }`)
	var order []string
	for range 30 {
		if err := page.Do(pressKey("Tab", 9)); err != nil {
			t.Fatal(err)
		}
		type focus struct {
			Name    string
			Outline string
			Label   string
		}
		f := call[focus](t, page, `() => {
			const e = document.activeElement;
			return { name: e.id || e.className || e.tagName, outline: getComputedStyle(e).outlineStyle, label: e.labels?.[0]?.textContent || e.ariaLabel || e.textContent };
		}`)
		if f.Name == "BODY" {
			break
		}
		order = append(order, f.Name)
		if f.Outline == "none" || strings.TrimSpace(f.Label) == "" {
			t.Errorf("%+v: no visible focus or no name", f)
		}
	}
	last := -1
	for _, want := range []string{"skip", "query", "primary", "example", "root", "remove", "add", "method", "lambda", "diversify", "k"} {
		at := slices.Index(order, want)
		if at < last || at < 0 {
			t.Errorf("%s is at %d of %v", want, at, order)
		}
		last = at
	}
	// Enter in the query searches.
	call[any](t, page, `() => { const q = document.getElementById('query'); q.focus(); q.value = 'bicycle helmets'; }`)
	if err := page.Do(pressKey("Enter", 13)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('#plain h3')?.textContent.includes('elmet')`)
}

func pressKey(key string, code int64) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			p := input.DispatchKeyEventParams{Type: kind, Key: key, Code: key, WindowsVirtualKeyCode: code, NativeVirtualKeyCode: code}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// The page reports an error if there is no collection.
func TestDemoFault(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	mux := http.NewServeMux()
	mux.Handle("/", folder(dir))
	mux.HandleFunc("/collection/", http.NotFound)
	page := openUnkept(t, serve(t, mux).Lab())
	page.Expect(`Failed to load resource`)
	waitFor(t, page, `document.getElementById('fault').textContent.includes('InputError')`)
	// The address can name another collection.
	other := serve(t, withCORS(folder(dir))).URL("/collection/")
	if err := page.Navigate(serve(t, mux).Lab() + "?collection=" + other + "#q=" + url.QueryEscape(oppose)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.querySelector('#chosen .hit')`)

	// If a part is damaged, the rest answers and the error stays visible.
	var first sync.Once
	var bad string
	half := openUnkept(t, serve(t, damaged(dir, func(r *http.Request) bool {
		if !isVectors(r) {
			return false
		}
		first.Do(func() { bad = r.URL.Path })
		return r.URL.Path == bad
	})).Lab())
	waitFor(t, half, `document.getElementById('fault').textContent.includes('IntegrityError') && document.querySelector('#chosen .hit')`)
	call[any](t, half, set, "k", "5")
	waitFor(t, half, `document.querySelectorAll('#chosen .hit').length === 5`)
	if text := call[string](t, half, `() => document.getElementById('fault').hidden + ' ' + document.getElementById('summary').textContent`); !strings.HasPrefix(text, "false") || !strings.Contains(text, "have arrived") {
		t.Errorf("the page says: %s", text)
	}
}

// damaged serves a site with one wrong bit in some of its files.
func damaged(dir string, which func(*http.Request) bool) http.Handler {
	good := folder(dir)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
		if err != nil || !which(r) {
			good.ServeHTTP(w, r)
			return
		}
		w.Write(flip(content))
	})
}
