package shard

import (
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// NewRow returns one vector in the form of DecodeRows: quantised if dtype is I8,
// unchanged if dtype is F32. The error is a *RowError if a value is not finite or the
// squared norm exceeds MaxNorm2, otherwise a *FormatError.
func NewRow(dtype DType, vector []float32, id uint32) (*Rows, error) {
	dim := len(vector)
	if err := checkShape(1, dim); err != nil {
		return nil, err
	}
	r := &Rows{N: 1, Dim: dim, DType: dtype, IDs: []uint32{id}}
	var norm2 float32
	switch dtype {
	case I8:
		r.Stride = kernel.PadI8(dim)
		r.I8 = make([]int8, r.Stride)
		scale := QuantizeRow(r.I8, vector)
		if !(scale <= math.MaxFloat32) {
			return nil, blame(0, vector)
		}
		r.Scales = []float32{scale}
		norm2 = norm2I8(r.I8, scale)
	case F32:
		r.Stride = kernel.PadF32(dim)
		r.F32 = make([]float32, r.Stride)
		copy(r.F32, vector)
		norm2 = norm2F32(r.F32)
	default:
		return nil, formatError(vectorsName, "rows in memory are F32 or I8, not "+strconv.Quote(string(dtype)))
	}
	if !(norm2 <= MaxNorm2) {
		return nil, blame(0, vector)
	}
	r.Norm2 = []float32{norm2}
	return r, nil
}
