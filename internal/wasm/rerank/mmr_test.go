package rerank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveMMR is a direct implementation of the definition.
func naiveMMR(scores []float32, similarity func(i, j int) float32, lambda float64, k int) []int {
	best, worst := float64(scores[0]), float64(scores[len(scores)-1])
	relevance := func(i int) float64 {
		switch s := float64(scores[i]); {
		case best > 0:
			return s / best
		case best > worst:
			return (s - worst) / (best - worst)
		}
		return 1
	}
	chosen := []int{0}
	for len(chosen) < min(k, len(scores)) {
		pick, value := -1, math.Inf(-1)
		for i := range scores {
			if slices.Contains(chosen, i) {
				continue
			}
			closest := math.Inf(-1)
			for _, j := range chosen {
				closest = max(closest, float64(similarity(i, j)))
			}
			if v := lambda*relevance(i) - (1-lambda)*closest; v > value {
				pick, value = i, v
			}
		}
		chosen = append(chosen, pick)
	}
	return chosen
}

func TestMMRAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 1 + rng.IntN(30)
		scores := make([]float32, n)
		for i := range scores {
			scores[i] = float32(rng.IntN(9)-4) / 4 // ties and lists without a positive score
		}
		slices.Sort(scores)
		slices.Reverse(scores)
		table := make([]float32, n*n)
		for i := range n {
			for j := range i {
				table[i*n+j] = float32(rng.IntN(5)-2) / 2
				table[j*n+i] = table[i*n+j]
			}
		}
		similarity := func(i, j int) float32 { return table[i*n+j] }
		for _, lambda := range []float64{0, 0.5, 0.75, 0.9, 0.95, 0.99, 1} {
			k := 1 + rng.IntN(n+3)
			got, want := MMR(scores, similarity, lambda, k), naiveMMR(scores, similarity, lambda, k)
			if !slices.Equal(got, want) {
				t.Fatalf("trial %d, λ=%g, k=%d: %v, want %v", trial, lambda, k, got, want)
			}
		}
	}
}

func TestMMROfNothing(t *testing.T) {
	if got := MMR(nil, nil, 0.5, 10); got != nil {
		t.Error(got)
	}
	if got := MMR([]float32{1, 0.5}, func(i, j int) float32 { return 0 }, 0.5, 0); got != nil {
		t.Error(got)
	}
}
