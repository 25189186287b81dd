package pack

import (
	"encoding/binary"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Encoding is how a tensor's values are stored; the package's comment says how.
type Encoding string

// The encodings: Q4 and Q8 of matrices, F16 and F32 of everything else.
const (
	Q4  Encoding = "q4"
	Q8  Encoding = "q8"
	F16 Encoding = "f16"
	F32 Encoding = "f32"
)

const (
	// Group is how many neighbours of a row share a scale in Q4.
	Group = 32
	// MaxQ4 is the largest value of Q4; the smallest is -MaxQ4.
	MaxQ4 = 7
	// Steps is how many times a row's scale in memory goes into the greatest scale of its
	// groups of Q4. So a value in memory is at most MaxQ4·Steps.
	Steps = 18

	zeroQ4 = MaxQ4 + 1 // as it is stored
)

func (e Encoding) known(matrix bool) bool {
	if matrix {
		return e == Q4 || e == Q8
	}
	return e == F16 || e == F32
}

func encodings(matrix bool) string {
	if matrix {
		return "q4 or q8"
	}
	return "f16 or f32"
}

// RowBytes is the length of a stored row of n values.
func (e Encoding) RowBytes(n int) int {
	switch e {
	case Q4:
		rest := n % Group
		bytes := n / Group * (2 + Group/2)
		if rest > 0 {
			bytes += 2 + (rest+1)/2
		}
		return bytes
	case Q8:
		return 4 + n
	case F16:
		return 2 * n
	}
	return 4 * n
}

// bytes of a tensor's payload.
func (t *Tensor) bytes() int64 {
	rows, width := t.rows()
	return int64(rows) * int64(t.Encoding.RowBytes(width))
}

// rows are how the tensor is stored. If it is not a matrix, each value counts as a row,
// because only the values of a row are read together.
func (t *Tensor) rows() (rows, width int) {
	if t.Encoding == Q4 || t.Encoding == Q8 {
		return t.Shape[0], t.Shape[1]
	}
	values := 1
	for _, n := range t.Shape {
		values *= n
	}
	return values, 1
}

// Faults of stored rows.
const (
	badScale = "has a scale that is no number from 0 on"
	badValue = "has a value that its encoding does not have"
	badFloat = "has a value that is no finite number"
)

// readQ8 reads a row into dst and returns its scale, or what is wrong with it.
func readQ8(dst []int8, src []byte) (scale float32, fault string) {
	scale = math.Float32frombits(binary.LittleEndian.Uint32(src))
	if !(scale >= 0 && scale <= math.MaxFloat32) {
		return 0, badScale
	}
	for i, b := range src[4:][:len(dst)] {
		if b == 0x80 {
			return 0, badValue
		}
		dst[i] = int8(b)
	}
	return scale, ""
}

// readQ4 is readQ8 for groups of 4 bits. A group has only 15 different values, so
// that it rounds seven and looks up all others.
func readQ4(dst []int8, src []byte) (scale float32, fault string) {
	greatest := float32(0)
	for at, n := 0, len(dst); n > 0; n -= Group {
		half := binary.LittleEndian.Uint16(src[at:])
		if half >= 0x7c00 { // infinite, no number, or with a sign
			return 0, badScale
		}
		packed := src[at+2:][:(min(n, Group)+1)/2]
		most := uint8(0)
		for _, b := range packed {
			most = max(most, largestOf[b])
		}
		if most > MaxQ4 || n < Group && n&1 == 1 && packed[n/2]>>4 != zeroQ4 {
			return 0, badValue
		}
		greatest = max(greatest, shard.F16ToF32(half))
		at += 2 + len(packed)
	}
	const smallestNormal = 0x1p-126
	if scale = greatest / Steps; scale < smallestNormal {
		clear(dst)
		return 0, ""
	}
	for ; len(dst) >= Group; dst, src = dst[Group:], src[2+Group/2:] {
		table := tableOf(src, scale)
		to, packed := (*[Group]int8)(dst), (*[Group / 2]byte)(src[2:])
		for i, b := range packed {
			to[2*i], to[2*i+1] = table[b&15], table[b>>4]
		}
	}
	if len(dst) > 0 {
		table := tableOf(src, scale)
		for i := range dst {
			dst[i] = table[src[2+i/2]>>(i&1*4)&15]
		}
	}
	return scale, ""
}

// largestOf the two magnitudes in a byte.
var largestOf = func() (t [256]uint8) {
	for b := range t {
		low, high := b&15-zeroQ4, b>>4-zeroQ4
		t[b] = uint8(max(low, -low, high, -high))
	}
	return t
}()

// tableOf returns what each value of the group that src begins with becomes in a row with
// that scale.
func tableOf(src []byte, scale float32) (table [16]int8) {
	group := shard.F16ToF32(binary.LittleEndian.Uint16(src))
	for i := 1; i <= MaxQ4; i++ {
		v := int8(math.RoundToEven(float64(float32(i)*group) / float64(scale)))
		table[zeroQ4+i], table[zeroQ4-i] = v, -v
	}
	return table
}

// readFloats reads values of F16 or F32.
func (e Encoding) readFloats(dst []float32, src []byte) (fault string) {
	for i := range dst {
		if e == F16 {
			dst[i] = shard.F16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		} else {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
		if !(math.Abs(float64(dst[i])) <= math.MaxFloat32) {
			return badFloat
		}
	}
	return ""
}
