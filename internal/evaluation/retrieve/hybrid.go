package retrieve

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// hybrid fuses two rankings.
type hybrid struct {
	vectors, words Retriever
	how            search.Hybrid
}

// NewHybrid fuses the ranking by vectors with the ranking by words as `vantage search
// --hybrid` does: it takes the best max(k, search.DefaultDepth) documents of each.
func NewHybrid(vectors, words Retriever, how search.Hybrid) Retriever {
	return hybrid{vectors, words, how}
}

func (h hybrid) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
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

// withWords fuses two rankings for the queries that ask for it.
type withWords struct {
	Retriever
	words func() (Retriever, error)
}

// WithWords ranks by vectors alone, but queries with Hybrid by that fusion. words is called
// for each of those.
func WithWords(vectors Retriever, words func() (Retriever, error)) Retriever {
	return withWords{vectors, words}
}

func (w withWords) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
	if query.Hybrid == nil {
		return w.Retriever.Rank(ctx, query, k)
	}
	words, err := w.words()
	if err != nil {
		return nil, err
	}
	return NewHybrid(w.Retriever, words, *query.Hybrid).Rank(ctx, query, k)
}
