package vantage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/vantage-search/vantage"
)

// byLetter gives each word a vector by its first letter, a to d. A real encoder is a
// ColBERT.
type byLetter struct{}

func (byLetter) Model() vantage.Model { return vantage.Model{ID: "letters", Dim: 4} }

func (byLetter) Encode(context.Context, []string, vantage.Role) ([]vantage.Encoding, error) {
	return nil, errors.New("a text has no single vector")
}

func (byLetter) EncodeTokens(_ context.Context, texts []string, _ vantage.Role) (all []vantage.TokenEncoding, err error) {
	for _, text := range texts {
		var e vantage.TokenEncoding
		for word := range strings.FieldsSeq(text) {
			vector := make([]float32, 4)
			vector[(word[0]-'a')%4] = 1
			e.Vectors, e.Tokens = append(e.Vectors, vector...), e.Tokens+1
		}
		all = append(all, e)
	}
	return all, nil
}

// A collection with a vector of each token, which is ranked by MaxSim.
func ExampleTokenEncoder() {
	dir, err := os.MkdirTemp("", "collection")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		for _, text := range []string{"apples and dates", "bananas", "cherries and bananas"} {
			if !yield(vantage.Document{ID: text, Text: text}, nil) {
				return
			}
		}
	}
	var encoder vantage.TokenEncoder = byLetter{}
	ctx := context.Background()
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: encoder, TokenBits: 4}); err != nil {
		fmt.Println(err)
		return
	}
	collection, err := vantage.Open(ctx, dir, &vantage.OpenOptions{Encoder: encoder})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{
		Query: vantage.Text{Text: "cherries bananas"}, K: 2,
		Rescore: 20, // encodes the best 20 again, because stored vectors are rounded
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range result.Hits {
		fmt.Printf("%s: %.0f\n", hit.ID, hit.Score)
	}
	// Output:
	// cherries and bananas: 2
	// bananas: 1
}
