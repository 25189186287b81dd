package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// ReciprocalRank is the fusion that uses only ranks, with the k of its authors.
const ReciprocalRank = lexical.Reciprocal

// Fusions are the values of Hybrid.Fusion.
func Fusions() []string { return lexical.Fusions() }

// DefaultWeight is the default weight of the words.
const DefaultWeight = 0.5

// DefaultDepth is the least number of documents of each ranking that are fused.
const DefaultDepth = 100

// Hybrid asks for a fusion of two rankings: by vectors with any method, and by BM25 of
// the words of the whole query. The collection needs an inverted index.
type Hybrid struct {
	Fusion string   // one of Fusions, "" means ReciprocalRank; the others normalise scores as named and sum them
	Weight *float64 // weight w of the words, from 0 to 1; vectors have 1−w; nil means DefaultWeight
}

// ChosenHybrid is the fusion that a choice of auto asks for, which must have Hybrid.
func ChosenHybrid(c perspective.Choice) *Hybrid {
	return &Hybrid{Fusion: perspective.HybridFusion, Weight: &c.Weight}
}

// Lexical is a hit's rank and score by the words of the query.
type Lexical struct {
	Rank  int     `json:"rank"` // from 1; 0 if not among the fused ones
	Score float32 `json:"score"`
}

// check refuses queries that cannot be fused.
func (h *Hybrid) check(q *Query) error {
	if h.Weight != nil && !(*h.Weight >= 0 && *h.Weight <= 1) {
		return fmt.Errorf("hybrid: the weight of the words is %g, must be between 0 (vectors alone) and 1 (words alone)", *h.Weight)
	}
	if q.MMR != nil {
		return errors.New("hybrid: a fused ranking cannot be diversified: leave mmr or hybrid out")
	}
	if q.Query.Text == "" {
		return errors.New("hybrid: words are searched for, and the query has no text: give it, beside its vector if there is one")
	}
	return lexical.CheckFusion(h.Fusion)
}

// Fuse fuses a ranking by vectors with one by words, each best first.
func (h *Hybrid) Fuse(vectors, words []lexical.Hit) ([]lexical.Hit, error) {
	return lexical.Fuse(h.Fusion, h.WordsWeight(), vectors, words)
}

// WordsWeight is the weight of the words.
func (h *Hybrid) WordsWeight() float64 {
	if h.Weight != nil {
		return *h.Weight
	}
	return DefaultWeight
}

// hybrid fuses the best documents by vectors with the best by words, and explains the
// hits of the fusion. A hit need not be among the best by vectors. The words only find
// documents that have a vector and match the filters.
func (c *Collection) hybrid(ctx context.Context, in *instance, q *Query, request *ranking.Request) (hits []ranking.Hit, words []*Lexical, err error) {
	depth := max(request.K, DefaultDepth)
	if method, err := perspective.Lookup(request.Method); err == nil && method.Gated {
		cut, err := in.index.Cut(request) // once for searching and explaining
		if err != nil {
			return nil, nil, err
		}
		request.Cut = &cut
	}
	best := *request
	best.K, best.Explain, best.CosineRank = depth, false, false
	found, err := in.index.Search(&best)
	if err != nil {
		return nil, nil, err
	}
	byVector := make([]lexical.Hit, len(found))
	for i, h := range found {
		byVector[i] = lexical.Hit{Document: h.Document, Score: float64(h.Score)}
	}
	keep, err := in.index.Documents(request.Mask)
	if err != nil {
		return nil, nil, err
	}
	fused, words, err := c.fuse(ctx, in, q, byVector, request.K, depth, keep)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range fused {
		hits = append(hits, ranking.Hit{Hit: index.Hit{Document: f.Document, Score: float32(f.Score)}})
	}
	return hits, words, in.index.Explain(request, hits)
}

// fuse fuses a ranking with the best by words, depth of them, and returns the k best with
// what the words say of each.
func (c *Collection) fuse(ctx context.Context, in *instance, q *Query, byVector []lexical.Hit, k, depth int, keep []byte) (fused []lexical.Hit, words []*Lexical, err error) {
	byWords, err := in.words.search(ctx, in.core, c, q.Query.Text, depth, keep)
	if err != nil {
		return nil, nil, &noWords{err}
	}
	ranked := make(map[uint32]*Lexical, len(byWords))
	for i, h := range byWords {
		ranked[h.Document] = &Lexical{Rank: i + 1, Score: float32(h.Score)}
	}
	fused, err = in.core.Fuse(q.Hybrid.Fusion, q.Hybrid.WordsWeight(), byVector, byWords)
	if err != nil {
		return nil, nil, err
	}
	fused = fused[:min(k, len(fused))]
	for _, f := range fused {
		l := ranked[f.Document]
		if l == nil {
			l = &Lexical{}
		}
		words = append(words, l)
	}
	return fused, words, nil
}

// byWords answers a query by its words alone. notice says why if the query did not ask
// for that.
func (c *Collection) byWords(ctx context.Context, in *instance, q *Query, filters []index.Filter, notice string) (*Result, error) {
	switch {
	case q.Hybrid != nil:
		return nil, errors.New("bm25: ranks by words alone: leave hybrid or the method out")
	case q.MMR != nil:
		return nil, errors.New("bm25: a ranking by words cannot be diversified: leave mmr or the method out")
	case q.Query.Text == "":
		return nil, errors.New("bm25: words are searched for, and the query has no text: give it, beside its vector if there is one")
	}
	result, request, err := q.head()
	if err != nil {
		return nil, err
	}
	result.Method, result.Encoder, result.Notice = MethodWords, c.encoder, notice
	keep, err := passing(in, filters)
	if err != nil {
		return nil, err
	}
	hits, err := in.words.search(ctx, in.core, c, q.Query.Text, request.K, keep)
	if err != nil {
		return nil, err
	}
	indexes := make([]int, len(hits))
	for i, h := range hits {
		indexes[i] = int(h.Document)
	}
	documents, err := c.store.Documents(ctx, indexes)
	if err != nil {
		return nil, err
	}
	for i, h := range hits {
		d := documents[i]
		result.Hits = append(result.Hits, Hit{
			Rank: i + 1, ID: d.ID, Index: int(h.Document), Score: float32(h.Score), Title: d.Title, Text: d.Text,
			Lexical: &Lexical{Rank: i + 1, Score: float32(h.Score)},
		})
	}
	result.tellCloseByWords(q)
	return result, nil
}

// passing returns a byte per document, 0 if it does not match the filters. It is nil
// without filters.
func passing(in *instance, filters []index.Filter) ([]byte, error) {
	m, err := in.index.Mask(filters)
	if m == nil || err != nil {
		return nil, err
	}
	return in.index.Documents(m)
}
