package vantage_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

func indexZoos(dir string) error {
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
	_, err := vantage.Index(context.Background(), documents, dir, vantage.IndexOptions{Encoder: sides.Encoder()})
	return err
}

// Which documents are for a claim, and which are against it?
func ExampleCollection_Sides() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, zoos, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	strength := 0.5
	var found *vantage.Sides
	if found, err = collection.Sides(ctx, vantage.SidesQuery{Root: "Zoos should be closed", Strength: &strength}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d for, %d against, %d on neither side\n", found.For.Count, found.Against.Count, found.Neither.Count)
	for _, side := range []vantage.SideHits{found.For, found.Against} {
		for _, hit := range side.Hits {
			var said vantage.Stance = *hit.Stance
			fmt.Printf("%s, probability %.1f: %s\n", said.Side, said.Probability, hit.Text)
		}
	}
	// Output:
	// 1 for, 1 against, 0 on neither side
	// for, probability 0.9: Zoos are cruel: animals suffer in cages.
	// against, probability 0.7: Zoos save endangered species and teach children.
}

// What is on the other side of a document?
func ExampleCollection_OtherSide() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, zoos, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	cruel, err := collection.FindDocument(ctx, "0")
	if err != nil {
		log.Fatal(err)
	}
	strength := 1.0
	var other *vantage.OtherSide
	if other, err = collection.OtherSide(ctx, vantage.OtherSideQuery{Document: cruel, Root: "Zoos should be closed", Strength: &strength, K: 1}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(other.Of.Text)
	fmt.Println("on the other side:", other.Hits[0].Text)
	// Output:
	// Zoos are cruel: animals suffer in cages.
	// on the other side: Zoos save endangered species and teach children.
}

// The sides of texts that need not be in the collection, by its encoder.
func ExampleCollection_SidesOf() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, zoos, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	found, err := collection.SidesOf(ctx, vantage.SidesQuery{Root: "Zoos should be closed"}, []string{
		"Zoos protect animals that are almost extinct.",
		"A cage is no home for an elephant: zoos must close.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.For.Hits[0].Text)
	// Output:
	// A cage is no home for an elephant: zoos must close.
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
