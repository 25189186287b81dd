package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// DType is the type of a vector's components.
type DType uint8

// The types.
const (
	F32  DType = 1
	F16  DType = 2
	Int8 DType = 3
)

// Size is the size of a component in bytes, 0 for an unknown type.
func (d DType) Size() int {
	switch d {
	case F32:
		return 4
	case F16:
		return 2
	case Int8:
		return 1
	}
	return 0
}

// VectorSize is the length of a Vector's frame.
func VectorSize(dim int, d DType) int { return HeaderSize + vectorSize + dim*d.Size() }

// Vector is the embedding of a text.
type Vector struct {
	ID, Index uint32
	Truncated bool   // the text was longer than the model's limit
	Tokens    uint32 // tokens that the model saw
	DType     DType
	Scale     float32 // scale of Int8 components, otherwise 1
	Payload   []byte  // components, little-endian
}

// vectorSize is the number of bytes of a VECTOR's body before the components.
const vectorSize = 16

// NewVector returns the frame of a vector, rounded to the type.
func NewVector(id, index uint32, vector []float32, d DType) *Vector {
	f := &Vector{ID: id, Index: index, DType: d, Scale: 1, Payload: make([]byte, 0, len(vector)*d.Size())}
	switch d {
	case F16:
		for _, v := range vector {
			f.Payload = binary.LittleEndian.AppendUint16(f.Payload, shard.F32ToF16(v))
		}
	case Int8:
		row := make([]int8, len(vector))
		f.Scale = shard.QuantizeRow(row, vector)
		for _, v := range row {
			f.Payload = append(f.Payload, byte(v))
		}
	default:
		for _, v := range vector {
			f.Payload = binary.LittleEndian.AppendUint32(f.Payload, math.Float32bits(v))
		}
	}
	return f
}

// Dim is the number of components.
func (f *Vector) Dim() int { return len(f.Payload) / f.DType.Size() }

// Floats returns the components.
func (f *Vector) Floats() []float32 {
	v := make([]float32, f.Dim())
	for i := range v {
		switch f.DType {
		case F16:
			v[i] = shard.F16ToF32(binary.LittleEndian.Uint16(f.Payload[2*i:]))
		case Int8:
			v[i] = float32(int8(f.Payload[i])) * f.Scale
		default:
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(f.Payload[4*i:]))
		}
	}
	return v
}

// Append implements Frame.
func (f *Vector) Append(b []byte) []byte {
	h := header{kind: TypeVector, id: f.ID, index: f.Index}
	if f.Truncated {
		h.flags = flagTruncated
	}
	b = appendHeader(b, h, vectorSize+len(f.Payload))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.Dim()))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.Scale))
	b = binary.LittleEndian.AppendUint32(b, f.Tokens)
	b = append(b, byte(f.DType), 0, 0, 0)
	return append(b, f.Payload...)
}

func parseVector(h header, body []byte) (Frame, error) {
	f := &Vector{ID: h.id, Index: h.index, Truncated: h.flags&flagTruncated != 0, Scale: math.Float32frombits(binary.LittleEndian.Uint32(body[4:])),
		Tokens: binary.LittleEndian.Uint32(body[8:]), DType: DType(body[12]), Payload: body[vectorSize:]}
	dim, size := uint64(binary.LittleEndian.Uint32(body)), uint64(f.DType.Size())
	switch {
	case body[13] != 0 || body[14] != 0 || body[15] != 0:
		return nil, errors.New("bytes that must be 0 are not")
	case size == 0:
		return nil, fmt.Errorf("unknown dtype %d", f.DType)
	case dim*size != uint64(len(f.Payload)):
		return nil, fmt.Errorf("%d components of %d bytes in a payload of %d", dim, size, len(f.Payload))
	case f.Scale < 0 || f.Scale > math.MaxFloat32 || f.Scale != f.Scale || f.DType != Int8 && f.Scale != 1:
		return nil, fmt.Errorf("a scale of %v", f.Scale)
	}
	return f, nil
}
