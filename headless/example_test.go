package headless_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/headless"
)

func Example() {
	ctx := context.Background()
	engine, err := headless.New(ctx, headless.WithInstances(1))
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	reranker, err := vantage.NewReranker(ctx, english.Encoder(), engine)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(ctx, vantage.Query{Query: vantage.Text{Text: "sleeping in a train"}}, []string{
		"A soup of leeks.", "The sleeping car left at ten.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// The sleeping car left at ten.
}

func ExampleWithCacheDir() {
	dir, err := os.MkdirTemp("", "compiled")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	engine, err := headless.New(context.Background(), headless.WithCacheDir(filepath.Join(dir, "vantage")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine.Close())
	// Output:
	// <nil>
}

func ExampleWithMemoryLimit() {
	ctx := context.Background()
	engine, err := headless.New(ctx, headless.WithMemoryLimit(5<<20))
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	_, err = vantage.NewReranker(ctx, english.Encoder(), engine)
	fmt.Println(errors.Is(err, vantage.ErrLimit))
	// Output:
	// true
}
