package tokens

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Queries of the seven methods that MaxSim takes, against their formulas over all documents.
func TestMethodsAreTheirFormulas(t *testing.T) {
	const dim, documents = 24, 150
	r := rand.New(rand.NewPCG(11, 11))
	c := newCorpus(t, r, dim, 4, documents, 40)
	c.documents[3] = nil
	ix, stored := c.index(t), c.stored(t)
	some := func(n int) (out []float32) {
		for range n {
			out = append(out, unit(r, dim, nil, 1)...)
		}
		return out
	}
	q, root, sides := some(4), some(3), [][]float32{some(2), some(5)}
	allowed := make([]byte, documents)
	for i := range allowed {
		allowed[i] = byte(min(1, r.IntN(4)))
	}
	for method, formula := range map[string]func(q, r, p float64) (score, gate float64){
		"aug-dual-sum": func(q, r, p float64) (float64, float64) { return q + p, 0 },
		"none":         func(q, r, p float64) (float64, float64) { return q, 0 },
		"root":         func(q, r, p float64) (float64, float64) { return r, 0 },
		"dual-sum":     func(q, r, p float64) (float64, float64) { return r + p, 0 },
		"tri-sum":      func(q, r, p float64) (float64, float64) { return r + q + p, 0 },
		"rerank":       func(q, r, p float64) (float64, float64) { return r + p, r },
		"rerank-aug":   func(q, r, p float64) (float64, float64) { return q + p, q },
	} {
		for _, mask := range [][]byte{nil, allowed} {
			vectors, err := perspective.SumTokens(method, dim, q, root, sides)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ix.Search(&Request{TokenQuery: vectors, K: 30, Candidates: documents, Allowed: mask})
			if err != nil || len(got) != 30 {
				t.Fatalf("%s: %d hits, %v", method, len(got), err)
			}
			scores, gates := make([]float64, documents), []float64{}
			gate := make([]float64, documents)
			for d, vectors := range stored {
				p := (naive.MaxSim(sides[0], vectors, dim) + naive.MaxSim(sides[1], vectors, dim)) / 2
				scores[d], gate[d] = formula(naive.MaxSim(q, vectors, dim), naive.MaxSim(root, vectors, dim), p)
				if mask == nil || mask[d] != 0 {
					gates = append(gates, gate[d])
				} else {
					scores[d] = math.Inf(-1)
				}
			}
			if strings.HasPrefix(method, "rerank") {
				cut := perspective.Quantile(slices.Clone(gates), 0.8)
				for d := range scores {
					if gate[d] < cut-1e-4 && !math.IsInf(scores[d], -1) {
						scores[d] = perspective.SunkDot
					}
				}
			}
			sorted := slices.Clone(scores)
			slices.Sort(sorted)
			slices.Reverse(sorted)
			for i, h := range got {
				if approx.Apart(float64(h.Score), scores[h.Document], 2e-4*max(1, math.Abs(scores[h.Document]))) || approx.Apart(scores[h.Document], sorted[i], 4e-4*max(1, math.Abs(sorted[i]))) {
					t.Errorf("%s, hit %d: document %d scores %v, want %v; the best that is left is %v", method, i, h.Document, h.Score, scores[h.Document], sorted[i])
				}
			}
		}
	}
}

func TestRequestRefusals(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	ix := newCorpus(t, r, 8, 8, 20, 10).index(t)
	for name, o := range map[string]struct {
		request Request
		says    string
	}{
		"k of 0":        {Request{TokenQuery: perspective.TokenQuery{Vectors: make([]float32, 8)}}, "k is 0"},
		"no vectors":    {Request{K: 1}, "a query of 0 numbers"},
		"a ragged gate": {Request{K: 1, TokenQuery: perspective.TokenQuery{Vectors: make([]float32, 8), Gate: make([]float32, 9)}}, "a query of 9 numbers"},
	} {
		if _, err := ix.Search(&o.request); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), o.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
