package vantage_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

// Which documents are for a claim, which are against it, and what is on the other side of
// a document?
func ExampleCollection_Sides() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "zoos")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		for i, text := range []string{
			"Zoos are cruel: animals suffer in cages.",
			"Zoos save endangered species and teach children.",
			"A train to Vienna leaves at ten.",
		} {
			if !yield(vantage.Document{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: sides.Encoder()}); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()

	const root = "Zoos should be closed"
	var found *vantage.Sides
	if found, err = collection.Sides(ctx, vantage.SidesQuery{Root: root}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d for, %d against, %d on neither side\n", found.For.Count, found.Against.Count, found.Neither.Count)
	for _, side := range []vantage.SideHits{found.For, found.Against} {
		for _, hit := range side.Hits {
			var said vantage.Stance = *hit.Stance
			fmt.Printf("%s, probability %.1f: %s\n", said.Side, said.Probability, hit.Text)
		}
	}

	var other *vantage.OtherSide
	if other, err = collection.OtherSide(ctx, vantage.OtherSideQuery{Document: found.For.Hits[0].Index, Root: root}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("on the other side: %s\n", other.Hits[0].Text)
	// Output:
	// 1 for, 1 against, 0 on neither side
	// for, probability 0.8: Zoos are cruel: animals suffer in cages.
	// against, probability 0.6: Zoos save endangered species and teach children.
	// on the other side: Zoos save endangered species and teach children.
}

// The sides of texts that are in no collection.
func ExampleReranker_SidesOf() {
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, sides.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	found, err := reranker.SidesOf(ctx, vantage.SidesQuery{Root: "Night trains deserve public subsidy"}, []string{
		"Subsidies for night trains waste public money on few passengers.",
		"Subsidised night trains save flights and help the climate.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.For.Hits[0].Index, found.Against.Hits[0].Index)
	// Output: 1 0
}
