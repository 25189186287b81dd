package beir

import (
	"context"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/wasm/lexical"
	"github.com/vantage-search/vantage/wasm/search"
)

// Retriever ranks documents for a query. Its method may be called by several
// goroutines at a time.
type Retriever interface {
	// Rank returns at most k documents, best first, equal scores by number. Documents
	// are numbered from 0 in the order of the corpus.
	Rank(ctx context.Context, query string, k int) ([]lexical.Hit, error)
}

// Index is a retriever that reads the documents itself.
type Index interface {
	Retriever
	// Add indexes the next documents.
	Add(ctx context.Context, texts []string) error
}

// bm25 is wasm/lexical's Index, the BM25 that searches use.
type bm25 struct{ index *lexical.Index }

// NewBM25 is BM25 over lower-cased Unicode words, as the command's searches rank.
func NewBM25(p lexical.Parameters) (Index, error) {
	index, err := lexical.New(p)
	if err != nil {
		return nil, err
	}
	return bm25{index}, nil
}

func (b bm25) Add(_ context.Context, texts []string) error {
	for _, text := range texts {
		if _, err := b.index.Add(text); err != nil {
			return err
		}
	}
	return nil
}

func (b bm25) Rank(_ context.Context, query string, k int) ([]lexical.Hit, error) {
	return b.index.Search(lexical.Query{Text: query, K: k})
}

// okapi holds the texts until the first query: its figures are those of the
// whole corpus.
type okapi struct {
	texts []string
	built func() *lexical.Okapi
}

// NewOkapi is BM25 as the Python package rank_bm25 computes it over texts split
// at single spaces. It ranks every document, also by scores of 0 and below.
func NewOkapi() Index {
	o := &okapi{}
	o.built = sync.OnceValue(func() *lexical.Okapi {
		index := lexical.NewOkapi(o.texts)
		o.texts = nil
		return index
	})
	return o
}

func (o *okapi) Add(_ context.Context, texts []string) error {
	o.texts = append(o.texts, texts...)
	return nil
}

func (o *okapi) Rank(_ context.Context, query string, k int) ([]lexical.Hit, error) {
	ranking := o.built().Rank(query)
	return ranking[:min(k, len(ranking))], nil
}

// hybrid fuses two rankings.
type hybrid struct {
	vectors, words Retriever
	how            search.Hybrid
}

// NewHybrid fuses the ranking by vectors with that by words as `vantage search
// --hybrid` does: of either, the best k, and not fewer than search.DefaultDepth.
func NewHybrid(vectors, words Retriever, how search.Hybrid) Retriever {
	return hybrid{vectors, words, how}
}

func (h hybrid) Rank(ctx context.Context, query string, k int) ([]lexical.Hit, error) {
	depth := max(k, search.DefaultDepth)
	byVector, err := h.vectors.Rank(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	byWords, err := h.words.Rank(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	fused, err := h.how.Fuse(byVector, byWords)
	if err != nil {
		return nil, fmt.Errorf("hybrid: %w", err)
	}
	return fused[:min(k, len(fused))], nil
}
