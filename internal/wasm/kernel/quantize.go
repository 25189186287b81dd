package kernel

import "math"

// QueryI8 is a query vector quantised for the scans over int8 rows: element j
// stands for float32(Q[j]) · Scale.
//
// Σ|Q| is at most (2³¹−1)/128 and |Q[j]| at most 32767, so that the dot product
// with any int8 row, and every partial sum of it in any order, fits 32 bits.
type QueryI8 struct {
	Q     []int16
	Scale float32
}

// maxAbsSum is the largest Σ|Q| with which no int8 row can overflow 32 bits.
const maxAbsSum = math.MaxInt32 / 128

// QuantizeQuery quantises q symmetrically, rounding halves to even, with as
// fine a step as the bounds of QueryI8 allow, and pads it with zeros to stride.
// len(q) must be at most stride, and stride at most MaxDim.
//
// The zero vector gives zeros with Scale 0, and so does one whose largest
// element is too small for its step to be a normal float32, or that is not finite.
func QuantizeQuery(q []float32, stride int) QueryI8 {
	if len(q) > stride || stride > MaxDim {
		panic("kernel: query longer than the stride, or stride longer than MaxDim")
	}
	z := QueryI8{Q: make([]int16, stride)}
	var largest, sum, count float64
	for _, v := range q {
		a := math.Abs(float64(v))
		sum += a
		if a > 0 {
			count++
		}
		largest = max(largest, a)
	}
	if largest == 0 || !(sum <= math.MaxFloat64) {
		return z
	}
	// Rounding adds at most ½ to each element that is not zero, so with
	// levels steps between 0 and the largest element Σ|Q| stays at or below
	// levels · sum/largest + count/2. The 1 covers the rounding of this very
	// expression. As sum/largest and count are at most MaxDim, levels is at
	// least 255.
	levels := min(math.MaxInt16, math.Floor((maxAbsSum-1-count/2)*largest/sum))
	// The step is rounded up, never down, to the float32 that the scans
	// multiply with; dividing by that one makes its rounding harmless.
	scale := float32(largest / levels)
	if float64(scale) < largest/levels {
		scale = math.Nextafter32(scale, math.MaxFloat32)
	}
	if scale < minScale {
		return z
	}
	z.Scale = scale
	for j, v := range q {
		z.Q[j] = int16(math.RoundToEven(float64(v) / float64(scale)))
	}
	return z
}

// minScale is the smallest normal float32: below it the step loses bits and
// its product with a row's scale vanishes.
const minScale = 0x1p-126
