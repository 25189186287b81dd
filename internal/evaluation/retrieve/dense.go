package retrieve

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Dense ranks by the cosine of float32 vectors, exactly.
type Dense struct {
	documents, queries encoder.Encoder
	index              *index.Index
}

// NewDense ranks by the cosine of an encoder's vectors, kept as float32. Queries
// and documents are encoded in their roles, because many encoders put different
// words before them.
func NewDense(e encoder.Encoder) (*Dense, error) {
	ix, err := index.New(e.Info().Dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	return &Dense{documents: e, queries: e, index: ix}, nil
}

// EncodeQueries has queries encoded by another encoder from now on, as DPR's are.
// The one of the documents may be closed then, unless more documents are added. An
// encoder whose vectors have another length than the documents' is an error.
func (d *Dense) EncodeQueries(e encoder.Encoder) error {
	if got, want := e.Info().Dim, d.index.Dim(); got != want {
		return fmt.Errorf("queries of %d dimensions by %s, and documents of %d: their encoders do not belong together", got, e.Info().ID, want)
	}
	d.queries = e
	return nil
}

// Add is documented at Index.
func (d *Dense) Add(ctx context.Context, texts []string) error {
	embeddings, err := encoder.Encode(ctx, d.documents, texts, encoder.Options{Role: encoder.Document})
	if err != nil {
		return err
	}
	for i, v := range embeddings {
		if _, err := d.index.Add(v.Vector); err != nil {
			return fmt.Errorf("text %d: %w", i, err)
		}
	}
	return nil
}

// Rank returns nothing for a query whose vector is 0: it has no direction.
func (d *Dense) Rank(ctx context.Context, query string, k int) ([]lexical.Hit, error) {
	embeddings, err := encoder.Encode(ctx, d.queries, []string{query}, encoder.Options{Role: encoder.Query})
	if err != nil {
		return nil, err
	}
	vector := embeddings[0].Vector
	if isZero(vector) {
		return nil, nil
	}
	plan, err := perspective.Compile(perspective.Query{Query: vector, Method: "none"})
	if err != nil {
		return nil, err
	}
	found, err := d.index.Search(&plan, k, nil)
	if err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, len(found))
	for i, h := range found {
		hits[i] = lexical.Hit{Document: uint32(h.Row), Score: float64(h.Score)}
	}
	return hits, nil
}

// Similarity is the cosine of two documents' vectors, 0 if one has none.
func (d *Dense) Similarity(a, b uint32) float32 { return d.index.Similarity(int(a), int(b)) }

func isZero(vector []float32) bool {
	for _, v := range vector {
		if v != 0 {
			return false
		}
	}
	return true
}
