package tokens

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Vectors are the encoded token vectors of some documents, in order.
type Vectors struct {
	Counts    []uint32 // vectors of each document
	Centroids []uint16 // [vectors]
	Scales    []uint16 // [vectors] float16, finite, not negative
	Codes     []byte   // [vectors, ⌈dim·bits/8⌉]
}

// Append adds the documents of o after those of v.
func (v *Vectors) Append(o *Vectors) {
	v.Counts = append(v.Counts, o.Counts...)
	v.Centroids = append(v.Centroids, o.Centroids...)
	v.Scales = append(v.Scales, o.Scales...)
	v.Codes = append(v.Codes, o.Codes...)
}

// Bytes is the length of the file that EncodeFile makes of them, without its header.
func (v *Vectors) Bytes() int { return 4*len(v.Counts) + 4*len(v.Centroids) + len(v.Codes) }

// maxNorm2 bounds the squared norm of a vector to encode, so that every scale fits in a float16.
const maxNorm2 = 1e8

// Encode appends one document to v: for each of its vectors [n, dim], the nearest centroid
// and the quantised residual. If a vector is not finite, or if its norm is above 10,000,
// Encode returns an error (fault.Input) and leaves v as it was.
func (c *Codebook) Encode(v *Vectors, vectors []float32) error {
	if len(vectors)%c.dim != 0 {
		return formatError("codes", strconv.Itoa(len(vectors))+" numbers cannot be vectors of "+strconv.Itoa(c.dim)+" dimensions")
	}
	n := len(vectors) / c.dim
	rows, nearest, levels := make([]float32, n*c.stride), make([]int32, n), make([]int8, c.dim)
	for i := range n {
		row := rows[i*c.stride:][:c.stride]
		copy(row, vectors[i*c.dim:][:c.dim])
		if norm2 := kernel.DotF32(row, row); !(norm2 <= maxNorm2) {
			return &shard.RowError{Tensor: "codes", Row: i, Column: -1, Problem: "the token vector is not finite or longer than 10000: normalise it"}
		}
	}
	Nearest(nearest, rows, c.rows, c.half, c.stride)
	for i, nearest := range nearest {
		residual := rows[i*c.stride:][:c.dim]
		for j, v := range c.row(int(nearest))[:c.dim] {
			residual[j] -= v
		}
		v.Centroids = append(v.Centroids, uint16(nearest))
		v.Scales = append(v.Scales, c.quantise(levels, residual, vectors[i*c.dim:][:c.dim]))
		v.Codes = c.pack(v.Codes, levels)
	}
	v.Counts = append(v.Counts, uint32(n))
	return nil
}

// quantise writes the levels that are nearest to the residual of a vector and returns the scale.
func (c *Codebook) quantise(levels []int8, residual, vector []float32) (scale uint16) {
	var largest, sum float64
	for _, v := range residual {
		largest = max(largest, math.Abs(float64(v)))
		sum += float64(float64(v) * float64(v)) // the conversion keeps compilers from fusing, which would change bits
	}
	if c.bits == 8 {
		scale = shard.F32ToF16(float32(largest / 127))
		if float64(shard.F16ToF32(scale))*127 < largest {
			scale++ // the next greater one, so that no level is beyond 127
		}
		c.round(levels, residual, scale)
		return scale
	}
	// If components are normally distributed, the outermost of 16 levels is at 2.73 standard
	// deviations, and that of four at 1.51. These give the first scale. Then levels and scale
	// are fitted in turn: the nearest levels, and the scale with the least squared error for them.
	outermost := 2.733
	if c.bits == 2 {
		outermost = 1.51
	}
	scale = shard.F32ToF16(float32(outermost / 127 * math.Sqrt(sum/float64(len(residual)))))
	for range 4 {
		c.round(levels, residual, scale)
		var product, square float64
		for j, l := range levels {
			product += float64(float64(l) * float64(residual[j]))
			square += float64(float64(l) * float64(l))
		}
		scale = shard.F32ToF16(float32(max(0, product/square)))
	}
	c.round(levels, residual, scale)
	return straighten(levels, residual, vector, scale)
}

// straighten returns the scale with which the error is orthogonal to the vector. Vectors that
// score high are near the query, so that errors along them change scores most (Guo et al. 2020,
// "Accelerating large-scale inference with anisotropic vector quantization"). If that scale is
// far from the fitted one, it returns the latter.
func straighten(levels []int8, residual, vector []float32, fitted uint16) uint16 {
	var along, wanted float64
	for j, l := range levels {
		along += float64(float64(l) * float64(vector[j]))
		wanted += float64(float64(residual[j]) * float64(vector[j]))
	}
	scale, s := wanted/along, float64(shard.F16ToF32(fitted))
	if s == 0 || !(math.Abs(scale-s) <= s/4) { // or no number, if the levels are orthogonal to the vector
		return fitted
	}
	return shard.F32ToF16(float32(scale))
}

// round writes the levels that are nearest to residual/scale, as integers. If two are equally
// near, it takes the lower one, or with 8 bits the even one.
func (c *Codebook) round(levels []int8, residual []float32, scale uint16) {
	s := float64(shard.F16ToF32(scale))
	for j, v := range residual {
		at := 0.0
		if s > 0 {
			at = float64(v) / s
		}
		switch c.bits {
		case 8:
			levels[j] = int8(max(-127, min(127, math.RoundToEven(at))))
		case 4:
			levels[j] = levels4[closest(levels4[:], at)]
		default:
			levels[j] = levels2[closest(levels2[:], at)]
		}
	}
}

// closest is the index of the level that is nearest to a number.
func closest(levels []int8, at float64) int {
	i := 0
	for i+1 < len(levels) && 2*at > float64(levels[i])+float64(levels[i+1]) {
		i++
	}
	return i
}

// pack appends the codes of levels to dst.
func (c *Codebook) pack(dst []byte, levels []int8) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, c.width())...)
	for j, l := range levels {
		code := byte(l)
		switch c.bits {
		case 4:
			code = byte(closest(levels4[:], float64(l)))
		case 2:
			code = byte(closest(levels2[:], float64(l)))
		}
		dst[at+j*c.bits/8] |= code << (j * c.bits % 8)
	}
	return dst
}

// EncodeFile returns a file of the documents, as safetensors: "tokens", U32 [documents], the
// number of vectors of each document; "centroids", U16 [vectors]; "scales", F16 [vectors];
// and "codes", U8 [vectors, ⌈dim·bits/8⌉].
func (c *Codebook) EncodeFile(v *Vectors) ([]byte, error) {
	var counts, centroids, scales []byte
	for _, n := range v.Counts {
		counts = binary.LittleEndian.AppendUint32(counts, n)
	}
	for i := range v.Centroids {
		centroids = binary.LittleEndian.AppendUint16(centroids, v.Centroids[i])
		scales = binary.LittleEndian.AppendUint16(scales, v.Scales[i])
	}
	n := len(v.Centroids)
	return shard.AppendSafetensors(nil, []shard.Tensor{
		{Name: "tokens", DType: shard.U32, Shape: []int{len(v.Counts)}, Data: counts},
		{Name: "centroids", DType: "U16", Shape: []int{n}, Data: centroids},
		{Name: "scales", DType: shard.F16, Shape: []int{n}, Data: scales},
		{Name: "codes", DType: shard.U8, Shape: []int{n, c.width()}, Data: v.Codes},
	}, nil)
}
