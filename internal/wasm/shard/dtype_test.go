package shard

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
)

// TestWidths checks the elements' widths that the format defines.
func TestWidths(t *testing.T) {
	for width, dtypes := range map[int][]DType{
		4: {"F4"}, 6: {"F6_E2M3", "F6_E3M2"},
		8:  {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"},
		16: {"I16", "U16", "F16", "BF16"}, 32: {"I32", "U32", "F32"}, 64: {"C64", "F64", "I64", "U64"},
		0: {"", "F128", "f32", "I8 "},
	} {
		for _, d := range dtypes {
			if d.bits() != width {
				t.Errorf("%q has %d bits, want %d", d, d.bits(), width)
			}
		}
	}
}

// TestViews reads the same numbers at every alignment, and bytes without a copy.
func TestViews(t *testing.T) {
	var wide, words, halfs []byte
	for _, v := range []float64{1.5, -2, math.Pi} {
		wide = binary.LittleEndian.AppendUint64(wide, math.Float64bits(v))
		words = binary.LittleEndian.AppendUint32(words, math.Float32bits(float32(v)))
		halfs = binary.LittleEndian.AppendUint16(halfs, F32ToF16(float32(v)))
	}
	at := func(shift int, data []byte) []byte {
		b := make([]byte, 64)
		copy(b[shift:], data)
		return b[shift:][:len(data)]
	}
	for shift := range 9 {
		f64, err := Tensor{DType: F64, Data: at(shift, wide)}.Float64()
		if err != nil || !slices.Equal(f64, []float64{1.5, -2, math.Pi}) {
			t.Error(shift, f64, err)
		}
		f32, err := Tensor{DType: F32, Data: at(shift, words)}.Float32()
		if err != nil || !slices.Equal(f32, []float32{1.5, -2, math.Pi}) {
			t.Error(shift, f32, err)
		}
		f32, err = Tensor{DType: F16, Data: at(shift, halfs)}.Float32()
		if err != nil || !slices.Equal(f32, []float32{1.5, -2, 3.140625}) {
			t.Error(shift, f32, err)
		}
		u32, err := Tensor{DType: U32, Data: at(shift, words)}.Uint32()
		if err != nil || !slices.Equal(u32, []uint32{0x3fc00000, 0xc0000000, 0x40490fdb}) {
			t.Error(shift, u32, err)
		}
		data := at(shift, []byte{0, 127, 128, 255})
		i8, err := Tensor{DType: I8, Data: data}.Int8()
		if err != nil || !slices.Equal(i8, []int8{0, 127, -128, -1}) {
			t.Error(shift, i8, err)
		}
		if data[0] = 7; i8[0] != 7 {
			t.Error("Int8 copied")
		}
	}
	wrong := Tensor{Name: "x", DType: "BF16", Data: make([]byte, 8)}
	_, a := wrong.Float32()
	_, b := wrong.Float64()
	_, c := wrong.Uint32()
	_, d := wrong.Int8()
	for _, err := range []error{a, b, c, d} {
		var format *FormatError
		if !errors.As(err, &format) || format.Tensor != "x" {
			t.Errorf("BF16: %v", err)
		}
	}
}
