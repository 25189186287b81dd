// Package naive has formulas as they are written in papers, in float64, for tests to
// compare with.
package naive

import "math"

// Cosine is the cosine of two vectors of one length, 0 if one of them is zero.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// MaxSim is the sum over the vectors of q of the greatest inner product with a vector of d
// (Khattab and Zaharia 2020, "ColBERT", equation 3), 0 if d has none. Both hold vectors of
// dim components one after the other.
func MaxSim(q, d []float32, dim int) (sum float64) {
	for i := 0; i < len(q) && len(d) > 0; i += dim {
		best := math.Inf(-1)
		for j := 0; j < len(d); j += dim {
			dot := 0.0
			for k := range dim {
				dot += float64(q[i+k]) * float64(d[j+k])
			}
			best = max(best, dot)
		}
		sum += best
	}
	return sum
}
