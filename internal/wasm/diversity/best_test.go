package diversity

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/cputime"
)

// ranked builds the best ranking as its definition says: at each rank it computes the gain of every document.
func ranked(pool [][]int, m, k int, alpha float64) (ranking [][]int) {
	left, used := ones(m), make([]bool, len(pool))
	for len(ranking) < clip(k, len(pool)) {
		best, most := -1, -1.0
		for i, perspectives := range pool {
			if g := worth(left, perspectives); !used[i] && g > most {
				best, most = i, g
			}
		}
		used[best] = true
		take(left, pool[best], alpha)
		ranking = append(ranking, pool[best])
	}
	return ranking
}

// The gain of the best ranking has the bits of its definition.
func TestBestGain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 4000 {
		m := 1 + r.IntN(12)
		pool := make([][]int, r.IntN(60))
		if round%100 == 0 {
			pool = make([][]int, 600)
		}
		for i := range pool {
			pool[i] = r.Perm(m)[:r.IntN(min(m, 4)+1)]
		}
		k := r.IntN(len(pool)+10) - 2
		for _, alpha := range []float64{0, 1e-9, .1, .5, .9, 1, r.Float64()} {
			for name, d := range map[string]discount{"log": logarithmic, "reciprocal": reciprocal, "powers": rankBiased(r.Float64())} {
				got, want := bestGain(pool, m, k, alpha, d), cumulatedGain(ranked(pool, m, k, alpha), m, k, alpha, d)
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%v, k %d, α %v, %s: %v, want %v", pool, k, alpha, name, got, want)
				}
			}
		}
	}
}

// The time for a query does not grow with the square of the number of its judged documents.
func TestBestGainOfManyDocuments(t *testing.T) {
	const documents = 200_000
	r := rand.New(rand.NewPCG(1, 1))
	for name, of := range map[string]struct {
		m    int
		list func(i int) []int
	}{
		"one perspective":     {1, func(int) []int { return []int{0} }},
		"one each":            {documents, func(i int) []int { return []int{i} }},
		"one each and common": {documents + 1, func(i int) []int { return []int{documents, i} }},
		"three of twenty":     {20, func(int) []int { return r.Perm(20)[:3] }},
	} {
		pool := make([][]int, documents)
		for i := range pool {
			pool[i] = of.list(i)
		}
		t.Run(name, func(t *testing.T) {
			took := cputime.Of(func() {
				if got := AlphaNDCG(pool[:1], pool, of.m, documents, .5) + NormalizedNRBP(pool[:1], pool, of.m, .5, .5); got <= 0 {
					t.Error(got)
				}
			})
			if took > 10*time.Second {
				t.Errorf("%v for %d documents", took, documents)
			}
		})
	}
}
