package kernel

import (
	"math"
	"math/rand/v2"
)

var (
	rowCounts  = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 127, 4095, 4096, 4097}
	dimensions = []int{1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 255, 383, 384, 1000, 4096}
)

// shapes calls f for every pair of a row count and a dimension that holds
// at most about a million elements.
func shapes(f func(n, d int)) {
	for _, n := range rowCounts {
		for _, d := range dimensions {
			if n*d <= 1<<20+4096 {
				f(n, d)
			}
		}
	}
}

// kinds of float32 data, by name.
var kinds = []struct {
	name string
	fill func(r *rand.Rand, v []float32)
}{
	{"normal", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
	}},
	{"denormal", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = math.Float32frombits(r.Uint32N(1<<23) | r.Uint32()&(1<<31))
		}
	}},
	{"products that are denormal", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = float32(r.NormFloat64() * 1e-20)
		}
	}},
	{"huge", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = float32(r.NormFloat64() * 1e16)
		}
	}},
	{"huge, one sign", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = 1e18
		}
	}},
	{"all magnitudes", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = float32(math.Ldexp(r.NormFloat64(), r.IntN(110)-55))
		}
	}},
	{"zeros of both signs", func(r *rand.Rand, v []float32) {
		for i := range v {
			v[i] = math.Float32frombits(r.Uint32() & (1 << 31))
		}
	}},
	{"cancellation", func(r *rand.Rand, v []float32) {
		for i := range v { // within a lane, neighbours cancel
			v[i] = 3e7
			if i/LanesF32%2 == 1 {
				v[i] = -3e7
			}
			if r.IntN(8) == 0 {
				v[i]++
			}
		}
	}},
}

// padded returns n rows of d elements in rows of PadF32(d).
func padded(r *rand.Rand, n, d int, fill func(*rand.Rand, []float32)) []float32 {
	stride := PadF32(d)
	rows := make([]float32, n*stride)
	for i := range n {
		fill(r, rows[i*stride:i*stride+d])
	}
	return rows
}

func paddedI8(r *rand.Rand, n, d int) []int8 {
	stride := PadI8(d)
	rows := make([]int8, n*stride)
	for i := range n {
		row := rows[i*stride : i*stride+d]
		for j := range row {
			switch r.IntN(4) {
			case 0:
				row[j] = math.MinInt8
			case 1:
				row[j] = math.MaxInt8
			default:
				row[j] = int8(r.Uint32())
			}
		}
	}
	return rows
}
