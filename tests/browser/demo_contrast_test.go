package browser

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// sidesDemo opens the page with the collection of sidesSite.
func sidesDemo(t *testing.T) (page *harness.Page, collection *search.Collection, texts []string) {
	t.Helper()
	site, texts := sidesSite(t)
	dir := t.TempDir()
	if err := errors.Join(pages.Write(dir), os.Symlink(filepath.Join(site, "collection"), filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	return demo(t, dir), native(t, filepath.Join(dir, "collection")), texts
}

// If the collection tells sides apart, the page's menu offers contrast: it ranks as Go does,
// explains its scores, and says what a query lacks.
func TestDemoContrast(t *testing.T) {
	t.Parallel()
	page, collection, _ := sidesDemo(t)
	const king = "the king walked to the city"
	for _, wording := range []string{"reasons against: ", "Find a claim that supports the argument: "} {
		query := search.Text{Text: wording + king}
		call[any](t, page, set, "query", query.Text)
		call[any](t, page, set, "method", "contrast")
		want := indexes(t, collection, search.Query{Query: query, Method: "contrast"})
		for deadline := time.Now().Add(20 * time.Second); !slices.Equal(shown(t, page, "chosen"), want); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %v, want %v", query.Text, shown(t, page, "chosen"), want)
			}
		}
	}
	// Its strength follows the slider, which begins with what the encoder recommends.
	at := func(want string) {
		t.Helper()
		waitFor(t, page, `document.getElementById('chosen-at').textContent === 'β `+want+`' && document.getElementById('strength-value').textContent === '`+want+`'`)
	}
	at("0.3")
	call[any](t, page, set, "strength", "-0.5")
	at("−0.5")
	supports := search.Text{Text: "Find a claim that supports the argument: " + king}
	if got, want := shown(t, page, "chosen"), indexes(t, collection, search.Query{Query: supports, Method: "contrast", Strength: ptr(-0.5)}); !slices.Equal(got, want) {
		t.Errorf("with β −0.5, %v, want %v", got, want)
	}
	// Going back restores it, and Automatic takes the strength of its table.
	call[any](t, page, `() => { document.getElementById('form').requestSubmit(); }`)
	waitFor(t, page, `location.hash.includes('method=contrast') && location.hash.includes('strength=-0.5')`)
	call[any](t, page, set, "method", "auto")
	waitFor(t, page, `document.getElementById('chosen-why').textContent === 'Automatic: contrast 0.4, because the query asks for a side.' && document.getElementById('strength-control').hidden`)
	if got, want := shown(t, page, "chosen"), indexes(t, collection, search.Query{Query: supports}); !slices.Equal(got, want) {
		t.Errorf("automatically, %v, want %v", got, want)
	}
	call[any](t, page, `() => { document.getElementById('form').requestSubmit(); }`)
	waitFor(t, page, `location.hash.includes('method=auto')`)
	call[any](t, page, `() => history.back()`)
	at("−0.5")
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, set, "method", "contrast")
	at("0.3")
	got := call[string](t, page, `async () => {
		const details = document.querySelector('#chosen .hit details');
		details.open = true;
		while (!details.querySelector('.explanation')) await new Promise((resolve) => setTimeout(resolve, 20));
		return details.querySelector('.equation').innerHTML + details.querySelector('dl').textContent;
	}`)
	for _, part := range []string{"cos(r, c) + β min(slant, 0.3)", "topic", "what it is about", "angle"} {
		if !strings.Contains(got, part) {
			t.Errorf("explained as %q, which lacks %q", got, part)
		}
	}
	if about := call[string](t, page, `() => document.getElementById('encoder-short').textContent`); !strings.Contains(about, "tells sides apart") {
		t.Errorf("about the encoder: %q", about)
	}
	// Words join in if the table says so, and the explanation says what they do.
	call[any](t, page, set, "query", "the king in the snow")
	call[any](t, page, set, "method", "auto")
	waitFor(t, page, `document.getElementById('chosen-why').textContent === 'Automatic: the plain cosine with the words, because the query has no perspective.'`)
	if got, want := shown(t, page, "chosen"), indexes(t, collection, search.Query{Query: search.Text{Text: "the king in the snow"}}); !slices.Equal(got, want) {
		t.Errorf("with words, %v, want %v", got, want)
	}
	fused := call[string](t, page, `async () => {
		const details = document.querySelector('#chosen details');
		details.open = true;
		while (!details.querySelector('.explanation')) await new Promise((resolve) => setTimeout(resolve, 20));
		const text = details.textContent;
		details.open = false;
		return text;
	}`)
	if !strings.Contains(fused, "Fused with the words of the query, which put it at rank ") {
		t.Errorf("explanation: %s", fused)
	}
	call[any](t, page, set, "method", "contrast")
	// A perspective that names no side is refused, and the plain answer stays.
	call[any](t, page, set, "query", "a king's view of: "+king)
	call[any](t, page, `() => {
		const chip = document.querySelector('#perspectives input') ?? (document.getElementById('add').click(), document.querySelector('#perspectives input'));
		chip.value = 'a king';
		chip.dispatchEvent(new Event('input', { bubbles: true }));
		const root = document.getElementById('root');
		root.value = 'the city';
		root.dispatchEvent(new Event('input', { bubbles: true }));
	}`)
	waitFor(t, page, `document.querySelector('#chosen .lack')?.textContent.startsWith('Method contrast asks for a side') && document.querySelector('#plain .hit')`)
	if !call[bool](t, page, `() => document.getElementById('fault').hidden`) {
		t.Error("a refused query is shown as a fault")
	}
}
