package shard

import (
	"math"
	"math/rand/v2"
	"testing"
)

// half is the value of a binary16 number by its definition (IEEE 754-2019, 3.4).
func half(h uint16) float64 {
	sign := 1.0
	if h>>15 == 1 {
		sign = -1
	}
	exponent, fraction := int(h>>10&31), float64(h&0x3ff)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func TestF16ToF32IsExact(t *testing.T) {
	for h := range 1 << 16 {
		got, want := F16ToF32(uint16(h)), half(uint16(h))
		if math.IsNaN(want) {
			if b := math.Float32bits(got); got == got || b>>31 != uint32(h)>>15 || b>>13&0x3ff != uint32(h)&0x3ff {
				t.Errorf("%04x: %08x, want a NaN with its sign and payload", h, b)
			}
		} else if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
			t.Errorf("%04x: %v, want %v", h, got, want)
		}
		if back := F32ToF16(got); back != uint16(h) && !(math.IsNaN(want) && back == uint16(h)|0x200) {
			t.Errorf("%04x comes back as %04x", h, back)
		}
	}
}

// nearest rounds f by searching the halves: by distance, then by evenness. The step beyond the
// largest half is where infinity begins.
func nearest(f float64) uint16 {
	const infinity = 0x7c00
	sign, a := uint16(0), math.Abs(f)
	if math.Signbit(f) {
		sign = 0x8000
	}
	value := func(h uint16) float64 {
		if h == infinity {
			return 65536
		}
		return half(h)
	}
	low, high := uint16(0), uint16(infinity)
	for high-low > 1 {
		if middle := (low + high) / 2; value(middle) <= a {
			low = middle
		} else {
			high = middle
		}
	}
	below, above := a-value(low), value(high)-a // exact in float64
	if above < below || above == below && high%2 == 0 {
		low = high
	}
	return sign | low
}

func TestF32ToF16RoundsToNearestEven(t *testing.T) {
	check := func(f float32) {
		t.Helper()
		if got, want := F32ToF16(f), nearest(float64(f)); got != want {
			t.Errorf("%v (%08x): %04x, want %04x", f, math.Float32bits(f), got, want)
		}
	}
	for h := range uint16(0x7c00) { // every half, every middle between two, and their neighbours
		next := 65536.0
		if h+1 < 0x7c00 {
			next = half(h + 1)
		}
		for _, v := range []float32{F16ToF32(h), float32((half(h) + next) / 2)} {
			for _, f := range []float32{v, math.Nextafter32(v, 1e9), math.Nextafter32(v, -1)} {
				check(f)
				check(-f)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1 << 20 {
		if f := math.Float32frombits(random.Uint32()); f == f {
			check(f)
		}
	}
	for _, f := range []float32{math.MaxFloat32, float32(math.Inf(1)), math.SmallestNonzeroFloat32, 65519.996, 65520} {
		check(f)
		check(-f)
	}
	for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0xffffffff} {
		if h := F32ToF16(math.Float32frombits(bits)); h&0x7e00 != 0x7e00 || h>>15 != uint16(bits>>31) {
			t.Errorf("NaN %08x became %04x", bits, h)
		}
	}
}
