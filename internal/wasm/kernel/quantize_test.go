package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// checkQuantized asserts what QueryI8 promises, and that no element is further
// than half a step from its value.
func checkQuantized(t *testing.T, what string, v []float32, stride int) QueryI8 {
	t.Helper()
	q := QuantizeQuery(v, stride)
	if len(q.Q) != stride {
		t.Fatalf("%s: %d elements, want %d", what, len(q.Q), stride)
	}
	var sum int64
	for j, e := range q.Q {
		if e < -math.MaxInt16 {
			t.Fatalf("%s: element %d is %d", what, j, e)
		}
		sum += max(int64(e), -int64(e))
		if j >= len(v) && e != 0 {
			t.Fatalf("%s: padding %d is %d", what, j, e)
		}
	}
	if 128*sum > math.MaxInt32 {
		t.Fatalf("%s: 128·Σ|Q| = %d exceeds 2³¹−1", what, 128*sum)
	}
	if q.Scale > 0 {
		for j, e := range v {
			if off := math.Abs(float64(e) - float64(q.Q[j])*float64(q.Scale)); !(off <= float64(q.Scale)*(0.5+1e-9)) {
				t.Fatalf("%s: element %d is off by %v steps", what, j, off/float64(q.Scale))
			}
		}
	}
	return q
}

func TestQuantizeQuery(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, d := range []int{1, 2, 7, 16, 383, 384, 511, 512, 513, 1024, 4096, 65535, 65536} {
		stride := PadI8(d)
		for _, kind := range kinds {
			v := make([]float32, d)
			kind.fill(r, v)
			checkQuantized(t, fmt.Sprintf("%s d=%d", kind.name, d), v, stride)
		}

		v := make([]float32, d)
		if q := checkQuantized(t, "zero", v, stride); q.Scale != 0 {
			t.Errorf("the zero vector has scale %v", q.Scale)
		}
		v[d/2] = -3 // one element apart from zero takes all the levels
		if q := checkQuantized(t, "one-hot", v, stride); q.Q[d/2] != -math.MaxInt16 {
			t.Errorf("one-hot d=%d: %d, want %d", d, q.Q[d/2], -math.MaxInt16)
		}
		for j := range v {
			v[j] = 0.1
		}
		q := checkQuantized(t, "constant", v, stride)
		if d <= 512 && q.Q[0] != math.MaxInt16 {
			t.Errorf("constant d=%d: %d levels, want all 32767", d, q.Q[0])
		}
		if q.Q[0] < 255 {
			t.Errorf("constant d=%d: %d levels, want at least 255", d, q.Q[0])
		}
		for j := range v { // every element rounds up by half a step
			v[j] = 0.5 + 0.5/65536
		}
		v[0] = 1
		checkQuantized(t, "rounding up", v, stride)
		for j := range v {
			v[j] = math.MaxFloat32
		}
		checkQuantized(t, "largest", v, stride)
	}
}

// A vector of ordinary size keeps nearly 16 bits.
func TestQuantizeQueryKeepsPrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	v := make([]float32, 384)
	kinds[0].fill(r, v)
	q := QuantizeQuery(v, 384)
	var largest int16
	for _, e := range q.Q {
		largest = max(largest, e, -e)
	}
	if largest != math.MaxInt16 {
		t.Errorf("the largest element is %d, want 32767", largest)
	}
}

func TestQuantizeQueryDegenerate(t *testing.T) {
	for name, v := range map[string][]float32{
		"empty":     {},
		"nan":       {1, float32(math.NaN()), 2},
		"inf":       {1, float32(math.Inf(1))},
		"minus inf": {1, float32(math.Inf(-1))},
		"tiny":      {math.SmallestNonzeroFloat32, -1e-40},
	} {
		q := checkQuantized(t, name, v, 16)
		if q.Scale != 0 {
			t.Errorf("%s: scale %v, want 0", name, q.Scale)
		}
		for _, e := range q.Q {
			if e != 0 {
				t.Errorf("%s: element %d, want zeros", name, e)
			}
		}
	}
}
