package shard

import (
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// Limits of a vector file.
const (
	MaxDim   = kernel.MaxDim
	MaxRows  = 1 << 31
	MaxNorm2 = 1e36 // greatest squared norm of a row, so that sums of products in scores stay finite
)

// Names of the tensors of a vector file.
const (
	vectorsName = "vectors" // [n, d] I8, F16 or F32
	scalesName  = "scales"  // [n] F32, of I8 vectors: element = int8 · scale
	normsName   = "norms"   // [n] F32, Euclidean norms of the rows as stored; optional
	idsName     = "ids"     // [n] U32; optional, 0 to n-1 if absent
)

// Rows is one checked vector file in memory: all values are finite, no scale is
// negative, and no Norm2 is above MaxNorm2. Row i begins at i·Stride; its elements from
// Dim to Stride are zero.
type Rows struct {
	N, Dim int
	Stride int       // kernel.PadF32(Dim) or kernel.PadI8(Dim)
	DType  DType     // F32 (of F32 and F16 files) or I8
	F32    []float32 // [N, Stride] if DType is F32
	I8     []int8    // [N, Stride] if DType is I8
	Scales []float32 // [N] if DType is I8
	Norm2  []float32 // [N] squared Euclidean norms of the rows as stored
	IDs    []uint32  // [N] of the documents; a document may have several rows
}

// DecodeRows reads and checks a vector file. Its tensors are "vectors" [n, d] (I8, F16 or F32),
// "scales" [n] F32 with I8, and optionally "norms" [n] F32 and "ids" [n] U32; others are ignored.
//
// If the layout permits, the returned slices alias the file, which must not be changed
// while they are in use. That is the case for I8 vectors with d a multiple of 16, and, if
// their data are aligned to 4 bytes, for F32 vectors with d a multiple of 8, scales and
// ids. The error is a *FormatError or a *RowError.
func DecodeRows(file []byte) (*Rows, error) {
	s, err := ParseSafetensors(file)
	if err != nil {
		return nil, err
	}
	vectors, ok := s.Tensor(vectorsName)
	if !ok {
		return nil, formatError("", "there is no tensor \"vectors\": save the matrix of vectors under this name")
	}
	if len(vectors.Shape) != 2 {
		return nil, formatError(vectorsName, "shape "+shapeText(vectors.Shape)+", expected [rows, dimension]")
	}
	r := &Rows{N: vectors.Shape[0], Dim: vectors.Shape[1]}
	if err := checkShape(r.N, r.Dim); err != nil {
		return nil, err
	}
	switch vectors.DType {
	case F32, F16:
		err = r.decodeFloats(vectors)
	case I8:
		err = r.decodeInts(s, vectors)
	default:
		err = formatError(vectorsName, "dtype "+string(vectors.DType)+": save it as F32, F16 or I8 with scales")
	}
	if err != nil {
		return nil, err
	}
	if err := r.checkNorms(s); err != nil {
		return nil, err
	}
	if err := r.decodeIDs(s); err != nil {
		return nil, err
	}
	return r, nil
}

func checkShape(n, dim int) error {
	switch {
	case dim < 1 || dim > MaxDim:
		return formatError(vectorsName, "dimension "+strconv.Itoa(dim)+", expected 1 to "+strconv.Itoa(MaxDim))
	case uint64(n) > MaxRows:
		return formatError(vectorsName, strconv.Itoa(n)+" rows, at most 2147483648 fit one file: split it")
	case uint64(n)*uint64(dim+kernel.LanesI8)*4 > math.MaxInt:
		return formatError(vectorsName, shapeText([]int{n, dim})+" is too large for this machine: split the file")
	}
	return nil
}

func (r *Rows) decodeFloats(vectors Tensor) error {
	r.DType, r.Stride = F32, kernel.PadF32(r.Dim)
	if vectors.DType == F32 && r.Stride == r.Dim {
		r.F32 = float32s(vectors.Data)
	} else {
		r.F32 = make([]float32, r.N*r.Stride)
		width := vectors.DType.bits() / 8 * r.Dim // size of a stored row, in bytes
		for i := range r.N {
			row, stored := r.F32[i*r.Stride:][:r.Dim], vectors.Data[i*width:][:width]
			if vectors.DType == F16 {
				halves(row, stored)
			} else {
				copy(row, float32s(stored))
			}
		}
	}
	r.Norm2 = make([]float32, r.N)
	for i := range r.N {
		row := r.F32[i*r.Stride:][:r.Stride]
		r.Norm2[i] = norm2F32(row)
		if !(r.Norm2[i] <= MaxNorm2) {
			return blame(i, row)
		}
	}
	return nil
}

func (r *Rows) decodeInts(s *Safetensors, vectors Tensor) error {
	r.DType, r.Stride = I8, kernel.PadI8(r.Dim)
	scales, err := s.perRow(scalesName, F32, r.N)
	if err != nil {
		return err
	}
	if scales == nil {
		return formatError("", "there is no tensor \"scales\": I8 vectors need the F32 scale of each row")
	}
	r.Scales = float32s(scales)
	r.I8 = int8s(vectors.Data)
	if r.Stride != r.Dim {
		r.I8 = make([]int8, r.N*r.Stride)
		for i, stored := 0, int8s(vectors.Data); i < r.N; i++ {
			copy(r.I8[i*r.Stride:], stored[i*r.Dim:][:r.Dim])
		}
	}
	r.Norm2 = make([]float32, r.N)
	for i, scale := range r.Scales {
		r.Norm2[i] = norm2I8(r.I8[i*r.Stride:][:r.Stride], scale)
		if err := checkScale(i, scale, r.Norm2[i]); err != nil {
			return err
		}
	}
	return nil
}

// norm2F32 returns the squared norm of a padded row. It is finite only if all elements
// are, because squares do not cancel.
func norm2F32(row []float32) float32 { return kernel.DotF32(row, row) }

// norm2I8 returns the squared norm of a padded row with a scale.
func norm2I8(row []int8, scale float32) float32 {
	return float32(float64(scale) * float64(scale) * float64(kernel.DotI8(row, row)))
}

// blame says why norm2F32 of a row is NaN or above MaxNorm2.
func blame(i int, row []float32) error {
	for j, v := range row {
		if !(math.Abs(float64(v)) <= math.MaxFloat32) {
			return &RowError{vectorsName, i, j, floatText(v) + " is not a finite number"}
		}
	}
	return &RowError{vectorsName, i, -1, "its squared length is above 1e36: normalise the vectors"}
}

func checkScale(i int, scale, norm2 float32) error {
	switch {
	case !(scale >= 0 && scale <= math.MaxFloat32):
		return &RowError{scalesName, i, -1, "scale " + floatText(scale) + " is not a finite number from 0 up"}
	case !(norm2 <= MaxNorm2):
		return &RowError{vectorsName, i, -1, "its squared length is above 1e36: normalise the vectors"}
	}
	return nil
}

// perRow returns the data of a tensor with one number per row, or nil if the file has
// none.
func (s *Safetensors) perRow(name string, dtype DType, n int) ([]byte, error) {
	t, ok := s.Tensor(name)
	if !ok {
		return nil, nil
	}
	if t.DType != dtype || len(t.Shape) != 1 || t.Shape[0] != n {
		return nil, formatError(name, string(t.DType)+" "+shapeText(t.Shape)+", expected "+string(dtype)+" "+shapeText([]int{n}))
	}
	return t.Data, nil
}

// checkNorms compares the file's norms, if it has them, with those of its rows. A
// mismatch shows that rows and norms, or rows and scales, come from different matrices.
func (r *Rows) checkNorms(s *Safetensors) error {
	data, err := s.perRow(normsName, F32, r.N)
	if err != nil || data == nil {
		return err
	}
	for i, stored := range float32s(data) {
		norm := math.Sqrt(float64(r.Norm2[i]))
		// The tolerance has an absolute part, because squares below float32's range
		// vanish from Norm2.
		const relative, absolute = 1e-3, 1e-18
		if off := math.Abs(float64(stored) - norm); !(off <= float64(relative*norm)+absolute) {
			return &RowError{normsName, i, -1, "the file says " + floatText(stored) + ", the row's norm is " + floatText(float32(norm)) +
				": write the norms of the rows as stored, or leave them out"}
		}
	}
	return nil
}

func (r *Rows) decodeIDs(s *Safetensors) error {
	data, err := s.perRow(idsName, U32, r.N)
	if err != nil {
		return err
	}
	if data == nil {
		r.IDs = make([]uint32, r.N)
		for i := range r.IDs {
			r.IDs[i] = uint32(i)
		}
		return nil
	}
	r.IDs, err = Tensor{idsName, U32, nil, data}.Uint32()
	return err
}

// Float32 returns row i as it is stored, in a new slice.
func (r *Rows) Float32(i int) []float32 {
	out := make([]float32, r.Dim)
	if r.DType == F32 {
		copy(out, r.F32[i*r.Stride:])
		return out
	}
	for j, v := range r.I8[i*r.Stride:][:r.Dim] {
		out[j] = float32(v) * r.Scales[i]
	}
	return out
}
