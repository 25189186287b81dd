// Package retrieve has the retrievers that evaluations run: BM25, the vectors of encoders
// (by their cosine, dot product or MaxSim, or by a scoring method), and their fusion. They
// rank as Vantage's searches do, except Okapi, which ranks as rank_bm25 does.
package retrieve

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// Query is a query with its text, its vectors, or both.
type Query struct {
	Text string
	// Root and Perspective are given with some queries, for methods that use them.
	Root, Perspective string
	// Vectors holds the query's vectors and the scoring method, for Dense. If it is nil,
	// Dense encodes Text and ranks by its vector. Retrievers by words ignore it, and Late
	// refuses it.
	Vectors *perspective.Query
	// Tokens are the vectors of the query's tokens, for Late; nil: those of Text.
	Tokens *perspective.TokenQuery
	// Hybrid asks WithWords for a fusion with the ranking by words; nil: none.
	Hybrid *search.Hybrid
}

// Retriever ranks documents for a query. All evaluations use this interface. Rank may
// be called by several goroutines at a time.
type Retriever interface {
	// Rank returns at most k documents, best first; ties go to the lower number.
	// Documents are numbered from 0 in the order of the corpus.
	Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error)
}

// Index is a retriever that indexes the documents itself.
type Index interface {
	Retriever
	// Add indexes the next documents.
	Add(ctx context.Context, texts []string) error
}

// Batch is the number of documents that Fill adds at a time.
const Batch = 256

// Fill adds a corpus to an index. progress may be nil; it receives the number of
// documents added so far.
func Fill(ctx context.Context, x Index, corpus []string, progress func(done int)) error {
	for at := 0; at < len(corpus); at += Batch {
		end := min(at+Batch, len(corpus))
		if err := x.Add(ctx, corpus[at:end]); err != nil {
			return fmt.Errorf("documents %d to %d: %w", at, end-1, err)
		}
		if progress != nil {
			progress(end)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
