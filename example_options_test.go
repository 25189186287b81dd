package vantage_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/perspective"
)

// calm yields the documents of the two examples that follow.
func calm(yield func(vantage.Document, error) bool) {
	_ = yield(vantage.Document{ID: "calm", Text: "A calm word."}, nil) && yield(vantage.Document{ID: "loud", Text: "Never!!!"}, nil)
}

// A program's own encoder makes a collection. A run that was interrupted goes on from its
// journal.
func ExampleIndexOptions() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "calm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	place := filepath.Join(dir, "collection")
	report, err := vantage.Index(ctx, calm, place, vantage.IndexOptions{
		Name:         "Calm words",
		Generator:    "my program 1.0",
		Encoder:      lengths{}, // see the example of Encoder
		QueryEncoder: lengths{}, // which may be another one
		Score:        perspective.Dot,
		Quantize:     "f32",
		Journal:      filepath.Join(dir, "journal"),
		Workers:      2,
		Progress:     func(stage string, done, total int64) {},
		Words:        true,
		SmallFiles:   true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, "documents,", report.Encoded, "encoded")

	collection, err := vantage.Open(ctx, place, &vantage.OpenOptions{
		ChooseEncoder: func(_ context.Context, about *vantage.Description) (vantage.Encoder, error) {
			fmt.Println(about.Name, "need", about.Queries().ID)
			return lengths{}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	// Output:
	// 2 documents, 2 encoded
	// Calm words need lengths
}

// A static encoder may weigh words by their rarity in the corpus. The collection then carries the weights.
func ExampleIndexOptions_idf() {
	dir, err := os.MkdirTemp("", "calm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	report, err := vantage.Index(context.Background(), calm, dir, vantage.IndexOptions{Encoder: english.Encoder(), IDF: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, "documents, encoded by", report.Model.ID)
	// Output:
	// 2 documents, encoded by vantage-static-en
}

// The method contrast with a strength of its own, and a private context that counts as much as the query.
func ExampleQuery() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, zoos, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	strength, half := 1.0, 0.5
	result, err := collection.Search(ctx, vantage.Query{
		Query:         vantage.Text{Text: "Find a claim that opposes the argument: Zoos should be closed"},
		Method:        "contrast",
		Strength:      &strength, // of the side beside the subject
		Contexts:      []vantage.Text{{Text: "I work with endangered animals."}},
		ContextLambda: &half, // the query and the context count alike
		K:             1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// Zoos save endangered species and teach children.
}

// A fusion in which the words count for a quarter.
func ExampleHybrid() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	quarter := 0.25
	result, err := collection.Search(ctx, vantage.Query{
		Query:  vantage.Text{Text: "sleeper wagons"},
		Method: "none",
		Hybrid: &vantage.Hybrid{Fusion: "min-max", Weight: &quarter},
		K:      1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hybrid, result.Hits[0].ID)
	// Output:
	// min-max night-trains-point-06
}

// A filter on a number has two bounds, both included; a missing one is open.
func ExampleFilter() {
	dir, err := os.MkdirTemp("", "years")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	documents := func(yield func(vantage.Document, error) bool) {
		for year := 2000; year < 2005 && yield(vantage.Document{ID: fmt.Sprint(year), Text: "A train.", Metadata: map[string]any{"year": year}}, nil); year++ {
		}
	}
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: english.Encoder()}); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	low, high := 2001.0, 2002.0
	result, err := collection.Search(ctx, vantage.Query{
		Query:   vantage.Text{Text: "trains"},
		Filters: []vantage.Filter{{Field: "year", Low: &low, High: &high}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.ID)
	}
	// Output:
	// 2001
	// 2002
}

// An engine serves several collections, and is closed after them.
func ExampleEngine_Close() {
	ctx := context.Background()
	engine, err := headless.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, dir := range []string{debates, zoos} {
		collection, err := vantage.Open(ctx, dir, &vantage.OpenOptions{Engine: engine})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(collection.Describe().Documents, "documents")
		if err := collection.Close(); err != nil {
			log.Fatal(err)
		}
	}
	if err := engine.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1157 documents
	// 3 documents
}
