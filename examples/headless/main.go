// Command perspective-ci shows how another project, such as the tests of a
// static site, runs the browser's search without a browser: it opens a
// collection like the page and prints the results of a query.
//
//	go run . COLLECTION "Find a claim that opposes the argument: …"
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/headless"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: perspective-ci COLLECTION QUERY")
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, dir, query string) error {
	engine, err := headless.New(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	collection, err := vantage.Open(ctx, dir, &vantage.OpenOptions{Engine: engine})
	if err != nil {
		return err
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: query}, K: 3})
	if err != nil {
		return err
	}
	for _, hit := range result.Hits {
		fmt.Printf("%d %.4f %s\n", hit.Rank, hit.Score, hit.ID)
	}
	return nil
}
