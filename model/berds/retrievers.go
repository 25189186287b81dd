package berds

import (
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/model/static"
	"github.com/vantage-search/vantage/wasm/encode"
	"github.com/vantage-search/vantage/wasm/index"
	"github.com/vantage-search/vantage/wasm/lexical"
	"github.com/vantage-search/vantage/wasm/perspective"
	"github.com/vantage-search/vantage/wasm/shard"
)

// Hit is a retrieved document and its score.
type Hit struct {
	Document uint32
	Score    float32
}

// Retriever ranks the documents of a corpus for a text: the k best, best first,
// of equal scores the lower document first.
type Retriever interface {
	Search(text string, k int) ([]Hit, error)
}

// Words is BM25 as lexical.Index computes it: lower-cased Unicode words, Lucene's
// idf, k1 1.2, b 0.75. Documents without a word of the query are not retrieved.
// (The paper's BM25 is Lucene's by Pyserini.)
type Words struct{ index *lexical.Index }

// NewWords indexes a corpus.
func NewWords(corpus []string) (*Words, error) {
	x, err := lexical.New(lexical.DefaultParameters)
	if err != nil {
		return nil, err
	}
	for _, text := range corpus {
		if _, err := x.Add(text); err != nil {
			return nil, err
		}
	}
	return &Words{x}, nil
}

// Search is documented at Retriever.
func (w *Words) Search(text string, k int) ([]Hit, error) {
	hits, err := w.index.Search(lexical.Query{Text: text, K: k})
	return narrowed(hits), err
}

// Okapi is BM25 exactly as rank_bm25's Okapi. Every document is retrieved.
type Okapi struct{ index *lexical.Okapi }

// NewOkapi indexes a corpus.
func NewOkapi(corpus []string) *Okapi { return &Okapi{lexical.NewOkapi(corpus)} }

// Search is documented at Retriever.
func (o *Okapi) Search(text string, k int) ([]Hit, error) {
	hits := o.index.Rank(text)
	return narrowed(hits[:min(k, len(hits))]), nil
}

// narrowed are hits in their order with their scores as MMR takes them.
func narrowed(hits []lexical.Hit) []Hit {
	out := make([]Hit, len(hits))
	for i, h := range hits {
		out[i] = Hit{h.Document, float32(h.Score)}
	}
	return out
}

// Vectors is the cosine of a static encoder's embeddings, held as float32.
type Vectors struct {
	encoder *encode.Static
	index   *index.Index
}

// NewVectors encodes a corpus. After each document it tells progress how many
// are done, and ends with its error.
func NewVectors(model static.Files, corpus []string, progress func(done int) error) (*Vectors, error) {
	encoder, err := model.Open()
	if err != nil {
		return nil, err
	}
	dim := encoder.Dim()
	vectors := make([]float32, len(corpus)*dim)
	for i, text := range corpus {
		encoder.Encode(vectors[i*dim:][:dim], text)
		if err := progress(i + 1); err != nil {
			return nil, err
		}
	}
	ix, err := index.FromVectors(shard.F32, dim, vectors)
	return &Vectors{encoder, ix}, err
}

// Search is documented at Retriever. A text of which the encoder knows no token
// retrieves nothing.
func (v *Vectors) Search(text string, k int) ([]Hit, error) {
	query := make([]float32, v.encoder.Dim())
	v.encoder.Encode(query, text)
	plan, err := perspective.Compile(perspective.Query{Query: query, Method: "none"})
	if _, degenerate := errors.AsType[*perspective.DegenerateError](err); degenerate {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%.80q: %w", text, err)
	}
	found, err := v.index.Search(&plan, k, nil)
	hits := make([]Hit, len(found))
	for i, h := range found {
		hits[i] = Hit{h.Document, h.Score}
	}
	return hits, err
}

// Similarity is the cosine of two documents' embeddings, 0 where one has none.
func (v *Vectors) Similarity(a, b uint32) float32 { return v.index.Similarity(int(a), int(b)) }
