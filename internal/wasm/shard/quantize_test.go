package shard

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantizeRow compares with exact arithmetic: scale is the nearest float32 to max/127, and no
// other integer is nearer to v/scale.
func TestQuantizeRow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		row := make([]float32, 1+random.IntN(40))
		size := math.Ldexp(1, random.IntN(200)-100)
		for i := range row {
			row[i] = float32(random.NormFloat64() * size)
		}
		dst := make([]int8, len(row)+random.IntN(3))
		for i := range dst {
			dst[i] = 99
		}
		scale := QuantizeRow(dst, row)
		largest := float32(0)
		for _, v := range row {
			largest = max(largest, max(v, -v))
		}
		want, _ := new(big.Rat).Quo(rat(largest), big.NewRat(127, 1)).Float32()
		if scale != want {
			t.Fatalf("scale %v of largest %v, want %v", scale, largest, want)
		}
		half := new(big.Rat).Mul(rat(scale), big.NewRat(1, 2))
		for i, v := range row {
			off := new(big.Rat).Sub(rat(v), new(big.Rat).Mul(rat(scale), big.NewRat(int64(dst[i]), 1)))
			if off.Abs(off).Cmp(half) > 0 || dst[i] == -128 {
				t.Fatalf("%v at scale %v became %d", v, scale, dst[i])
			}
		}
		for _, v := range dst[len(row):] {
			if v != 0 {
				t.Fatal("padding is not zero")
			}
		}
	}
}

func rat(f float32) *big.Rat { return new(big.Rat).SetFloat64(float64(f)) }

func TestQuantizeRowCases(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		row   []float32
		want  []int8
		scale float32
	}{
		{[]float32{127, -127, 0.5, 1.5, 2.5, -0.5, -1.5, 0.49}, []int8{127, -127, 0, 2, 2, 0, -2, 0}, 1}, // ties to even
		{[]float32{0, float32(math.Copysign(0, -1))}, []int8{0, 0}, 0},
		{[]float32{1e-45, -1e-38}, []int8{0, 0}, 0}, // the scale would be subnormal
		{[]float32{0x1p-119, 0x1p-126}, []int8{127, 1}, 0x1p-119 / 127},
		{[]float32{math.MaxFloat32, 1}, []int8{127, 0}, math.MaxFloat32 / 127},
		{[]float32{1, inf}, []int8{0, 0}, inf},
		{[]float32{nan, 1}, []int8{0, 0}, inf},
		{nil, []int8{}, 0},
	} {
		got := make([]int8, len(c.row))
		if scale := QuantizeRow(got, c.row); scale != c.scale || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, scale %v; want %v, scale %v", c.row, got, scale, c.want, c.scale)
		}
	}
}
