package metrics_test

import (
	"fmt"

	"github.com/vantage-search/vantage/metrics"
)

// There are two roots, and a query for each of two sides of a root. Each query has its ranking,
// best first, and gold entries, the documents that answer it. Documents are corpus indexes.
func Example() {
	var queries []metrics.Judgement
	for _, q := range []struct {
		root, perspective, label string
		ranking, gold            []int
	}{
		{"night trains", "supports", "support", []int{4, 7, 1}, []int{4}},
		{"night trains", "opposes", "undermine", []int{4, 7, 1}, []int{9}},
		{"homework", "supports", "support", []int{2, 3, 5}, []int{3}},
		{"homework", "opposes", "undermine", []int{5, 3, 2}, []int{5, 6}},
	} {
		queries = append(queries, metrics.Judgement{Root: q.root, Perspective: q.perspective, Label: q.label, Rank: metrics.FirstRank(q.ranking, q.gold)})
	}
	fmt.Printf("Recall@1 %.2f, Recall@3 %.2f\n", metrics.Recall(queries, 1), metrics.Recall(queries, 3))
	fmt.Printf("p-Recall@3 %.2f\n", metrics.PRecall(queries, 3))
	for _, l := range metrics.RecallByLabel(queries, 3) {
		fmt.Printf("%s: %.2f of %d queries\n", l.Label, l.Recall, l.Queries)
	}
	fmt.Printf("mean over labels: %.2f\n", metrics.MacroRecall(queries, 3))
	// Output:
	// Recall@1 0.50, Recall@3 0.75
	// p-Recall@3 0.75
	// support: 1.00 of 2 queries
	// undermine: 0.50 of 2 queries
	// mean over labels: 0.75
}

// p-Recall is the mean over roots, so that a root with many queries does not outweigh one
// with few. The variants count the queries of a root in other ways.
func ExamplePRecall() {
	queries := []metrics.Judgement{
		{Root: "night trains", Perspective: "supports", Rank: 1},
		{Root: "night trains", Perspective: "supports", Rank: 2},
		{Root: "night trains", Perspective: "opposes"}, // not retrieved
		{Root: "homework", Perspective: "supports", Rank: 4},
	}
	fmt.Printf("Recall@5: %.3f\n", metrics.Recall(queries, 5))
	fmt.Printf("p-Recall@5: %.3f\n", metrics.PRecall(queries, 5))
	fmt.Printf("by unique perspective: %.3f\n", metrics.PRecallByUniquePerspective(queries, 5))
	fmt.Printf("as in the notebook: %.3f\n", metrics.PRecallNotebook(queries, 5))
	// Output:
	// Recall@5: 0.750
	// p-Recall@5: 0.833
	// by unique perspective: 0.750
	// as in the notebook: 0.333
}

// One ranking against the documents that answer its query.
func ExampleAveragePrecision() {
	ranking, gold := []int32{3, 8, 1, 5}, []int32{3, 1, 9}
	fmt.Printf("first at rank %d, found by rank 1: %t\n", metrics.FirstRank(ranking, gold), metrics.Success(ranking, gold, 1))
	fmt.Printf("P@4 %.2f, recall %.2f, F1 %.2f, AP %.2f\n", metrics.Precision(ranking, gold, 4), metrics.GoldRecall(ranking, gold, 4), metrics.F1(ranking, gold, 4),
		metrics.AveragePrecision(ranking, gold, 4))
	// Output:
	// first at rank 1, found by rank 1: true
	// P@4 0.50, recall 0.67, F1 0.57, AP 0.56
}

// Which side do a retriever's hits take if the query takes none?
func ExampleBias() {
	shares, queries := metrics.Bias([][]string{
		{"support", "support", "undermine"}, // of the gold documents among the first k of a query
		{"support"},
		{}, // no hit
	})
	for _, s := range shares {
		fmt.Printf("%s: in %.0f %% of %d queries, %.0f %% of the documents\n", s.Label, 100*s.Queries, queries, 100*s.Documents)
	}
	// Output:
	// support: in 100 % of 2 queries, 75 % of the documents
	// undermine: in 50 % of 2 queries, 25 % of the documents
}

func ExampleNewHeatMap() {
	m := metrics.NewHeatMap([]metrics.Located{
		{Desired: "Texas", Found: []string{"Texas", "Ohio"}},
		{Desired: "Texas", Found: []string{"Texas", "Texas"}},
		{Desired: "Ohio", Found: []string{"Texas"}},
	})
	fmt.Println(m.Locations)
	for i, row := range m.Portions {
		fmt.Println(m.Locations[i], row, "of", m.Documents[i])
	}
	// Output:
	// [Texas Ohio]
	// Texas [0.75 0.25] of 4
	// Ohio [1 0] of 1
}
