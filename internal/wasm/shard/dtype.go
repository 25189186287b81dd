package shard

// DType is the type of a tensor's elements, by its name in safetensors.
type DType string

// The dtypes that have a constant here. Files may contain others, such as U16.
const (
	I8  DType = "I8"
	U8  DType = "U8"
	F16 DType = "F16"
	F32 DType = "F32"
	F64 DType = "F64"
	U32 DType = "U32"
)

// bits returns the width of an element in bits, 0 for a name that the format does not know. The
// names are those of safetensors' Rust implementation, version 0.7.
func (d DType) bits() int {
	switch d {
	case "F4":
		return 4
	case "F6_E2M3", "F6_E3M2":
		return 6
	case "BOOL", U8, I8, "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ":
		return 8
	case "I16", "U16", F16, "BF16":
		return 16
	case "I32", U32, F32:
		return 32
	case "C64", F64, "I64", "U64":
		return 64
	}
	return 0
}

// alignment is the alignment of an element's data, in bytes.
func (d DType) alignment() int { return max(1, d.bits()/8) }
