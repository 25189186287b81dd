package perspective

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantile compares with sorting, on lists that are hard for quickselect: ties,
// runs, ascending and descending order.
func TestQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	lists := map[string]func(i, n int) float32{
		"random": func(i, n int) float32 { return float32(rng.NormFloat64()) }, "few": func(i, n int) float32 { return float32(rng.IntN(3)) },
		"equal": func(i, n int) float32 { return 7 }, "up": func(i, n int) float32 { return float32(i) }, "down": func(i, n int) float32 { return float32(-i) },
		"organ pipe": func(i, n int) float32 { return float32(min(i, n-i)) }, "zeros of both signs": func(i, n int) float32 { return float32(math.Copysign(0, float64(i%2)-0.5)) },
	}
	for name, value := range lists {
		for _, n := range []int{1, 2, 3, 17, 500, 5000} {
			values := make([]float32, n)
			for i := range values {
				values[i] = value(i, n)
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, q := range []float64{0, 0.1, 0.5, 0.8, 1} {
				position := q * float64(n-1)
				k := int(position)
				want := float64(sorted[k])
				if k+1 < n {
					want += (position - float64(k)) * (float64(sorted[k+1]) - want)
				}
				if got := Quantile(slices.Clone(values), q); got != want {
					t.Errorf("%s: Quantile of %d at %g = %g, want %g", name, n, q, got, want)
				}
			}
		}
	}
	if got := Quantile([]float64{}, 0.8); got != 0 {
		t.Errorf("Quantile of nothing = %g", got)
	}
}

// TestQuantileKeepsItsUpperNeighbour checks that the threshold lies between two scores,
// as in the notebook, so that all rows tied with the upper score stay.
func TestQuantileKeepsItsUpperNeighbour(t *testing.T) {
	low, high := float32(0.5), math.Nextafter32(0.5, 1)
	values := []float32{0.1, 0.2, low, high, high, high}
	slices.Sort(values)
	threshold := Quantile(values, 0.45) // position 2.25, between the neighbours
	if !(float64(low) < threshold && threshold < float64(high)) {
		t.Errorf("the threshold %.12g is not between %.12g and %.12g", threshold, low, high)
	}
}
