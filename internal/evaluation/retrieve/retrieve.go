// Package retrieve has the retrievers that evaluations run: BM25, the cosine of an
// encoder's vectors, and their fusion, ranking as the searches of this module do.
package retrieve

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// Query is what documents are ranked for.
type Query struct {
	Text string
	// Vectors, unless nil, are what a retriever by vectors ranks by, with the method
	// that they name, in place of the cosine of the text's own vector. Retrievers by
	// words pass them over.
	Vectors *perspective.Query
}

// Retriever ranks documents for a query: the one interface of all evaluations. Its
// method may be called by several goroutines at a time.
type Retriever interface {
	// Rank returns at most k documents, best first, equal scores by number. Documents
	// are numbered from 0 in the order of the corpus.
	Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error)
}

// Index is a retriever that reads the documents itself.
type Index interface {
	Retriever
	// Add indexes the next documents.
	Add(ctx context.Context, texts []string) error
}

// Batch is how many documents an index is best given at a time.
const Batch = 256

// Fill adds a corpus to an index. progress, which may be nil, is told how many
// documents are in it.
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
