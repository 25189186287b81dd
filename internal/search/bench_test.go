package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// BenchmarkSearch searches a collection of short random texts with each kind of query
// that has a cost of its own.
func BenchmarkSearch(b *testing.B) {
	const documents, vocabulary = 200_000, 5000
	random := rand.New(rand.NewPCG(1, 2))
	texts := func(yield func(store.Document, error) bool) {
		for i := range documents {
			words := make([]string, 6)
			for j := range words {
				words[j] = fmt.Sprintf("w%d", random.IntN(vocabulary))
			}
			d := store.Document{ID: fmt.Sprint(i), Text: strings.Join(words, " "), Metadata: map[string]any{"year": float64(2000 + i%20)}}
			if !yield(d, nil) {
				return
			}
		}
	}
	dir := b.TempDir()
	options := collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, DType: shard.I8, Terms: true}
	if _, err := collection.Write(b.Context(), dir, texts, options); err != nil {
		b.Fatal(err)
	}
	st, err := store.Open(b.Context(), os.DirFS(dir))
	if err != nil {
		b.Fatal(err)
	}
	c, err := search.Open(b.Context(), st, search.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	year := []search.Filter{{Field: "year", Low: new(2005.), High: new(2014.)}}
	for _, q := range []struct {
		name  string
		query search.Query
	}{
		{"pap+", search.Query{Method: "pap+"}},
		{"pap+, cosine ranks", search.Query{Method: "pap+", CosineRank: true}},
		{"pap+, filtered", search.Query{Method: "pap+", Filters: year}},
		{"cosine", search.Query{Method: "none"}},
		{"cosine, cosine ranks", search.Query{Method: "none", CosineRank: true}},
		{"re-ranking_aug, filtered", search.Query{Method: "re-ranking_aug", Filters: year}},
		{"re-ranking_aug, filtered, cosine ranks", search.Query{Method: "re-ranking_aug", Filters: year, CosineRank: true}},
		{"bm25, filtered", search.Query{Method: search.MethodWords, Filters: year}},
		{"hybrid", search.Query{Hybrid: &search.Hybrid{}}},
		{"hybrid, cosine ranks", search.Query{Hybrid: &search.Hybrid{}, CosineRank: true}},
		{"hybrid, filtered", search.Query{Hybrid: &search.Hybrid{}, Filters: year}},
	} {
		q.query.Query.Text = "Find a claim that opposes the argument: w17 w4711 w42"
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Search(b.Context(), q.query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
