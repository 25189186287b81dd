package tokens

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// MaxCentroids is the most centroids of a codebook. A token stores the number of its centroid in 16 bits.
const MaxCentroids = 1 << 16

// Codebook has the centroids of a collection, and says how residuals are stored.
type Codebook struct {
	dim, stride int       // stride is kernel.PadF32(dim)
	bits        int       // per component of a residual: 8, 4 or 2
	rows        []float32 // [centroids, stride]
	half        []float32 // [centroids] half the squared norm of each
}

// The levels of a component, as multiples of the residual's scale. A component of 8 bits is
// an int8, its level. For 4 and 2 bits, these are the levels with the least squared error if
// components are normally distributed (Max 1960, table I), scaled to 127 and rounded.
var (
	levels4 = [16]int8{-127, -96, -75, -58, -44, -31, -18, -6, 6, 18, 31, 44, 58, 75, 96, 127}
	levels2 = [4]int8{-127, -38, 38, 127}
)

// CheckBits returns an error (fault.Input) unless bits is 8, 4 or 2.
func CheckBits(bits int) error {
	if bits != 8 && bits != 4 && bits != 2 {
		return fault.New(fault.Input, "tokens: "+strconv.Itoa(bits)+" bits per component, must be 8, 4 or 2")
	}
	return nil
}

// NewCodebook makes a codebook of the centroids [n, dim], which it rounds to float16, for
// residuals with the given bits per component.
func NewCodebook(dim, bits int, centroids []float32) (*Codebook, error) {
	if err := CheckBits(bits); err != nil {
		return nil, err
	}
	if dim < 1 || dim > kernel.MaxDim || len(centroids)%dim != 0 {
		return nil, formatError("centroids", strconv.Itoa(len(centroids))+" numbers cannot be rows of "+strconv.Itoa(dim)+" dimensions")
	}
	n := len(centroids) / dim
	if n < 1 || n > MaxCentroids {
		return nil, formatError("centroids", strconv.Itoa(n)+" centroids, must be 1 to "+strconv.Itoa(MaxCentroids))
	}
	c := &Codebook{dim: dim, stride: kernel.PadF32(dim), bits: bits, half: make([]float32, n)}
	c.rows = make([]float32, n*c.stride)
	for i := range n {
		row := c.row(i)
		for j, v := range centroids[i*dim:][:dim] {
			row[j] = shard.F16ToF32(shard.F32ToF16(v))
		}
		norm2 := kernel.DotF32(row, row)
		if !(norm2 <= math.MaxFloat32) { // components are at most 65504, the largest float16, so no product with a query overflows
			return nil, formatError("centroids", "row "+strconv.Itoa(i)+" has numbers that are not finite in float16")
		}
		c.half[i] = norm2 / 2
	}
	return c, nil
}

// DecodeCodebook reads a file that EncodeCodebook wrote.
func DecodeCodebook(file []byte, bits int) (*Codebook, error) {
	s, err := shard.ParseSafetensors(file)
	if err != nil {
		return nil, err
	}
	t, ok := s.Tensor("centroids")
	if !ok || t.DType != shard.F16 || len(t.Shape) != 2 {
		return nil, formatError("centroids", "is missing, or not F16 [centroids, dimension]")
	}
	rows, err := t.Float32()
	if err != nil {
		return nil, err
	}
	return NewCodebook(t.Shape[1], bits, rows)
}

// EncodeCodebook writes the centroids as a safetensors file with the one tensor
// "centroids", F16 [centroids, dim].
func EncodeCodebook(c *Codebook) ([]byte, error) {
	data := make([]byte, 0, 2*c.Len()*c.dim)
	for i := range c.Len() {
		for _, v := range c.row(i)[:c.dim] {
			data = binary.LittleEndian.AppendUint16(data, shard.F32ToF16(v))
		}
	}
	return shard.AppendSafetensors(nil, []shard.Tensor{{Name: "centroids", DType: shard.F16, Shape: []int{c.Len(), c.dim}, Data: data}}, nil)
}

// Len is the number of centroids.
func (c *Codebook) Len() int { return len(c.half) }

// Dim is the number of components of a vector.
func (c *Codebook) Dim() int { return c.dim }

// Bits is the number of bits per component of a residual.
func (c *Codebook) Bits() int { return c.bits }

// row is a centroid, padded.
func (c *Codebook) row(i int) []float32 { return c.rows[i*c.stride:][:c.stride] }

// width is the number of bytes of a residual's codes.
func (c *Codebook) width() int { return (c.dim*c.bits + 7) / 8 }

// levels writes the levels of a residual's codes to dst [kernel.PadI8(dim)]; the padding
// becomes zeros. The first component has the lowest bits of the first byte.
func (c *Codebook) levels(dst []int8, codes []byte) {
	switch c.bits {
	case 8:
		for j, b := range codes {
			dst[j] = int8(b)
		}
	case 4:
		for j, b := range codes[:c.dim/2] {
			pair := dst[2*j:][:2]
			pair[0], pair[1] = levels4[b&15], levels4[b>>4]
		}
	case 2:
		for j, b := range codes[:c.dim/4] {
			four := dst[4*j:][:4]
			four[0], four[1], four[2], four[3] = levels2[b&3], levels2[b>>2&3], levels2[b>>4&3], levels2[b>>6]
		}
	}
	for j := c.dim &^ (8/c.bits - 1); j < c.dim; j++ { // the components in a last byte that is not full
		code := codes[j*c.bits/8] >> (j * c.bits % 8)
		if c.bits == 4 {
			dst[j] = levels4[code&15]
		} else {
			dst[j] = levels2[code&3]
		}
	}
	clear(dst[c.dim:])
}

//go:noinline
func formatError(tensor, problem string) error {
	return &shard.FormatError{Tensor: tensor, Problem: problem}
}
