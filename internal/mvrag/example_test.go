package mvrag_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vantage-search/vantage/internal/mvrag"
)

// The steps of MVRAG, with readings that are written here in place of a chat model's.
func Example() {
	domain, err := mvrag.Open("geography")
	if err != nil {
		log.Fatal(err)
	}
	reading, err := mvrag.Read(context.Background(), written{}, "Do night trains help cities?", mvrag.DefaultThreshold)
	if err != nil {
		log.Fatal(err)
	}
	const k = 4
	for i, share := range mvrag.Share(reading.Views, k) {
		v := reading.Views[i]
		fmt.Printf("%s, %.1f: %s (%d documents)\n", domain.Perspectives[v.Perspective].Name, v.Weight, v.Query, share)
	}
	rankings := [][]mvrag.Hit{{{Document: 7, Score: 0.8}, {Document: 2, Score: 0.5}}, {{Document: 2, Score: 0.9}, {Document: 5, Score: 0.7}}} // a search for each
	for _, f := range mvrag.Merge(reading.Views, rankings, k) {
		fmt.Printf("document %d: %.2f, by %s\n", f.Document, f.Rel, domain.Perspectives[f.Perspective].Name)
	}
	// Output:
	// climate change, 0.6: night trains and emissions (2 documents)
	// urban development, 0.9: night trains and stations (3 documents)
	// document 2: 0.81, by urban development
	// document 5: 0.63, by urban development
	// document 7: 0.48, by climate change
}

// written is a reading of one query.
type written struct{}

func (written) Weigh(context.Context, string) ([]float64, error) {
	return []float64{0.6, 0.9, 0.2}, nil
}

func (written) Rewrite(_ context.Context, _ string, perspective int) (string, error) {
	return []string{"night trains and emissions", "night trains and stations", ""}[perspective], nil
}
