package search_test

import (
	"context"
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
)

// counting is a core that records the calls of its indexes.
type counting struct {
	search.Core
	asked []string
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
	return ix.Index.Search(r)
}

func (ix countingIndex) Explain(r *ranking.Request, hits []ranking.Hit) error {
	ix.core.asked = append(ix.core.asked, fmt.Sprintf("explain %d ranked %t", len(hits), r.CosineRank))
	return ix.Index.Explain(r, hits)
}

// A search explains only the hits that it returns, and computes cosine ranks only on
// request. A search by words does not scan vectors.
func TestWhatASearchCosts(t *testing.T) {
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
	core := &counting{Core: search.Native()}
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
		{search.Query{K: 5, Filters: year}, 5, []string{"search 5 explained true ranked false"}},
		{search.Query{K: 5, CosineRank: true}, 5, []string{"search 5 explained true ranked true"}},
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
