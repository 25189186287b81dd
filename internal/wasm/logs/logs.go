// Package logs has the logarithms and the exponential for measures, BM25, probabilities
// of sides and T5. It only uses operations whose rounding IEEE 754 defines, because the
// functions of package math differ between machines, and the browser must give the same
// results as the command.
package logs

import "math"

const (
	// ln 2 in two parts. The last 21 bits of the first are zero, so that its product
	// with any exponent of a float64 is exact.
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33

	log2eHigh = 1.44269504088896338700e+00 // 1/ln 2 in two parts
	log2eLow  = 2.03552737409310331e-17
)

// Log2 is the binary logarithm of a positive finite number, exact for powers of two and within one unit in the last place
// elsewhere.
func Log2(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	high, low := logNearOne(fraction)
	// (high + low)/ln 2 + exponent, the products' and the sum's rounding errors carried along.
	product := high * log2eHigh
	rest := math.FMA(high, log2eHigh, -product) + float64(high*log2eLow) + float64(low*log2eHigh)
	sum := float64(exponent) + product
	if exponent == 0 {
		return product + rest
	}
	return sum + ((float64(exponent) - sum) + product + rest)
}

// logNearOne is ln m = 2·artanh((m−1)/(m+1)) as an unevaluated sum, for m between √½ and √2.
func logNearOne(m float64) (high, low float64) {
	numerator, denominator := m-1, m+1 // the difference is exact, the sum rounds
	lost := m - (denominator - 1)
	s := numerator / denominator
	sLow := (math.FMA(-s, denominator, numerator) - float64(s*lost)) / denominator
	z := s * s
	series := 0.0
	for k := 21; k >= 3; k -= 2 { // z ≤ 0.0295: the first term left out is below 1e-17 of the first
		series = float64(series*z) + 1/float64(k)
	}
	high = 2 * s
	low = 2*sLow + float64(high*float64(z*series))
	return high, low
}

// Exp is e to the power of x, for x between −700 and 700.
func Exp(x float64) float64 {
	k := math.RoundToEven(x * log2eHigh)
	r := math.FMA(-k, ln2Low, math.FMA(-k, ln2High, x))
	sum := 1.0
	for n := 18; n >= 1; n-- { // |r| ≤ 0.35: the first term left out is below 1e-25
		sum = 1 + float64(float64(sum*r)/float64(n))
	}
	return math.Ldexp(sum, int(k))
}

// Table has Log2(n) at n, for the discounts of ranks.
type Table []float64

// Of is Log2(n), for n ≥ 1.
func (t *Table) Of(n int) float64 {
	for len(*t) <= n {
		*t = append(*t, Log2(float64(max(1, len(*t)))))
	}
	return (*t)[n]
}

// At is Log2(x), from the table if x is a whole number below 4096. It is NaN if x is not above 0.
func (t *Table) At(x float64) float64 {
	if x >= 1 && x < 4096 && x == math.Trunc(x) {
		return t.Of(int(x))
	}
	if x <= 0 {
		return math.NaN()
	}
	return Log2(x)
}
