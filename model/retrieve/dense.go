package retrieve

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/model/static"
	"github.com/vantage-search/vantage/wasm/encode"
	"github.com/vantage-search/vantage/wasm/index"
	"github.com/vantage-search/vantage/wasm/lexical"
	"github.com/vantage-search/vantage/wasm/perspective"
	"github.com/vantage-search/vantage/wasm/shard"
)

// Encoder turns texts into vectors. Its methods may be called by several
// goroutines at a time. Queries and documents are encoded apart because many
// encoders put different words before them.
type Encoder interface {
	Dim() int
	// EncodeDocuments writes a vector for each text to out, of length Dim · texts.
	EncodeDocuments(ctx context.Context, out []float32, texts []string) error
	// EncodeQuery writes the vector of a query to out, of length Dim.
	EncodeQuery(ctx context.Context, out []float32, text string) error
}

// staticEncoder encodes queries and documents alike.
type staticEncoder struct{ *encode.Static }

// NewStaticEncoder opens a static model such as static.Builtin.
func NewStaticEncoder(model static.Files) (Encoder, error) {
	s, err := model.Open()
	if err != nil {
		return nil, err
	}
	return staticEncoder{s}, nil
}

func (s staticEncoder) EncodeQuery(_ context.Context, out []float32, text string) error {
	s.Encode(out, text)
	return nil
}

func (s staticEncoder) EncodeDocuments(ctx context.Context, out []float32, texts []string) error {
	dim := s.Dim()
	workers := min(runtime.GOMAXPROCS(0), len(texts))
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(texts) && ctx.Err() == nil; i += workers {
				s.Encode(out[i*dim:][:dim], texts[i])
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// Dense ranks by the cosine of float32 vectors, exactly.
type Dense struct {
	encoder Encoder
	index   *index.Index
	vectors []float32 // of a batch
}

// NewDense ranks by the cosine of an encoder's vectors, kept as float32.
func NewDense(encoder Encoder) (*Dense, error) {
	ix, err := index.New(encoder.Dim(), shard.F32, 0)
	if err != nil {
		return nil, err
	}
	return &Dense{encoder: encoder, index: ix}, nil
}

// Add is documented at Index.
func (d *Dense) Add(ctx context.Context, texts []string) error {
	dim := d.encoder.Dim()
	if need := dim * len(texts); cap(d.vectors) < need {
		d.vectors = make([]float32, need)
	}
	vectors := d.vectors[:dim*len(texts)]
	if err := d.encoder.EncodeDocuments(ctx, vectors, texts); err != nil {
		return err
	}
	for i := range texts {
		if _, err := d.index.Add(vectors[i*dim:][:dim]); err != nil {
			return fmt.Errorf("text %d: %w", i, err)
		}
	}
	return nil
}

// Rank returns nothing for a query whose vector is 0: it has no direction.
func (d *Dense) Rank(ctx context.Context, query string, k int) ([]lexical.Hit, error) {
	vector := make([]float32, d.encoder.Dim())
	if err := d.encoder.EncodeQuery(ctx, vector, query); err != nil {
		return nil, err
	}
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

// Similarity is the cosine of two documents' vectors, 0 where one has none.
func (d *Dense) Similarity(a, b uint32) float32 { return d.index.Similarity(int(a), int(b)) }

func isZero(vector []float32) bool {
	for _, v := range vector {
		if v != 0 {
			return false
		}
	}
	return true
}
