package vantage_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
)

// A reranker ranks texts that come from elsewhere, such as another search engine.
func ExampleReranker() {
	reranker, err := vantage.NewReranker(context.Background(), english.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(context.Background(), vantage.Query{Query: vantage.Text{Text: "railways"}}, []string{"The bread is warm.", "The train is late."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// The train is late.
}

// The index of a hit is the position of its text.
func ExampleReranker_Rerank() {
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, english.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(ctx, vantage.Query{
		Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"},
		K:     1,
	}, []string{"Bread rises overnight.", "Trains at night cost more than they bring."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Method, result.Hits[0].Index)
	// Output:
	// tri-sum 1
}

// A query that ranks several lists of texts need not be encoded each time.
func ExampleReranker_Encode() {
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, english.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	encoded, err := reranker.Encode(ctx, []string{"railways"}, vantage.RoleQuery)
	if err != nil {
		log.Fatal(err)
	}
	query := vantage.Query{Query: vantage.Text{Vector: encoded[0].Vector}, Method: "none"}
	for _, texts := range [][]string{{"The bread is warm.", "The train is late."}, {"Two locomotives.", "A song."}} {
		result, err := reranker.Rerank(ctx, query, texts)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Hits[0].Text)
	}
	// Output:
	// The train is late.
	// Two locomotives.
}

// A call after Close fails.
func ExampleReranker_Close() {
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, english.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := reranker.Close(); err != nil {
		log.Fatal(err)
	}
	_, err = reranker.Rerank(ctx, vantage.Query{Query: vantage.Text{Text: "railways"}}, []string{"The train is late."})
	fmt.Println(errors.Is(err, vantage.ErrClosed))
	// Output:
	// true
}
