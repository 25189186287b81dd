package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/wasm/lexical"
	"github.com/vantage-search/vantage/wasm/ranking"
)

// ReciprocalRank is the fusion of a Hybrid that counts ranks alone, with the k of its authors.
const ReciprocalRank = "rrf"

// Fusions are the names that Hybrid.Fusion may have.
func Fusions() []string { return append([]string{ReciprocalRank}, lexical.Normalizations[:]...) }

// DefaultDepth is how many of the best of each ranking are fused, where not more are wanted.
const DefaultDepth = 100

// Hybrid asks for the ranking by vectors, whatever its method, fused with the
// one by BM25 of the words of the whole query. The collection needs an inverted index.
type Hybrid struct {
	Fusion string   // one of Fusions; "": ReciprocalRank. The others normalise scores so and sum them
	Weight *float64 // of the words, from 0 to 1; the vectors have the rest. nil: 0.5
}

// Lexical is how the words of the query rank a hit.
type Lexical struct {
	Rank  int     `json:"rank"` // from 1; 0: not among the best, which are fused
	Score float32 `json:"score"`
}

// check refuses what cannot be fused.
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
	_, err := h.fuser()
	return err
}

// Fuse fuses a ranking by vectors with one by words, each best first.
func (h *Hybrid) Fuse(vectors, words []lexical.Hit) ([]lexical.Hit, error) {
	fuse, err := h.fuser()
	if err != nil {
		return nil, err
	}
	weight := 0.5
	if h.Weight != nil {
		weight = *h.Weight
	}
	return fuse([]float64{1 - weight, weight}, vectors, words)
}

// fuser returns what fuses two rankings.
func (h *Hybrid) fuser() (func(weights []float64, rankings ...[]lexical.Hit) ([]lexical.Hit, error), error) {
	if h.Fusion == "" || h.Fusion == ReciprocalRank {
		return func(weights []float64, rankings ...[]lexical.Hit) ([]lexical.Hit, error) {
			return lexical.ReciprocalRank(lexical.DefaultRankConstant, weights, rankings...)
		}, nil
	}
	n, err := lexical.ParseNormalization(h.Fusion)
	if err != nil {
		return nil, fmt.Errorf("hybrid: %w, and %s", err, ReciprocalRank)
	}
	return func(weights []float64, rankings ...[]lexical.Hit) ([]lexical.Hit, error) {
		return lexical.WeightedSum(n, weights, rankings...)
	}, nil
}

// hybrid ranks by vectors and by words. Every row is ranked by its vector, so that what only the words find is
// explained as well, and so that filters hold for both.
func (c *Collection) hybrid(ctx context.Context, in *instance, q *Query, request *ranking.Request) (hits []ranking.Hit, words []*Lexical, err error) {
	k := request.K
	depth := max(k, DefaultDepth)
	request.K = max(1, c.store.Manifest().Rows)
	all, err := in.index.Search(request)
	if err != nil {
		return nil, nil, err
	}
	at := make(map[uint32]int, len(all))
	byVector := make([]lexical.Hit, 0, min(depth, len(all)))
	for i, h := range all {
		at[uint32(h.Document)] = i
		if i < depth {
			byVector = append(byVector, lexical.Hit{Document: uint32(h.Document), Score: float64(h.Score)})
		}
	}
	byWords, err := c.words.search(ctx, c.store, lexical.Query{Text: q.Query.Text, K: depth, Keep: func(document uint32) bool {
		_, kept := at[document]
		return kept
	}})
	if err != nil {
		return nil, nil, err
	}
	found := make(map[uint32]*Lexical, len(byWords))
	for i, h := range byWords {
		found[h.Document] = &Lexical{Rank: i + 1, Score: float32(h.Score)}
	}
	fused, err := q.Hybrid.Fuse(byVector, byWords)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range fused[:min(k, len(fused))] {
		h := all[at[f.Document]]
		h.Score = float32(f.Score)
		hits = append(hits, h)
		l := found[f.Document]
		if l == nil {
			l = &Lexical{}
		}
		words = append(words, l)
	}
	return hits, words, nil
}
