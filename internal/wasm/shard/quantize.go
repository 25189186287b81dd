package shard

import "math"

// QuantizeRow quantises a row symmetrically to int8: the row's elements are about dst[i]·scale, with
// scale = max|v|/127 and dst[i] = v/scale rounded half to even, so that |dst[i]| <= 127. Elements of
// dst beyond the row (padding) become zero; dst must be at least as long as the row.
//
// A row of zeros, or of values so small that scale is not a normal float32 (the squares
// of such values vanish in float32), gives zeros and scale 0. A row with a NaN or an
// infinity gives zeros and scale +Inf, which DecodeRows and EncodeRows refuse.
func QuantizeRow(dst []int8, row []float32) (scale float32) {
	clear(dst[len(row):])
	var largest uint32 // as bits, whose order for magnitudes is that of the values, with infinity and NaN last
	for _, v := range row {
		largest = max(largest, math.Float32bits(v)&0x7fffffff)
	}
	const infinity, smallestNormal = 0x7f800000, 0x1p-126
	if largest >= infinity {
		clear(dst)
		return float32(math.Inf(1))
	}
	scale = math.Float32frombits(largest) / 127
	if scale < smallestNormal {
		clear(dst)
		return 0
	}
	for i, v := range row {
		dst[i] = int8(math.RoundToEven(float64(v) / float64(scale)))
	}
	return scale
}
