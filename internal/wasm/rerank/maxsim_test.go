package rerank

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
)

func TestMaxSim(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{1, 7, 8, 16, 33, 128} {
		query, document := make([]float32, 5*dim), make([]float32, 9*dim)
		for _, s := range [][]float32{query, document} {
			for i := range s {
				s[i] = float32(r.NormFloat64())
			}
		}
		want := naive.MaxSim(query, document, dim)
		if got := MaxSim(query, document, dim); approx.Apart(float64(got), want, 1e-5*math.Abs(want)) {
			t.Errorf("dim %d: %v, want %v", dim, got, want)
		}
		if got := MaxSim(query, nil, dim); got != 0 {
			t.Errorf("a document without vectors scores %v", got)
		}
	}
}
