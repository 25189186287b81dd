package extension

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/sides"
)

// reranker ranks natively, by the bundled transformer.
var reranker = sync.OnceValues(func() (*vantage.Reranker, error) {
	return vantage.NewReranker(context.Background(), sides.Encoder(), nil)
})

// ranked returns the indexes of the texts, best first, as the Go packages rank them for a
// side of the query by the bundled transformer: "a claim that supports", "a claim that
// opposes".
func ranked(t testing.TB, query, perspective string, texts []string) []int {
	t.Helper()
	known.Lock()
	defer known.Unlock()
	question := strings.Join(append([]string{query, perspective}, texts...), "\n")
	if order, ok := known.orders[question]; ok {
		return order
	}
	r, err := reranker()
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Rerank(context.Background(), vantage.Query{
		Query: vantage.Text{Text: perspective + ": " + query}, Root: &vantage.Text{Text: query},
		Perspectives: []vantage.Text{{Text: perspective}}, Method: "contrast", K: len(texts),
	}, texts)
	if err != nil {
		t.Fatal(err)
	}
	var indexes []int
	for _, hit := range result.Hits {
		indexes = append(indexes, hit.Index)
	}
	known.orders[question] = indexes
	return indexes
}

// known are the orders by their questions: many tests ask the same.
var known = struct {
	sync.Mutex
	orders map[string][]int
}{orders: map[string][]int{}}

// The two sides, in the words with which the bar asks for them.
const (
	supports = "a claim that supports"
	opposes  = "a claim that opposes"
)

// textsOf are the texts of results as the engine joins them.
func textsOf(results []pages.Result) []string {
	texts := make([]string, len(results))
	for i, r := range results {
		texts[i] = r.Title + " " + r.Snippet
	}
	return texts
}

// The results have the sides that results.json says: the transformer puts every result on
// the side that is asked for before every one on the other side.
func TestTextsHaveSides(t *testing.T) {
	t.Parallel()
	for query, count := range map[string]int{pages.Uniforms: 12, pages.Nuclear: 9} {
		results := pages.Results(query, 1, count)
		for perspective, side := range map[string]string{supports: "for", opposes: "against"} {
			order := ranked(t, query, perspective, textsOf(results))
			var sides []string
			for _, i := range order {
				sides = append(sides, results[i].Side)
			}
			t.Logf("%s, %s: %v", query, perspective, sides)
			last, other := -1, len(order)
			for at, s := range sides {
				if s == side {
					last = at
				} else if s != "neither" && other == len(order) {
					other = at
				}
			}
			if last > other {
				t.Errorf("%s, %s: a result on the other side is at %d, the last on this side at %d", query, perspective, other, last)
			}
		}
	}
}
