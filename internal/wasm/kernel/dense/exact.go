package dense

import (
	"errors"
	"math"
)

// The functions of this file define what an encoder computes between its integer
// products (Linear8), so that it has the same bits on every machine. The builds
// repeat them operation by operation:
//
//   - Every operation is one of IEEE 754 on float32, rounded by itself; nothing is
//     fused, and there is no call into a mathematical library.
//   - A sum over the components of a row has sixteen lanes: component i goes to
//     lane i mod 16, in the order of i. Then lanes that are 8 apart are added, then
//     those 4, 2 and 1 apart.
//   - A product of matrices sums each output from its first term to its last.
//
// Operands are finite; transformer.Quantized bounds weights so that results are.

// lanes16 are the sums of sixteen lanes.
type lanes16 [panel]float32

func (s *lanes16) total() float32 {
	for n := panel / 2; n > 0; n /= 2 {
		for i := range n {
			s[i] += s[i+n]
		}
	}
	return s[0]
}

// lowest is the number below which exactExp is 0. The least power that is left is
// far above denormal numbers, which processors are slow at.
const lowest = -64

// exactExp is e^x for x ≤ 0, to two units in the last place, and 0 below -64: the
// polynomial of Cephes' expf, as exp has it.
func exactExp(x float32) float32 {
	if x < lowest {
		return 0
	}
	n := float32(math.RoundToEven(float64(float32(x * 1.44269504088896341))))
	x -= float32(n * 0.693359375)
	x -= float32(n * -2.12194440e-4)
	y := float32(1.9875691500e-4)
	y = float32(y*x) + 1.3981999507e-3
	y = float32(y*x) + 8.3334519073e-3
	y = float32(y*x) + 4.1665795894e-2
	y = float32(y*x) + 1.6666665459e-1
	y = float32(y*x) + 5.0000001201e-1
	y = float32(y*float32(x*x)) + x
	y += 1
	return math.Float32frombits(math.Float32bits(y) + uint32(int32(n))<<23)
}

// plainExactGELU replaces x by x·Φ(x) = max(x, 0) - |x|·Φ(-|x|), which cancels
// nothing. Φ(-|x|) is half of 1 - erf(|x|/√2) by Abramowitz and Stegun 7.1.26,
// whose error is below 7.5e-8 for the half.
func plainExactGELU(x []float32) {
	for i, v := range x {
		magnitude := float32(math.Abs(float64(v)))
		z := float32(magnitude * 0.70710678118654752)
		t := 1 / (float32(z*0.3275911) + 1)
		sum := float32(t*0.5307027145) - 0.726576013
		sum = float32(sum*t) + 0.7107068705
		sum = float32(sum*t) - 0.142248368
		sum = float32(sum*t) + 0.127414796
		tail := float32(float32(sum*t) * exactExp(-float32(z*z)))
		x[i] = max(v, 0) - float32(magnitude*tail)
	}
}

// plainExactGELUTanh replaces x by x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))), in the
// same form, as (1 + tanh(-u))/2 is e^-2u / (1 + e^-2u).
func plainExactGELUTanh(x []float32) {
	for i, v := range x {
		magnitude := float32(math.Abs(float64(v)))
		u := float32(float32(float32(v*v)*0.0713548162726) + 1.59576912160573)
		power := exactExp(-float32(u * magnitude))
		tail := power / (1 + power)
		x[i] = max(v, 0) - float32(magnitude*tail)
	}
}

// plainExactSoftmax replaces scores by weights whose sum is 1 up to rounding.
func plainExactSoftmax(x []float32, scale float32) {
	greatest := x[0]
	for _, v := range x {
		greatest = max(greatest, v)
	}
	var sums lanes16
	for i, v := range x {
		x[i] = exactExp(float32((v - greatest) * scale))
		sums[i%panel] += x[i]
	}
	inverse := 1 / sums.total()
	for i, v := range x {
		x[i] = v * inverse
	}
}

// plainExactNorm is LayerNorm over a row; the variance is that of the differences
// from the mean.
func plainExactNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	n := float32(len(x))
	var sums lanes16
	for i, v := range x {
		if residual != nil {
			v += residual[i]
		}
		to[i] = v
		sums[i%panel] += v
	}
	mean := sums.total() / n
	sums = lanes16{}
	for i, v := range to {
		d := v - mean
		sums[i%panel] += float32(d * d)
	}
	inverse := 1 / float32(math.Sqrt(float64(sums.total()/n+epsilon)))
	for i, v := range to {
		to[i] = float32(float32((v-mean)*inverse)*gamma[i]) + beta[i]
	}
}

// plainExactTile is a tile of a product of float32 matrices: a row of a has k
// components, b is a number of panels of k x 16.
func plainExactTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	for r := range rows {
		x := a[r*lda : r*lda+k]
		for column := 0; column < columns; column += panel {
			var sums [panel]float32
			w := b[column/panel*ldb:]
			for _, v := range x {
				line := (*[panel]float32)(w)
				for j := range sums {
					sums[j] += float32(v * line[j])
				}
				w = w[panel:]
			}
			copy(c[r*ldc+column:r*ldc+column+panel], sums[:])
		}
	}
}

// exactTanh is 1 - 2/(1 + e^2x) to 2e-7, or a series near 0. It is applied to one
// vector of a text only, so plain Go is fast enough in every build.
func exactTanh(x float32) float32 {
	magnitude := float32(math.Abs(float64(x)))
	if magnitude < 0.25 {
		s := float32(x * x)
		y := float32(s*(62.0/2835)) - 17.0/315
		y = float32(y*s) + 2.0/15
		y = float32(y*s) - 1.0/3
		return x + float32(float32(x*s)*y)
	}
	power := exactExp(-2 * magnitude)
	return float32(math.Copysign(float64((1-power)/(1+power)), float64(x)))
}

// ExactNorm replaces rows by their layer norm, or that of their sum with a
// residual, in the defined order. Rows have len(n.Gamma) components, a multiple of
// 16, and the distance ld.
func (n *LayerNorm) ExactNorm(p *Pool, x, residual []float32, ld, rows int) {
	width := len(n.Gamma)
	if width%panel != 0 {
		panic("dense: a norm over a number of components that is no multiple of 16")
	}
	if residual != nil {
		residual = residual[:rows*ld]
	}
	p.Split(rows, 16, func(first, last int) {
		exactNorms(n, x, residual, ld, first, last)
	})
}

var errExact = errors.New("dense: an activation that has no exact form")

// CheckExact refuses activations that ApplyExact does not know.
func (a Activation) CheckExact() error {
	switch a {
	case None, GELU, GELUTanh, ReLU, Tanh:
		return nil
	}
	return errExact
}

// ApplyExact replaces numbers by the activation's, in the defined order.
func (a Activation) ApplyExact(p *Pool, x []float32) {
	const block = 4096
	switch a {
	case GELU, GELUTanh, ReLU, Tanh:
	default:
		return
	}
	p.Split((len(x)+block-1)/block, 1, func(first, last int) {
		part := x[first*block : min(last*block, len(x))]
		switch a {
		case GELU:
			whole := len(part) &^ (panel - 1)
			exactGELU(part[:whole])
			plainExactGELU(part[whole:])
		case GELUTanh:
			whole := len(part) &^ (panel - 1)
			exactGELUTanh(part[:whole])
			plainExactGELUTanh(part[whole:])
		case Tanh:
			for i, v := range part {
				part[i] = exactTanh(v)
			}
		case ReLU:
			for i, v := range part {
				part[i] = max(v, 0)
			}
		}
	})
}

// ExactSquares is the sum of the squares of a row, in the defined order.
func ExactSquares(x []float32) float32 {
	var sums lanes16
	for i, v := range x {
		sums[i%panel] += float32(v * v)
	}
	return sums.total()
}
