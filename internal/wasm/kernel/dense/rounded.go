package dense

import "math"

// Rounded holds rows that are rounded to 8 bits: component = middle + scale·value,
// with a middle and a scale for each row and values from -127 to 127. The middle is
// halfway between the least and the greatest component: the outputs of layer norms
// and activations reach much further to one side, and 127 steps to each side of zero
// would leave half of them unused.
type Rounded struct {
	rows, in int
	width    int // of a row in values: in, and zeros up to a multiple of 4
	values   []roundedValue
	scales   []float32
	middles  []float32
}

// NewRounded has room for a number of rows of at most in components.
func NewRounded(rows, in int) *Rounded {
	r := &Rounded{}
	r.grow(rows, (in+3)/4*4)
	return r
}

// RoundedBytes is how many bytes NewRounded takes.
func RoundedBytes(rows, in int) int {
	return roundedBytes*roundedValues(rows, (in+3)/4*4) + 8*rows + 2*4*panel
}

func (r *Rounded) grow(rows, width int) {
	if n := roundedValues(rows, width); cap(r.values) < n {
		r.values = make([]roundedValue, n)
	}
	r.scales, r.middles = grown(r.scales, rows), grown(r.middles, rows)
}

// Round replaces the contents by rows of in components, of which row i begins at
// x[i*ldx]. The scale of a row is the greatest distance from its middle / 127; what
// a component is above the middle is multiplied by 127 / that distance, and rounded
// half to even. Values are zeros if all distances are below 2⁻¹⁰⁰.
func (r *Rounded) Round(p *Pool, x []float32, ldx, rows, in int) {
	r.rows, r.in, r.width = rows, in, (in+3)/4*4
	r.values, r.scales, r.middles = r.values[:roundedValues(rows, r.width)], r.scales[:rows], r.middles[:rows]
	p.Split(rows, 16, func(first, last int) {
		quantizeRows(r, x, ldx, first, last)
	})
}

// tiny is the distance below which values count as zeros, since 127/tiny has to be
// finite.
const tiny = 0x1p-100

// plainQuantize writes x around an offset and returns scale and middle. The distance
// is taken from the middle as it is rounded, so that no value exceeds 127.
func plainQuantize[T uint8 | int16](to []T, x []float32, offset int32) (scale, middle float32) {
	low, high := x[0], x[0]
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	middle = low + float32((high-low)*0.5)
	distance, factor := max(high-middle, middle-low), float32(0)
	if distance >= tiny {
		factor = 127 / distance
	}
	for i, v := range x {
		to[i] = T(int32(math.RoundToEven(float64(float32((v-middle)*factor)))) + offset)
	}
	return distance / 127, middle
}
