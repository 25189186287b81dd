package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// counting is a core that records the calls of its indexes.
type counting struct {
	search.Core
	asked []string

	cuts      int // calls that were told the cut
	forgetful bool
}

func (c *counting) OpenIndex(dim int, dtype shard.DType, rows int) (search.Index, error) {
	ix, err := c.Core.OpenIndex(dim, dtype, rows)
	return countingIndex{ix, c}, err
}

type countingIndex struct {
	search.Index
	core *counting
}

func (ix countingIndex) Search(r *ranking.Request) ([]ranking.Hit, error) {
	ix.core.asked = append(ix.core.asked, fmt.Sprintf("search %d explained %t ranked %t", r.K, r.Explain, r.CosineRank))
	return ix.Index.Search(ix.core.forget(r))
}

func (ix countingIndex) Explain(r *ranking.Request, hits []ranking.Hit) error {
	ix.core.asked = append(ix.core.asked, fmt.Sprintf("explain %d ranked %t", len(hits), r.CosineRank))
	return ix.Index.Explain(ix.core.forget(r), hits)
}

func (ix countingIndex) Cut(r *ranking.Request) (float64, error) {
	ix.core.asked = append(ix.core.asked, "cut")
	return ix.Index.Cut(r)
}

// forget is a request without its cut, if that is wanted, so that each call finds the cut again.
func (c *counting) forget(r *ranking.Request) *ranking.Request {
	if r.Cut != nil {
		c.cuts++
	}
	if !c.forgetful {
		return r
	}
	without := *r
	without.Cut = nil
	return &without
}

// dated is a collection of 300 documents, and a core to open it on.
func dated(t *testing.T) (*store.Store, *counting) {
	t.Helper()
	dir := t.TempDir()
	documents := func(yield func(store.Document, error) bool) {
		for i := range 300 {
			d := store.Document{ID: fmt.Sprint(i), Text: fmt.Sprintf("trains of the year %d", i%7), Metadata: map[string]any{"year": float64(i % 7)}}
			if !yield(d, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), dir, documents, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return st, &counting{Core: search.Native()}
}

// A search explains the hits that it shows, and ranks them by the plain cosine if that is asked for; one by
// words does not search among vectors.
func TestWhatASearchCosts(t *testing.T) {
	st, core := dated(t)
	c, err := search.Open(t.Context(), st, search.Options{Cores: func(context.Context) (search.Core, error) { return core, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	year := []search.Filter{{Field: "year", Low: new(2.), High: new(4.)}}
	for _, q := range []struct {
		query search.Query
		hits  int
		asked []string
	}{
		{search.Query{K: 5, Method: "none", Filters: year}, 5, []string{"search 5 explained true ranked false"}},
		{search.Query{K: 5, Filters: year}, 5, []string{"search 100 explained false ranked false", "explain 5 ranked false"}}, // auto chooses words, too
		{search.Query{K: 5, Method: "none", CosineRank: true}, 5, []string{"search 5 explained true ranked true"}},
		{search.Query{K: 5, Method: search.MethodWords, Filters: year}, 5, nil},
		{search.Query{K: 5, Hybrid: &search.Hybrid{}, Filters: year}, 5, []string{"search 100 explained false ranked false", "explain 5 ranked false"}},
		{search.Query{K: 200, Hybrid: &search.Hybrid{}, CosineRank: true}, 200, []string{"search 200 explained false ranked false", "explain 200 ranked true"}},
	} {
		q.query.Query.Text, core.asked = "trains of the year 3", nil
		r, err := c.Search(t.Context(), q.query)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) != q.hits || !slices.Equal(core.asked, q.asked) {
			t.Errorf("%+v: %d hits, the index was called for %q, want %q", q.query, len(r.Hits), core.asked, q.asked)
		}
		for _, h := range r.Hits {
			if explained := h.Explain.Norm > 0; explained != (q.asked != nil) || (h.Explain.CosineRank > 0) != q.query.CosineRank {
				t.Fatalf("%+v: %+v", q.query, h)
			}
		}
	}
}

// A gated hybrid search finds the cut of its gate once, and answers with the same bits as one whose every step finds it.
func TestGateOfAHybridSearch(t *testing.T) {
	st, core := dated(t)
	c, err := search.Open(t.Context(), st, search.Options{Cores: func(context.Context) (search.Core, error) { return core, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, method := range perspective.Methods() {
		if !method.Gated {
			continue
		}
		q := search.Query{
			Query: search.Text{Text: "trains of the year 3"}, Root: &search.Text{Text: "trains"}, Perspectives: []search.Text{{Text: "year"}},
			Method: method.Name, K: 9, CosineRank: true, Filters: []search.Filter{{Field: "year", Low: new(1.)}}, Hybrid: &search.Hybrid{Fusion: "min-max", Weight: new(0.25)},
		}
		var answers [2]string
		for i, forgetful := range []bool{false, true} {
			core.asked, core.cuts, core.forgetful = nil, 0, forgetful
			r, err := c.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			answers[i] = string(text)
			if want := []string{"cut", "search 100 explained false ranked false", "explain 9 ranked true"}; !slices.Equal(core.asked, want) || core.cuts != 2 {
				t.Errorf("%s: the index was asked to %q, with the cut %d times", method.Name, core.asked, core.cuts)
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: with one cut\n%s\nwith a cut for each step\n%s", method.Name, answers[0], answers[1])
		}
	}
}
