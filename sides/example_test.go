package sides_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

func ExampleEncoder() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "uniforms")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		for i, text := range []string{"Uniforms end bullying over clothes.", "A train to Vienna leaves at ten.", "Uniforms suppress who pupils are."} {
			if !yield(vantage.Document{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: sides.Encoder()}); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, dir, nil) // it carries the encoder
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	about := collection.Describe()
	fmt.Println(about.Model.ID, about.Dim, about.AngleDim)
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}, K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// vantage-sides 384 128
	// A train to Vienna leaves at ten.
}
