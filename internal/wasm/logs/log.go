package logs

import "math"

// Log is the natural logarithm with the same bits on every machine, whereas math.Log is
// assembly on some. x must be finite and above 0. The error is less than 0.6 units in
// the last place.
//
// x = 2^e·m with √½ ≤ m < √2, and with s = (m−1)/(m+1), |s| < 0.172,
//
//	ln x = e·ln 2 + 2 artanh s = e·ln 2 + 2s + 2s³/3 + 2s⁵/5 + …
//
// The rounding error of s is carried along, and so is that of the sum of the two large
// parts.
func Log(x float64) float64 {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		exponent--
	}
	e := float64(exponent)

	numerator := m - 1 // exact
	denominator := m + 1
	lost := m - (denominator - 1) // also exact, because denominator − 1 is a float64
	s := numerator / denominator
	rest := (math.FMA(-s, denominator, numerator) - float64(s*lost)) / denominator

	z := float64(s * s)
	series := 0.0
	for _, c := range artanh {
		series = float64(series*z) + c
	}
	small := float64(e*ln2Low) + (2*rest + float64(float64(s*z)*series))

	large := float64(e * ln2High)
	sum := large + 2*s // |large| > |2s| if it is not 0
	small += 2*s - (sum - large)
	return sum + small
}

// artanh are 2/(2i+1), i = 12 … 1: the coefficients of 2 artanh s after the first,
// as a polynomial in s², highest power first. The next term is below 2^-65.
var artanh = [...]float64{2.0 / 25, 2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3}
