package retrieve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/language"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Dense ranks by the cosine or the dot product of float32 vectors, exactly.
type Dense struct {
	documents, queries encoder.Encoder
	index              *index.Index
	score              perspective.Score // empty means the cosine
	angles             bool              // give documents that are added their angles, too, if the encoder can

	language language.Corpus // of the documents
	opening  sync.Mutex
	reader   encoder.QueryReader // that reads queries for an encoder that cannot, once one has been read
}

// NewDense ranks by the cosine of an encoder's vectors, kept as float32. Queries and
// documents are encoded in their roles, because many encoders put a different prompt
// before each.
func NewDense(e encoder.Encoder) (*Dense, error) {
	ix, err := index.New(e.Info().Dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	return &Dense{documents: e, queries: e, index: ix}, nil
}

// NewVectors ranks given vectors of the documents, each of dim numbers, one after the
// other. It encodes nothing, so queries must have vectors.
func NewVectors(dim int, documents []float32) (*Dense, error) {
	ix, err := index.FromVectors(shard.F32, dim, documents)
	if err != nil {
		return nil, err
	}
	return &Dense{index: ix}, nil
}

// NewAngled is NewVectors for documents that have angles, too, one for each in order. A
// query's vectors may then use them.
func NewAngled(dim int, documents []float32, angles [][]float32) (*Dense, error) {
	ix, err := index.New(dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	for i, angle := range angles {
		row, err := ix.Add(documents[i*dim : (i+1)*dim])
		if err == nil {
			err = ix.AddAngle(row, angle)
		}
		if err != nil {
			return nil, fmt.Errorf("text %d: %w", i, err)
		}
	}
	return &Dense{index: ix}, nil
}

// CompareBy sets how vectors are compared.
func (d *Dense) CompareBy(s perspective.Score) { d.score = s }

// EncodeQueries sets another encoder for queries, for models with two encoders such as
// DPR. The documents' encoder may be closed then, unless more documents are added. It
// is an error if the vectors of the two encoders differ in length.
func (d *Dense) EncodeQueries(e encoder.Encoder) error {
	if got, want := e.Info().Dim, d.index.Dim(); got != want {
		return fmt.Errorf("queries have %d dimensions by %s, and documents have %d: the encoders do not belong together", got, e.Info().ID, want)
	}
	d.queries = e
	return nil
}

// Add implements Index.
func (d *Dense) Add(ctx context.Context, texts []string) error {
	embeddings, err := encoder.Encode(ctx, d.documents, texts, encoder.Options{Role: encoder.Document})
	if err != nil {
		return err
	}
	var angles [][]float32
	if model := d.angleEncoder(); d.angles && model != nil {
		if angles, err = model.EncodeAngles(ctx, texts, encoder.Options{Role: encoder.Document}); err != nil {
			return err
		}
	}
	for i, v := range embeddings {
		d.language.See(texts[i])
		row, err := d.index.Add(v.Vector)
		if err == nil && angles != nil {
			err = d.index.AddAngle(row, angles[i])
		}
		if err != nil {
			return fmt.Errorf("text %d: %w", i, err)
		}
	}
	return nil
}

// Rank returns nothing for a text whose vector is 0, because it has no direction. If
// the query's given vectors leave their method nothing to rank by, the error is a
// *perspective.DegenerateError.
func (d *Dense) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
	vectors := query.Vectors
	if vectors == nil {
		vector, err := d.encode(ctx, query.Text)
		if err != nil || isZero(vector) {
			return nil, err
		}
		vectors = &perspective.Query{Query: vector, Method: "none"}
	}
	asked := *vectors
	asked.Score = d.score
	found, err := ranking.Search(d.index, &ranking.Request{Query: asked, K: k})
	if err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, len(found))
	for i, h := range found {
		hits[i] = lexical.Hit{Document: uint32(h.Row), Score: float64(h.Score)}
	}
	return hits, nil
}

// encode encodes a query.
func (d *Dense) encode(ctx context.Context, text string) ([]float32, error) {
	if d.queries == nil {
		return nil, errors.New("the query has no vectors, and there is no encoder")
	}
	embeddings, err := encoder.Encode(ctx, d.queries, []string{text}, encoder.Options{Role: encoder.Query})
	if err != nil {
		return nil, err
	}
	return embeddings[0].Vector, nil
}

// Similarity is the cosine of two documents' vectors, 0 if one of the vectors is 0.
func (d *Dense) Similarity(a, b uint32) float32 { return d.index.Similarity(int(a), int(b)) }

func isZero(vector []float32) bool {
	for _, v := range vector {
		if v != 0 {
			return false
		}
	}
	return true
}
