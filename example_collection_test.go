package vantage_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/vantage-search/vantage"
)

func ExampleCollection() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	novelty := 0.5
	result, err := collection.Search(ctx, vantage.Query{
		Query: vantage.Text{Text: "reasons to give up a car"},
		K:     3,
		MMR:   &novelty, // the lower, the more the hits differ from each other
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result.Hits), "of", collection.Describe().Documents, "documents")
	// Output:
	// 3 of 1157 documents
}

// A call after Close fails.
func ExampleCollection_Close() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := collection.Close(); err != nil {
		log.Fatal(err)
	}
	_, err = collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}})
	fmt.Println(errors.Is(err, vantage.ErrClosed))
	// Output:
	// true
}

func ExampleCollection_FindDocument() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	index, err := collection.FindDocument(ctx, "night-trains-07")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(index)
	_, err = collection.FindDocument(ctx, "day-trains-07")
	fmt.Println(errors.Is(err, vantage.ErrQuery))
	// Output:
	// 114
	// true
}

func ExampleCollection_Place() {
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	fmt.Println(collection.Place() == debates)
	// Output:
	// true
}

func ExampleDescription() {
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	var about *vantage.Description = collection.Describe()
	fmt.Printf("%d documents, %d components of type %s in each vector\n", about.Documents, about.Dim, about.DType)
	// Output:
	// 1157 documents, 256 components of type I8 in each vector
}

// Without an encoder in the collection, a search by text needs one from the program, or an index of words.
func ExampleDescription_CarriesEncoder() {
	carries := func(dir string) bool {
		collection, err := vantage.Open(context.Background(), dir, &vantage.OpenOptions{Lazy: true})
		if err != nil {
			log.Fatal(err)
		}
		defer collection.Close()
		return collection.Describe().CarriesEncoder()
	}
	fmt.Println(carries(debates))
	// Output:
	// true
}

// MethodWords and Hybrid need an index of words.
func ExampleDescription_HasWords() {
	for _, dir := range []string{debates, zoos} {
		collection, err := vantage.Open(context.Background(), dir, &vantage.OpenOptions{Lazy: true})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(collection.Describe().HasWords())
		collection.Close()
	}
	// Output:
	// true
	// false
}

// The encoder that a program gives must be the one that encodes queries.
func ExampleDescription_Queries() {
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	var model vantage.Model = collection.Describe().Queries()
	fmt.Println(model.ID, model.Dim)
	// Output:
	// vantage-static-en 256
}
