package dense

import "math"

// plainTile is a tile in plain Go: bias plus the sum over k from 0 on.
func plainTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, bias, c []float32, ldc int) {
	for r := range rows {
		x := a[r*lda : r*lda+k]
		for column := 0; column < columns; column += panel {
			sums := [panel]float32(bias[column:])
			w := b[column/panel*ldb:]
			for _, v := range x {
				line := (*[panel]float32)(w)
				for j := range sums {
					sums[j] += v * line[j]
				}
				w = w[panel:]
			}
			copy(c[r*ldc+column:r*ldc+column+panel], sums[:])
		}
	}
}

func plainGELU(x []float32, rows, columns, ld int) {
	for i := range rows {
		for j, v := range x[i*ld : i*ld+columns] {
			x[i*ld+j] = 0.5 * v * (1 + erf(v*0.70710678118654752))
		}
	}
}

func plainExponentials(x []float32) {
	for i, v := range x {
		x[i] = exp(v)
	}
}

func plainSoftmax(x []float32, scale float32) {
	greatest := x[0]
	for _, v := range x {
		greatest = max(greatest, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp((v - greatest) * scale)
		sum += x[i]
	}
	inverse := 1 / sum
	for i := range x {
		x[i] *= inverse
	}
}

func plainLayerNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	var sum float32
	for i, v := range x {
		if residual != nil {
			v += residual[i]
		}
		to[i] = v
		sum += v
	}
	mean := sum / float32(len(x))
	var squares float32
	for _, v := range to {
		squares += (v - mean) * (v - mean)
	}
	inverse := 1 / float32(math.Sqrt(float64(squares/float32(len(x))+epsilon)))
	for i, v := range to {
		to[i] = (v-mean)*inverse*gamma[i] + beta[i]
	}
}

// exp is e^x to two units in the last place, for x held between -87 and 88: x
// is split into n·ln 2, in two parts, and a remainder of at most ln 2 / 2, for
// which a polynomial of degree 7 does (Cephes' expf).
func exp(x float32) float32 {
	x = min(max(x, -87), 88)
	n := float32(math.RoundToEven(float64(x * 1.44269504088896341)))
	x -= n * 0.693359375
	x -= n * -2.12194440e-4
	y := float32(1.9875691500e-4)
	for _, c := range [...]float32{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		y = y*x + c
	}
	y = y*x*x + x + 1
	return y * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// erf is within 6e-7 of the error function: 1.5e-7 of Abramowitz and Stegun 7.1.26, and rounding.
func erf(x float32) float32 {
	magnitude := float32(math.Abs(float64(x)))
	t := 1 / (1 + 0.3275911*magnitude)
	sum := t * (0.254829592 + t*(-0.284496736+t*(1.421413741+t*(-1.453152027+t*1.061405429))))
	y := 1 - sum*exp(-magnitude*magnitude)
	return float32(math.Copysign(float64(y), float64(x)))
}
