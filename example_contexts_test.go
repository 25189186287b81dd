package vantage_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

// Private contexts order the documents that the question finds, and each hit says which
// of them is the reason.
func ExampleBecause() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "benefits")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		for i, text := range []string{
			"Employees receive sick pay from their employer for the first four weeks of illness.",
			"Self-employed people receive sick pay if they have joined the voluntary insurance.",
			"Students may borrow books from the library of the ministry.",
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
	query := vantage.Query{Query: vantage.Text{Text: "Who pays when an employee or worker falls ill?"}, K: 2}
	for _, contexts := range [][]vantage.Text{nil, {{Text: "I have two cats."}, {Text: "I am self-employed."}}} {
		query.Contexts = contexts
		result, err := collection.Search(ctx, query)
		if err != nil {
			log.Fatal(err)
		}
		best := result.Hits[0]
		fmt.Println(best.Text)
		var because *vantage.Because
		if because = best.Because; because != nil {
			fmt.Println("because:", because.Text)
		}
	}
	// Output:
	// Employees receive sick pay from their employer for the first four weeks of illness.
	// Self-employed people receive sick pay if they have joined the voluntary insurance.
	// because: I am self-employed.
}
