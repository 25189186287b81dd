package pireval

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// fixed is a retriever with given rankings. The key is a query's number, or "root " and
// the number of the root's first query.
type fixed map[string][]int

// written prepares given rankings of queries and roots.
func written(queries, roots [][]int) *Prepared {
	f := fixed{}
	for i := range queries {
		f[strconv.Itoa(i)], f["root "+strconv.Itoa(i)] = queries[i], roots[i]
	}
	return &Prepared{
		Retriever: f,
		Query:     func(i int, _ Method) (retrieve.Query, error) { return retrieve.Query{Text: strconv.Itoa(i)}, nil },
		Root:      func(i int) retrieve.Query { return retrieve.Query{Text: "root " + strconv.Itoa(i)} },
	}
}

func hitsOf(places []int, k int) []lexical.Hit {
	var hits []lexical.Hit
	for _, place := range places[:min(k, len(places))] {
		hits = append(hits, lexical.Hit{Document: uint32(place)})
	}
	return hits
}

func (f fixed) Rank(_ context.Context, q retrieve.Query, k int) ([]lexical.Hit, error) {
	if f[q.Text] == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnanswerable, q.Text)
	}
	return hitsOf(f[q.Text], k), nil
}

// TestByHand checks an example computed by hand. Root a has texts 0 and 1 for, 2
// against, all three in general; root b has text 3 for. The second query has no answer.
func TestByHand(t *testing.T) {
	task := pir.Task{
		Name: "small", Corpus: make([]string, 8), Queries: make([]string, 4), Roots: []string{"a", "a", "a", "b"},
		Perspectives: []string{"p", "o", "g", "p"}, Labels: []string{"for", "against", "general", "for"}, Gold: [][]int{{0, 1}, {2}, {0, 1, 2}, {3}},
		Locations: []string{"x", "", "y", "", "x", "", "", ""}, Desired: []string{"x", "y", "", ""},
	}
	ranker := written([][]int{{4, 0, 2}, nil, {5, 6, 7, 4, 3, 1}, {3}}, [][]int{{0, 2, 4}, nil, nil, {5, 3}})
	results, err := Task(context.Background(), &task, ranker, []Method{{Name: "m"}}, func(int) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(NewReport("small data", []Run{{Retriever: "ranker", Tasks: Ordered[Ordered[Result]]{{"small", results}}}}))
	if err != nil {
		t.Fatal(err)
	}
	// p-Recall at 1: (0 + 1)/2; at 5: (1/3 + 1)/2; at 10: (2/3 + 1)/2. The general
	// query finds its first gold text at rank 6.
	const want = `{"data":"small data","tasks":{"small":{"m":{"retriever":"ranker","n":4,` +
		`"recall":{"overall":{"1":0.25,"5":0.5,"10":0.75},"macro":{"1":0.16666666666666666,"5":0.3333333333333333,"10":0.6666666666666666},` +
		`"per_label":{"for":{"n":2,"1":0.5,"5":1,"10":1},"against":{"n":1,"1":0,"5":0,"10":0},"general":{"n":1,"1":0,"5":0,"10":1}}},` +
		`"p_recall":{"1":0.5,"5":0.6666666666666666,"10":0.8333333333333333},"p_recall_notebook":{"1":0,"5":0.16666666666666666,"10":0.3333333333333333},` +
		`"p_recall_by_unique_perspective":{"1":0.5,"5":0.6666666666666666,"10":0.8333333333333333},` +
		`"root":{"n":2,"1":0.5,"5":1,"10":1},` +
		`"bias":{"for":{"1":1,"5":1,"10":1,"documents":{"1":1,"5":0.6666666666666666,"10":0.6666666666666666}},` +
		`"against":{"1":0,"5":0.5,"10":0.5,"documents":{"1":0,"5":0.3333333333333333,"10":0.3333333333333333}},` +
		`"general":{"1":1,"5":0.5,"10":0.5,"documents":{"1":0,"5":0,"10":0}}},` +
		`"locations":{"k":5,"documents":3,"root":{"x":2,"y":1},"desired":{"x":{"n":1,"documents":3,"portions":{"x":0.6666666666666666,"y":0.3333333333333333}},"y":{"n":1,"documents":0,"portions":{}}}},` +
		`"unanswered":1}}}}`
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// TestUnanswered checks that a query without words that the encoder knows counts as
// missed.
func TestUnanswered(t *testing.T) {
	_, retriever := debates(t)
	task := pir.Task{
		Name: "strange", Corpus: []string{"one", "two"}, Queries: []string{"ꙮꙮ", "two"}, Roots: []string{"ꙮꙮ", "two"}, Perspectives: []string{"one", "one"},
		Labels: []string{"l", "l"}, Gold: [][]int{{0}, {1}},
	}
	results := evaluateTask(t, &task, retriever)
	r := results.Get("query_cosine")
	if r.Unanswered != 1 || r.N != 2 || r.Recall.Overall.At10 != 0.5 || r.Root.N != 2 || r.Root.At1 != 0.5 {
		t.Errorf("%+v", r)
	}
}
