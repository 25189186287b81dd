package perspective

import (
	"math"
)

// tolerance is a relative norm. At or below it, a combination of vectors counts as
// zero, and a perspective counts as dependent on the others. Inputs are float32 with a
// relative precision of 6e-8, so after so much cancellation only rounding error is
// left.
const tolerance = 1e-6

// dot is the product of two vectors of the same length. Products are converted before
// they are added, so that every architecture rounds in the same way.
func dot[F float32 | float64, G float32 | float64](a []F, b []G) float64 {
	b = b[:len(a)]
	var s float64
	for i := range a {
		s += float64(float64(a[i]) * float64(b[i]))
	}
	return s
}

// norm is the Euclidean norm. No float32 vector overflows or vanishes in it: squares lie between 1e-90 and 1.2e77.
func norm[F float32 | float64](v []F) float64 { return math.Sqrt(dot(v, v)) }

// combine returns Σ weights[i]·vectors[i], or false if it vanishes relative to its
// terms.
func combine(weights []float64, vectors ...[]float64) (sum []float64, ok bool) {
	sum = make([]float64, len(vectors[0]))
	var size float64
	for i, v := range vectors {
		w := weights[i]
		for j := range v {
			sum[j] += float64(w * v[j])
		}
		size += float64(math.Abs(w) * norm(v))
	}
	return sum, norm(sum) > float64(tolerance*size)
}

// widen copies a vector to float64.
func widen(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

// narrow rounds a nonzero vector to float32. If its norm is outside [2^-32, 2^32],
// narrow first multiplies it by a power of two: out ≈ scale·v.
func narrow(v []float64) (out []float32, scale float64) {
	const low, high = 1.0 / (1 << 32), 1 << 32
	scale = 1
	if n := norm(v); n < low || n > high {
		_, exponent := math.Frexp(n)
		scale = math.Ldexp(1, -exponent)
	}
	out = make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x * scale))
	}
	return out, scale
}

// firstNonFinite returns the index of the first NaN or infinity, or -1.
func firstNonFinite(v []float32) int {
	for i, x := range v {
		if !finite(float64(x)) {
			return i
		}
	}
	return -1
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
