package weights

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// sizes are the sizes of elements in bytes, by safetensors' names of their kinds.
var sizes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}

func (t *tensor) floats() bool {
	return t.kind == "F32" || t.kind == "F16" || t.kind == "BF16" || t.kind == "F64"
}

// On littleEndian machines, aligned F32 tensors are read in place.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// float32s converts a tensor of floats to float32.
func (t *tensor) float32s() []float32 {
	b := t.data
	if t.kind == "F32" && littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%4 == 0 {
		return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
	}
	values := make([]float32, len(b)/sizes[t.kind])
	switch t.kind {
	case "F32":
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	case "F16":
		for i := range values {
			values[i] = shard.F16ToF32(binary.LittleEndian.Uint16(b[2*i:]))
		}
	case "BF16":
		for i := range values {
			values[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		}
	case "F64":
		for i := range values {
			values[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
	}
	return values
}
