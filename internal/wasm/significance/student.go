package significance

import (
	"math"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrPairs is the error for samples of different sizes, or of a size too small to test.
var ErrPairs = fault.New(fault.Input, "a test needs at least two queries, the same ones on both sides")

// TTest is the result of a paired t-test.
type TTest struct {
	Difference float64 // mean of a − b
	T          float64 // infinite if all differences are equal, save for rounding, and not 0
	Freedom    int     // degrees of freedom
	P          float64 // two-sided p-value
}

// PairedTTest is Student's t-test of the null hypothesis that the differences a[i] − b[i] have the mean 0.
func PairedTTest(a, b []float64) (TTest, error) {
	n := len(a)
	if n != len(b) || n < 2 {
		return TTest{}, ErrPairs
	}
	difference, size := 0.0, 0.0
	for i := range a {
		difference += a[i] - b[i]
		size = max(size, math.Abs(a[i]), math.Abs(b[i]))
	}
	difference /= float64(n)
	squares, most := 0.0, 0.0
	for i := range a {
		d := a[i] - b[i] - difference
		squares += float64(d * d)
		most = max(most, math.Abs(d))
	}
	least := size * 1e-12 // differences that differ by less do so by rounding: 0.4 − 0.3 is not 0.2 − 0.1
	r := TTest{Difference: difference, Freedom: n - 1}
	switch deviation := math.Sqrt(squares / float64(n-1) / float64(n)); {
	case most <= least && math.Abs(difference) <= least:
		r.P = 1
	case most <= least || deviation == 0:
		r.T = math.Inf(1)
		if difference < 0 {
			r.T = math.Inf(-1)
		}
	default:
		r.T = difference / deviation
		r.P = StudentTails(r.T, n-1)
	}
	return r, nil
}

// StudentTails is the probability that Student's t, with the given degrees of freedom (at least
// 1), is at least as far from 0 as t, on either side. With θ = arctan(t/√ν) it is 1 − A(t|ν) of
// Abramowitz and Stegun 26.7.3 and 26.7.4, finite series in cos²θ; if A is near 1, the
// remainders of the series are summed instead, which avoids cancellation.
func StudentTails(t float64, freedom int) float64 {
	t = math.Abs(t)
	if math.IsInf(t, 1) {
		return 0
	}
	nu := float64(freedom)
	root := math.Hypot(math.Sqrt(nu), t)
	sine, cosine := t/root, math.Sqrt(nu)/root
	x := cosine * cosine
	// Even ν: A = sin θ Σ c_k x^k, c_k = (2k−1)/2k · c_{k−1}, k < ν/2.
	// Odd ν: A = 2/π (θ + sin θ cos θ Σ d_k x^k), d_k = 2k/(2k+1) · d_{k−1}, k < (ν−1)/2.
	factor, inner, odd, offset := sine, 0.0, 0.0, freedom/2
	if freedom%2 == 1 {
		factor, inner, odd = 2/math.Pi*sine*cosine, 2/math.Pi*math.Atan2(t, math.Sqrt(nu)), 1
	}
	term, sum := 1.0, 0.0
	k := 0
	next := func() {
		k++
		term *= x * (2*float64(k) - 1 + odd) / (2*float64(k) + odd)
	}
	for k < offset {
		sum += term
		next()
	}
	if inside := inner + float64(factor*sum); inside < .9 {
		return 1 - inside
	}
	for sum = 0; term > sum*1e-17; next() {
		sum += term
	}
	return factor * sum
}

// Pearson is the correlation of two samples and its two-sided p-value under the null
// hypothesis of no correlation. They are 0 and 1 if either sample is constant.
func Pearson(x, y []float64) (r, p float64, err error) {
	n := len(x)
	if n != len(y) || n < 2 {
		return 0, 0, ErrPairs
	}
	if constant(x) || constant(y) {
		return 0, 1, nil
	}
	mx, my := mean(x), mean(y)
	var xx, yy, xy, width, height float64
	for i := range x {
		width, height = max(width, math.Abs(x[i]-mx)), max(height, math.Abs(y[i]-my))
	}
	for i := range x {
		dx, dy := (x[i]-mx)/width, (y[i]-my)/height // squares of small or large differences would not fit
		xx += float64(dx * dx)
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	r = max(-1, min(1, xy/math.Sqrt(xx*yy)))
	switch {
	case n == 2: // any two points lie on a line
		return r, 1, nil
	case math.Abs(r) == 1:
		return r, 0, nil
	}
	return r, StudentTails(r*math.Sqrt(float64(n-2)/((1-r)*(1+r))), n-2), nil
}

// constant reports whether all values are equal. Those less their mean need not be 0, because the mean is rounded.
func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
