package retrieve

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// Late ranks by MaxSim of the vectors of tokens: of all documents with the vectors as they
// are, or as a collection stores and finds them.
type Late struct {
	encoder encoder.Late
	bits    int         // of a component of a stored vector; 0: vectors as they are
	vectors [][]float32 // of each document

	mu    sync.Mutex
	index *tokens.Index // if bits is not 0, once there is a query
}

// NewLate ranks by the vectors that an encoder gives tokens, stored in bits per component
// as in a collection, or if bits is 0 as they are.
func NewLate(e encoder.TokenEncoder, bits int) *Late {
	return &Late{encoder: encoder.Late{TokenEncoder: e}, bits: bits}
}

// Add implements Index. All documents must be added before the first query.
func (l *Late) Add(ctx context.Context, texts []string) error {
	made, err := l.encoder.EncodeTokens(ctx, texts, encoder.Document)
	for _, v := range made {
		l.vectors = append(l.vectors, v.Vectors)
	}
	return err
}

// Encode returns the token vectors of a text of a query.
func (l *Late) Encode(ctx context.Context, text string) ([]float32, error) {
	made, err := l.encoder.EncodeTokens(ctx, []string{text}, encoder.Query)
	if err != nil {
		return nil, err
	}
	return made[0].Vectors, nil
}

// Dim is the number of components of a vector.
func (l *Late) Dim() int { return l.encoder.Info().Dim }

// Rank implements Retriever. It takes the vectors of Query.Tokens or, without any, those of
// its text.
func (l *Late) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
	if query.Vectors != nil {
		return nil, errors.New("a query by one vector, and documents by those of tokens")
	}
	request := tokens.Request{K: k}
	if query.Tokens != nil {
		request.TokenQuery = *query.Tokens
	} else {
		var err error
		if request.Vectors, err = l.Encode(ctx, query.Text); err != nil {
			return nil, err
		}
	}
	if l.bits == 0 {
		return l.exact(&request), nil
	}
	ix, err := l.stored(ctx)
	if err != nil {
		return nil, err
	}
	found, err := ix.Search(&request)
	if err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, len(found))
	for i, h := range found {
		hits[i] = lexical.Hit{Document: h.Document, Score: float64(h.Score)}
	}
	return hits, nil
}

// exact compares all documents with the vectors as they are.
func (l *Late) exact(r *tokens.Request) []lexical.Hit {
	all := func(vectors []float32) []float32 {
		scores := make([]float32, len(l.vectors))
		for i, v := range l.vectors {
			scores[i] = rerank.MaxSim(vectors, v, l.Dim())
		}
		return scores
	}
	scores := all(r.Vectors)
	if r.Gate != nil {
		gate := all(r.Gate)
		cut := perspective.Quantile(append([]float32(nil), gate...), perspective.GateQuantile)
		for i, g := range gate {
			if float64(g) < cut {
				scores[i] = perspective.SunkDot
			}
		}
	}
	found := tokens.Best(scores, r.K)
	hits := make([]lexical.Hit, len(found))
	for i, h := range found {
		hits[i] = lexical.Hit{Document: h.Document, Score: float64(h.Score)}
	}
	return hits
}

// stored returns the vectors as a collection stores them. After an error, such as the end of one
// query's context, the next query tries again.
func (l *Late) stored(ctx context.Context) (*tokens.Index, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index != nil {
		return l.index, nil
	}
	ix, err := l.build(ctx)
	if err != nil {
		return nil, err
	}
	l.index, l.vectors = ix, nil
	return ix, nil
}

// build stores the vectors as a collection does.
func (l *Late) build(ctx context.Context) (*tokens.Index, error) {
	book, err := collection.LearnTokens(ctx, l.Dim(), l.bits, len(l.vectors), runtime.GOMAXPROCS(0),
		func(document int) ([]float32, error) { return l.vectors[document], nil }, func(int, int) {})
	if err != nil {
		return nil, err
	}
	var stored tokens.Vectors
	for i, v := range l.vectors {
		if err := book.Encode(&stored, v); err != nil {
			return nil, fmt.Errorf("text %d: %w", i, err)
		}
	}
	file, err := book.EncodeFile(&stored)
	if err != nil {
		return nil, err
	}
	ix, err := tokens.New(book, len(l.vectors))
	if err != nil {
		return nil, err
	}
	return ix, ix.Load(0, file)
}
