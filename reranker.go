package vantage

import (
	"context"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Reranker ranks texts that are in no collection. It may be used by several
// goroutines.
type Reranker struct{ search *search.Collection }

// NewReranker returns a reranker with an encoder, which must not be nil. engine may be
// nil: Go code ranks. Errors are of kind ErrInput or ErrUnsupported (a static encoder
// that the engine does not read), ErrLimit, ErrUnavailable (the engine is closed) or ErrInternal.
func NewReranker(ctx context.Context, e Encoder, engine *Engine) (*Reranker, error) {
	if e == nil {
		return nil, fault.New(fault.Input, "a reranker needs an encoder: give one, such as english.Encoder()")
	}
	o := search.Options{Encoder: encodingBy(e)}
	engine.set(&o)
	c, err := search.Create(ctx, o)
	if err != nil {
		return nil, classify(ctx, err, fault.Input)
	}
	return &Reranker{c}, nil
}

// Rerank ranks texts for a query. The index of a hit is the position of its text, and its
// id is empty. MethodAuto chooses no words. Errors are of kind ErrQuery (also if the query has
// Filters, Hybrid, Contexts or MethodWords), ErrInput (the encoder does not give the vectors that
// its Model describes), ErrLimit or ErrInternal, or those of the context and the encoder.
func (r *Reranker) Rerank(ctx context.Context, q Query, texts []string) (*Result, error) {
	result, err := r.search.Rerank(ctx, queryOf(q), texts)
	if err != nil {
		return nil, classify(ctx, err, fault.Query)
	}
	return resultOf(result), nil
}

// Encode encodes texts in order, by the reranker's encoder in its engine. Errors are those of
// Rerank.
func (r *Reranker) Encode(ctx context.Context, texts []string, role Role) ([]Encoding, error) {
	return encodeWith(ctx, r.search, texts, role)
}

// Close frees the reranker's memory after the calls under way have ended. Later calls
// fail with ErrClosed.
func (r *Reranker) Close() error { return r.search.Close() }
