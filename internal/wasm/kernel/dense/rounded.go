package dense

import "math"

// Rounded holds rows that are rounded to 8 bits: component = scale·value, with a
// scale for each row and values from -127 to 127.
type Rounded struct {
	rows, in int
	width    int // of a row in values: in, and zeros up to a multiple of 4
	values   []roundedValue
	scales   []float32
}

// NewRounded has room for a number of rows of at most in components.
func NewRounded(rows, in int) *Rounded {
	r := &Rounded{}
	r.grow(rows, (in+3)/4*4)
	return r
}

// RoundedBytes is how many bytes NewRounded takes.
func RoundedBytes(rows, in int) int {
	return rows * ((in+3)/4*4*roundedBytes + 4)
}

func (r *Rounded) grow(rows, width int) {
	if cap(r.values) < rows*width {
		r.values = make([]roundedValue, rows*width)
	}
	r.scales = grown(r.scales, rows)
}

// Round replaces the contents by rows of in components, of which row i begins at
// x[i*ldx]. The scale of a row is its greatest magnitude / 127; a component is
// multiplied by 127 / that magnitude, and rounded half to even. A row whose
// magnitudes are all below 2⁻¹⁰⁰ becomes zeros.
func (r *Rounded) Round(p *Pool, x []float32, ldx, rows, in int) {
	r.rows, r.in, r.width = rows, in, (in+3)/4*4
	r.values, r.scales = r.values[:rows*r.width], r.scales[:rows]
	p.Split(rows, 16, func(first, last int) {
		quantizeRows(r, x, ldx, first, last)
	})
}

// eachRow rounds row by row.
func (r *Rounded) eachRow(x []float32, ldx, first, last int) {
	for i := first; i < last; i++ {
		to := r.values[i*r.width : (i+1)*r.width]
		r.scales[i] = quantize(to[:r.in], x[i*ldx:i*ldx+r.in])
		clear(to[r.in:]) // their weights are 0
	}
}

// tiny is the magnitude below which a row counts as zeros, since 127/tiny has to
// be finite.
const tiny = 0x1p-100

// plainQuantize writes x around an offset and returns the scale.
func plainQuantize[T uint8 | int16](to []T, x []float32, offset int32) float32 {
	var greatest, factor float32
	for _, v := range x {
		greatest = max(greatest, float32(math.Abs(float64(v))))
	}
	if greatest >= tiny {
		factor = 127 / greatest
	}
	for i, v := range x {
		to[i] = T(int32(math.RoundToEven(float64(float32(v*factor)))) + offset)
	}
	return greatest / 127
}
