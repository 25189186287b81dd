package shard

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// littleEndian reports whether this machine has the files' byte order.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// view returns data as a slice of numbers of the same width as T, without a copy, if the
// machine's byte order and the data's alignment permit.
func view[T uint32 | float32 | float64](data []byte) ([]T, bool) {
	var zero T
	if len(data) == 0 {
		return []T{}, true
	}
	p := unsafe.Pointer(unsafe.SliceData(data))
	if !littleEndian || uintptr(p)%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	return unsafe.Slice((*T)(p), len(data)/int(unsafe.Sizeof(zero))), true
}

// Float32 returns the elements of an F32 or F16 tensor. F32 elements alias Data if its
// alignment permits. Other dtypes are an error.
func (t Tensor) Float32() ([]float32, error) {
	switch t.DType {
	case F16:
		out := make([]float32, len(t.Data)/2)
		halves(out, t.Data)
		return out, nil
	case F32:
		return float32s(t.Data), nil
	}
	return nil, formatError(t.Name, "expected F32 or F16, found "+string(t.DType))
}

// float32s returns little-endian float32 numbers, which alias data if its alignment
// permits.
func float32s(data []byte) []float32 {
	if v, ok := view[float32](data); ok {
		return v
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// halves converts the binary16 numbers of data.
func halves(out []float32, data []byte) {
	data = data[:2*len(out)]
	for i := range out {
		out[i] = F16ToF32(binary.LittleEndian.Uint16(data[2*i:]))
	}
}

// Float64 returns the elements of an F64 tensor, which alias Data if its alignment
// permits.
func (t Tensor) Float64() ([]float64, error) {
	if t.DType != F64 {
		return nil, formatError(t.Name, "expected F64, found "+string(t.DType))
	}
	if v, ok := view[float64](t.Data); ok {
		return v, nil
	}
	out := make([]float64, len(t.Data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(t.Data[8*i:]))
	}
	return out, nil
}

// Uint32 returns the elements of a U32 tensor, which alias Data if its alignment
// permits.
func (t Tensor) Uint32() ([]uint32, error) {
	if t.DType != U32 {
		return nil, formatError(t.Name, "expected U32, found "+string(t.DType))
	}
	if v, ok := view[uint32](t.Data); ok {
		return v, nil
	}
	out := make([]uint32, len(t.Data)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(t.Data[4*i:])
	}
	return out, nil
}

// Int8 returns the elements of an I8 tensor, which alias Data.
func (t Tensor) Int8() ([]int8, error) {
	if t.DType != I8 {
		return nil, formatError(t.Name, "expected I8, found "+string(t.DType))
	}
	return int8s(t.Data), nil
}

// int8s returns data as signed numbers, without a copy.
func int8s(data []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(data))), len(data))
}
