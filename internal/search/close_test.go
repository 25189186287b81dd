package search_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestClose(t *testing.T) {
	texts := []string{"Night trains deserve public subsidy.", "Sleeper cars are full in summer.", "Uniforms hide who pupils are.", "Pupils dislike stiff collars.", "Zarquon met the mayor, whose dog barked at every passing tram and at the postman."}
	index := func(model staticmodel.Files) *search.Collection {
		dir := t.TempDir()
		docs := func(yield func(store.Document, error) bool) {
			for i, text := range texts {
				if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"n": float64(i)}}, nil) {
					return
				}
			}
		}
		if _, err := collection.Write(t.Context(), dir, docs, collection.Options{Rows: collection.Carried{Model: model}, Terms: true}); err != nil {
			t.Fatal(err)
		}
		st, err := store.Open(t.Context(), os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		c, err := search.Open(t.Context(), st, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	measured, other := index(builtin.Builtin()), index(staticmodeltest.Tiny(t))
	text := func(s string) search.Query { return search.Query{Query: search.Text{Text: s}} }
	of := func(q search.Query, change func(*search.Query)) search.Query {
		change(&q)
		return q
	}
	low := 9.0
	vector := make([]float32, 256)
	vector[0] = 1
	const astronomy = "Which telescope shows the rings of Saturn?"
	for name, c := range map[string]struct {
		collection *search.Collection
		query      search.Query
		want       string
	}{
		"on the subject":       {measured, text("subsidies for night trains"), "true"},
		"by its root":          {measured, of(text("What would a shopkeeper in a faraway country with a small harbour say about the argument, or rather about this: night trains"), func(q *search.Query) { q.Root = &search.Text{Text: "night trains"} }), "true"},
		"another subject":      {measured, text(astronomy), "false"},
		"and another root":     {measured, text("Find a claim that opposes the argument: Saturn has rings"), "false"},
		"an unknown word":      {measured, text("zarquon"), "true"},
		"with another one":     {measured, text("zarquon telescope saturn rings observatory"), "false"},
		"filtered away":        {measured, of(text("night trains"), func(q *search.Query) { q.Filters = []search.Filter{{Field: "n", Low: &low}} }), "false"},
		"a vector":             {measured, search.Query{Query: search.Text{Vector: vector}}, "unknown"},
		"a root as a vector":   {measured, of(text(astronomy), func(q *search.Query) { q.Root = &search.Text{Vector: vector} }), "unknown"},
		"not measured":         {other, text("red"), "unknown"},
		"words":                {measured, of(text("night trains"), func(q *search.Query) { q.Method = search.MethodWords }), "true"},
		"some of the words":    {measured, of(text("night buses"), func(q *search.Query) { q.Method = search.MethodWords }), "unknown"},
		"none of the words":    {measured, of(text("saturn"), func(q *search.Query) { q.Method = search.MethodWords }), "false"},
		"words, not measured":  {other, of(text("saturn"), func(q *search.Query) { q.Method = search.MethodWords }), "false"},
		"a little below":       {measured, text("a passing fashion of the season in Paris"), "false"}, // 0.150 of 0.193
		"and two of its words": {measured, text("every passing fashion of the season"), "true"},       // 0.189
		"one hit is enough":    {measured, of(text("night trains"), func(q *search.Query) { q.K = 1 }), "true"},
		"whatever the method":  {measured, of(text(astronomy), func(q *search.Query) { q.Method, q.K = "none", 3 }), "false"},
		"a method by the root": {measured, of(text("Find a claim that supports the argument: night trains"), func(q *search.Query) { q.Method = "root" }), "true"},
	} {
		r, err := c.collection.Search(t.Context(), c.query)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := "unknown"
		if r.Close != nil {
			got = fmt.Sprint(*r.Close)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (level %g, %+v)", name, got, c.want, c.collection.Manifest().Close, r.Hits)
		}
	}
	if r, err := measured.Rerank(t.Context(), text(astronomy), texts); err != nil || r.Close != nil {
		t.Errorf("rerank: %v, %v", r, err)
	}

	// Auto is the default ranking of given texts, too.
	q := search.Query{Query: search.Text{Text: "Find a claim that opposes the argument: trains deserve subsidy"}}
	want, err := measured.Rerank(t.Context(), q, texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, q.Method = range []string{"auto", "AUTO"} {
		if got, err := measured.Rerank(t.Context(), q, texts); err != nil || got.Method != want.Method || !reflect.DeepEqual(got.Hits, want.Hits) {
			t.Errorf("%s: %+v, %v, want %+v", q.Method, got, err, want)
		}
	}
	q.Method = "nothing"
	if _, err := measured.Rerank(t.Context(), q, texts); !errors.Is(err, fault.Query) {
		t.Errorf("an unknown method: %v", err)
	}
}
