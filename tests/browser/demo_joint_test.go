package browser

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// The lab shows PCAS and B2 for the question at once; B1 and B3 only after a press of a button
// that says what they tell the site. All four are as Go ranks them.
func TestDemoJoint(t *testing.T) {
	t.Parallel()
	dir := officeSite(t, pages, collection.Carried{Model: builtin.Builtin()})
	c := native(t, filepath.Join(dir, "collection"))
	const question = "Which medical costs are paid?"
	facts := []string{"I live on the island of Hern.", "I have diabetes and go to school.", "I work on my own account."}
	var contexts []search.Text
	for _, f := range facts {
		contexts = append(contexts, search.Text{Text: f})
	}
	top := func(text string, contexts []search.Text) (numbers []int) {
		t.Helper()
		result, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: text}, Method: "none", K: 10, Contexts: contexts})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range result.Hits[:5] {
			numbers = append(numbers, h.Index)
		}
		return numbers
	}
	vectors := func(role encoder.Role, texts ...string) (all [][]float32) {
		t.Helper()
		embeddings, err := c.Encode(t.Context(), texts, role)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range embeddings {
			all = append(all, e.Vector)
		}
		return all
	}
	chosen, err := joint.ByQuestion(vectors(encoder.Query, question)[0], vectors(encoder.Document, facts...))
	if err != nil {
		t.Fatal(err)
	}
	nearest := facts[chosen]
	want := map[string][]int{
		"pcas": top(question, contexts), "b2": top(question, nil),
		"b1": top(joint.Join(question, facts...), nil), "b3": top(joint.Join(question, nearest), nil),
	}

	v := &visits{Handler: withPictures(dir)}
	page := openUnkept(t, serve(t, v).URL("/lab.html"))
	waitFor(t, page, `document.querySelector('#about summary') && !document.getElementById('results').hidden`)
	for _, f := range facts {
		addFact(t, page, f)
	}
	call[any](t, page, `(query) => { const input = document.getElementById('query'); input.value = query; input.dispatchEvent(new Event('input', { bubbles: true })); }`, question)
	waitFor(t, page, `document.querySelectorAll('#joint-pcas li').length === 5 && document.querySelector('#plain .hit')`)
	shown := func(system string) []int {
		t.Helper()
		return call[[]int](t, page, `(id) => Array.from(document.querySelectorAll('#joint-' + id + ' > li'), (item) => Number(item.dataset.index))`, system)
	}
	for _, system := range []string{"pcas", "b2"} {
		waitFor(t, page, fmt.Sprintf(`JSON.stringify(Array.from(document.querySelectorAll('#joint-%s > li'), (item) => Number(item.dataset.index))) === '%s'`, system, strings.ReplaceAll(fmt.Sprint(want[system]), " ", ",")))
	}
	if slices.Equal(want["pcas"], want["b2"]) || len(shown("b1")) > 0 || !call[bool](t, page, `() => document.getElementById('joint-more').hidden`) {
		t.Errorf("PCAS %v, B2 %v, B1 without a press %v", want["pcas"], want["b2"], shown("b1"))
	}
	if reason := call[string](t, page, `() => document.querySelector('#joint-pcas .hint').textContent`); !slices.Contains(facts, strings.TrimPrefix(reason, "because: ")) {
		t.Errorf("reason %q", reason)
	}
	if says := call[string](t, page, `() => { const button = document.getElementById('joint-run'); button.focus(); return button.textContent; }`); !strings.Contains(says, "tell the site something about me") {
		t.Errorf("the button says %q", says)
	}
	violations(t, page, axe(t), "lab, about me", contrast)
	press(t, page, kb.Enter)
	waitFor(t, page, `!document.getElementById('joint-more').hidden`)
	for _, system := range []string{"b1", "b3"} {
		if got := shown(system); !slices.Equal(got, want[system]) {
			t.Errorf("%s: %v, want %v", system, got, want[system])
		}
	}
	call[any](t, page, `() => document.getElementById("about-section").scrollIntoView()`)
	violations(t, page, axe(t), "lab, all systems", contrast)

	// Another question hides them again; nothing that was sent has a word of the facts.
	call[any](t, page, `() => { const input = document.getElementById('query'); input.value = 'pension'; input.dispatchEvent(new Event('input', { bubbles: true })); }`)
	waitFor(t, page, `document.getElementById('joint-more').hidden && !document.getElementById('joint-offer').hidden`)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, request := range v.log {
		if strings.Contains(request, "diabetes") || strings.Contains(request, "Hern") {
			t.Errorf("a fact is in %s", request)
		}
	}
}
