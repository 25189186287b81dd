package shard

import "math"

// F16ToF32 converts an IEEE 754 binary16 number, given by its bits, to the float32 of the same
// value. A NaN stays a NaN with its payload.
func F16ToF32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	magnitude := uint32(h&0x7fff) << 13
	if h&0x7c00 == 0x7c00 {
		return math.Float32frombits(sign | 0x7f800000 | magnitude)
	}
	// The fields are in the places of a float32's, but the exponent's bias is 15
	// instead of 127. The product corrects the bias and normalises subnormal numbers.
	// It is exact.
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(magnitude)*0x1p112))
}

// F32ToF16 rounds f to the nearest binary16 number, ties to the even one, and returns its bits.
// Magnitudes from 65520 on become infinite. A NaN stays a (quiet) NaN.
func F32ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case b >= 0x477ff000: // 65520, halfway between the largest half and the next power of two
		return sign | 0x7c00
	case b < 0x38800000: // 2⁻¹⁴: the result is subnormal, or rounds up to the first normal number
		// The last place of numbers in [½, 1) is 2⁻²⁴, like that of subnormal halves,
		// so adding ½ rounds to it.
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
	}
	// Rebias the exponent and add just less than half a unit in the last place of the
	// result, or exactly half if the last place is odd. The carry does the rounding.
	b += 0xc8000fff + b>>13&1
	return sign | uint16(b>>13)
}
