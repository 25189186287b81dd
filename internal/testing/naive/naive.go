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
