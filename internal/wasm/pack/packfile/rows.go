package packfile

import (
	"encoding/binary"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// AppendQ4 appends a row of values from -pack.MaxQ4 to pack.MaxQ4 with the bits of
// a half-float scale for each pack.Group of them.
func AppendQ4(dst []byte, values []int8, scales []uint16) []byte {
	for len(values) > 0 {
		group := values[:min(len(values), pack.Group)]
		dst = binary.LittleEndian.AppendUint16(dst, scales[0])
		for i := 0; i < len(group); i += 2 {
			high := int8(0)
			if i+1 < len(group) {
				high = group[i+1]
			}
			dst = append(dst, byte(group[i]+pack.MaxQ4+1)|byte(high+pack.MaxQ4+1)<<4)
		}
		values, scales = values[len(group):], scales[1:]
	}
	return dst
}

// AppendQ8 appends a row rounded to 8 bits as shard.QuantizeRow does.
func AppendQ8(dst []byte, row []float32) []byte {
	values := make([]int8, len(row))
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(shard.QuantizeRow(values, row)))
	for _, v := range values {
		dst = append(dst, byte(v))
	}
	return dst
}

// Floats encodes values as F16, or as F32 if one of them is beyond its range.
func Floats(values []float32) (pack.Encoding, []byte) {
	encoding, payload := pack.F16, make([]byte, 0, 4*len(values))
	for _, v := range values {
		half := shard.F32ToF16(v)
		if half&0x7c00 == 0x7c00 {
			encoding = pack.F32
			break
		}
		payload = binary.LittleEndian.AppendUint16(payload, half)
	}
	if encoding == pack.F16 {
		return encoding, payload
	}
	payload = payload[:0]
	for _, v := range values {
		payload = binary.LittleEndian.AppendUint32(payload, math.Float32bits(v))
	}
	return encoding, payload
}
