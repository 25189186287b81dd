package shard

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// EncodeRows writes a vector file of the rows of vectors [n, dim] as dtype F32, F16 or
// I8 (see QuantizeRow), with their norms and the ids of their documents (nil means 0 to
// n-1). The error is a *RowError if a row has numbers that are not finite or too large.
func EncodeRows(dtype DType, dim int, vectors []float32, ids []uint32) ([]byte, error) {
	n, err := countRows(len(vectors), dim)
	if err != nil {
		return nil, err
	}
	switch dtype {
	case F32, F16:
		return encodeFloats(dtype, n, dim, vectors, ids)
	case I8:
		return encodeInts(n, dim, vectors, ids)
	}
	return nil, formatError(vectorsName, "dtype "+strconv.Quote(string(dtype))+": expected F32, F16 or I8")
}

// EncodeQuantizedRows writes an I8 vector file of quantised rows, such as those of a
// Rows. The distance between rows is dim or, if they are padded, kernel.PadI8(dim).
func EncodeQuantizedRows(dim int, rows []int8, scales []float32, ids []uint32) ([]byte, error) {
	n := len(scales)
	if err := checkShape(n, dim); err != nil {
		return nil, err
	}
	stride := kernel.PadI8(dim)
	if len(rows) == n*dim {
		stride = dim
	} else if len(rows) != n*stride {
		return nil, formatError(vectorsName, strconv.Itoa(len(rows))+" elements are not "+strconv.Itoa(n)+" rows of dimension "+strconv.Itoa(dim))
	}
	data := make([]byte, 0, n*dim)
	norms := make([]float32, n)
	padded := make([]int8, kernel.PadI8(dim))
	for i, scale := range scales {
		row := rows[i*stride:][:dim]
		copy(padded, row)
		norm2 := norm2I8(padded, scale)
		if err := checkScale(i, scale, norm2); err != nil {
			return nil, err
		}
		norms[i] = float32(math.Sqrt(float64(norm2)))
		for _, v := range row {
			data = append(data, byte(v))
		}
	}
	return assemble(Tensor{vectorsName, I8, []int{n, dim}, data}, scales, norms, ids)
}

func countRows(elements, dim int) (int, error) {
	if dim < 1 || elements%dim != 0 {
		return 0, formatError(vectorsName, strconv.Itoa(elements)+" elements are not rows of dimension "+strconv.Itoa(dim))
	}
	return elements / dim, checkShape(elements/dim, dim)
}

func encodeFloats(dtype DType, n, dim int, vectors []float32, ids []uint32) ([]byte, error) {
	data := make([]byte, 0, len(vectors)*dtype.bits()/8)
	norms := make([]float32, n)
	padded := make([]float32, kernel.PadF32(dim))
	for i := range n {
		row := vectors[i*dim:][:dim]
		copy(padded, row)
		for j, v := range row {
			if dtype == F32 {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
				continue
			}
			h := F32ToF16(v)
			padded[j] = F16ToF32(h)
			data = binary.LittleEndian.AppendUint16(data, h)
		}
		norm2 := norm2F32(padded)
		if !(norm2 <= MaxNorm2) {
			return nil, blameEncoded(i, row, padded)
		}
		norms[i] = float32(math.Sqrt(float64(norm2)))
	}
	return assemble(Tensor{vectorsName, dtype, []int{n, dim}, data}, nil, norms, ids)
}

// blameEncoded is blame, but distinguishes a value that became infinite in F16 from one
// that was infinite before.
func blameEncoded(i int, row, stored []float32) error {
	for j, v := range row {
		if math.Abs(float64(v)) <= math.MaxFloat32 && math.IsInf(float64(stored[j]), 0) {
			return &RowError{vectorsName, i, j, floatText(v) + " is beyond the range of F16: use F32 or I8, or normalise the vectors"}
		}
	}
	return blame(i, row)
}

func encodeInts(n, dim int, vectors []float32, ids []uint32) ([]byte, error) {
	rows := make([]int8, n*dim)
	scales := make([]float32, n)
	for i := range scales {
		row := vectors[i*dim:][:dim]
		scales[i] = QuantizeRow(rows[i*dim:][:dim], row)
		if !(scales[i] <= math.MaxFloat32) {
			return nil, blame(i, row)
		}
	}
	return EncodeQuantizedRows(dim, rows, scales, ids)
}

// assemble writes the file of vectors, with the norm, scale and id of each row.
func assemble(vectors Tensor, scales, norms []float32, ids []uint32) ([]byte, error) {
	n := len(norms)
	if ids != nil && len(ids) != n {
		return nil, formatError(idsName, strconv.Itoa(len(ids))+" ids for "+strconv.Itoa(n)+" rows")
	}
	tensors := []Tensor{vectors}
	if vectors.DType == I8 {
		tensors = append(tensors, Tensor{scalesName, F32, []int{n}, floatBytes(scales)})
	}
	idData := make([]byte, 0, 4*n)
	for i := range n {
		id := uint32(i)
		if ids != nil {
			id = ids[i]
		}
		idData = binary.LittleEndian.AppendUint32(idData, id)
	}
	tensors = append(tensors,
		Tensor{normsName, F32, []int{n}, floatBytes(norms)},
		Tensor{idsName, U32, []int{n}, idData})
	return AppendSafetensors(nil, tensors, nil)
}

func floatBytes(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
