package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// implementation is one build of the kernel. The exported functions test
// whatever this platform has (assembly on amd64); wasm_test.go adds the module.
type implementation struct {
	name     string
	dotF32   func(a, b []float32) float32
	dotI8    func(a, b []int8) int32
	scanF32  func(x, rows []float32, stride int, q []float32)
	scan2F32 func(x, y, rows []float32, stride int, q, p []float32)
	scanI8   func(x []float32, rows []int8, scales []float32, stride int, q QueryI8)
	scan2I8  func(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8)
	score    func(out, x, y, norm2 []float32, f *Form)
	selectGE func(idx []uint32, scores []float32, threshold float32) int

	addScaled func(out, x, scale []float32, most float32)
}

func implementations(t *testing.T) []implementation {
	return []implementation{
		{"package", DotF32, DotI8, ScanF32, Scan2F32, ScanI8, Scan2I8, Score, Select, AddScaled},
		wasmImplementation(t),
	}
}

// same fails unless the slices agree in every bit.
func same(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: element %d of %d is %v (%#08x), want %v (%#08x)", what, i, len(want),
				got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
		}
	}
}

func TestScansF32AgreeWithPlain(t *testing.T) {
	for _, impl := range implementations(t) {
		t.Run(impl.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			shapes(func(n, d int) {
				for k, kind := range kinds {
					if n*d > 1<<16 && k != (n+d)%len(kinds) {
						continue // large shapes: one kind each
					}
					stride := PadF32(d)
					rows := padded(r, n, d, kind.fill)
					q, p := padded(r, 1, d, kind.fill), padded(r, 1, d, kind.fill)
					want, want2 := make([]float32, n), make([]float32, n)
					plainScan2F32(want, want2, rows, stride, q, p)
					what := fmt.Sprintf("%s n=%d d=%d", kind.name, n, d)

					got, got2 := make([]float32, n), make([]float32, n)
					impl.scanF32(got, rows, stride, q)
					same(t, "scan "+what, got, want)
					clear(got)
					impl.scan2F32(got, got2, rows, stride, q, p)
					same(t, "scan2 x "+what, got, want)
					same(t, "scan2 y "+what, got2, want2)
					if n > 0 {
						same(t, "dot "+what, []float32{impl.dotF32(rows[:stride], q)}, want[:1])
					}
				}
			})
		})
	}
}

func TestScansI8AgreeWithPlain(t *testing.T) {
	for _, impl := range implementations(t) {
		t.Run(impl.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			shapes(func(n, d int) {
				stride := PadI8(d)
				rows := paddedI8(r, n, d)
				scales := make([]float32, n)
				for i := range scales {
					scales[i] = float32(math.Ldexp(r.Float64(), -r.IntN(140)))
				}
				q := QuantizeQuery(padded(r, 1, d, kinds[0].fill)[:d], stride)
				p := QuantizeQuery(padded(r, 1, d, kinds[5].fill)[:d], stride)
				want, want2 := make([]float32, n), make([]float32, n)
				plainScan2I8(want, want2, rows, scales, stride, q, p)
				what := fmt.Sprintf("n=%d d=%d", n, d)

				got, got2 := make([]float32, n), make([]float32, n)
				impl.scanI8(got, rows, scales, stride, q)
				same(t, "scan "+what, got, want)
				clear(got)
				impl.scan2I8(got, got2, rows, scales, stride, q, p)
				same(t, "scan2 x "+what, got, want)
				same(t, "scan2 y "+what, got2, want2)
				if n > 1 {
					a, b := rows[:stride], rows[stride:2*stride]
					if got, want := impl.dotI8(a, b), plainDotI8(a, b); got != want {
						t.Fatalf("dot %s = %d, want %d", what, got, want)
					}
				}
			})
		})
	}
}

// The extreme operands that the bounds allow stay within 32 bits.
func TestI8Extremes(t *testing.T) {
	a := make([]int8, MaxDim)
	for j := range a {
		a[j] = math.MinInt8
	}
	ones := make([]float32, MaxDim)
	for j := range ones {
		ones[j] = 1
	}
	for _, impl := range implementations(t) {
		if got, want := impl.dotI8(a, a), int32(MaxDim*128*128); got != want {
			t.Errorf("%s: dot = %d, want %d", impl.name, got, want)
		}
		for _, d := range []int{16, 384, 512, 513, 1024, MaxDim} {
			stride := PadI8(d)
			q := QuantizeQuery(ones[:d], stride)
			var exact int64
			for j := range stride {
				exact += int64(a[j]) * int64(q.Q[j])
			}
			x := make([]float32, 3)
			impl.scanI8(x, append(append(append([]int8(nil), a[:stride]...), a[:stride]...), a[:stride]...), []float32{1, 1, 1}, stride, q)
			for i := range x {
				if want := float32(exact) * q.Scale; x[i] != want {
					t.Errorf("%s d=%d: x[%d] = %v, want %v", impl.name, d, i, x[i], want)
				}
			}
		}
	}
}

// Plain dot products against float64 sums, within the bound of recursive
// summation: (steps per lane + 4) · u · Σ|x·y|.
func TestPlainDotAgainstFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range dimensions {
		for _, kind := range kinds {
			if kind.name == "huge, one sign" || kind.name == "denormal" {
				continue // these overflow or vanish in float32
			}
			a, b := padded(r, 1, d, kind.fill), padded(r, 1, d, kind.fill)
			var sum, magnitude float64
			for j := range a {
				p := float64(a[j]) * float64(b[j])
				sum += p
				magnitude += math.Abs(p)
			}
			bound := float64(d/LanesF32+5)*0x1p-24*magnitude + float64(d)*0x1p-149
			if got := float64(plainDotF32(a, b)); approx.Apart(got, sum, bound) {
				t.Errorf("%s d=%d: %v, want %v within %v", kind.name, d, got, sum, bound)
			}
		}
	}
}

// The padding and the canonical order, on a case small enough to write down.
func TestCanonicalOrder(t *testing.T) {
	one := []float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	// Lanes 0 and 4 hold 2²⁴ and 1: their sum loses the 1, because it is computed before
	// lane 1's 1 is added.
	v := []float32{1 << 24, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if got := DotF32(v, one); got != 1<<24 {
		t.Errorf("got %v, want 2²⁴: lanes j and j+4 meet first", got)
	}
	// Within lane 0, 2²⁴ and −2²⁴ cancel before anything else is added.
	v = []float32{1 << 24, 1, 0, 0, 1, 0, 0, 0, -1 << 24, 0, 0, 0, 0, 0, 0, 0}
	if got := DotF32(v, one); got != 2 {
		t.Errorf("got %v, want 2: a lane sums elements eight apart", got)
	}
	for d, want := range map[int][2]int{0: {0, 0}, 1: {8, 16}, 8: {8, 16}, 9: {16, 16}, 16: {16, 16}, 17: {24, 32}, 384: {384, 384}} {
		if got := [2]int{PadF32(d), PadI8(d)}; got != want {
			t.Errorf("padding of %d: %v, want %v", d, got, want)
		}
	}
}

// Operands that do not fit panic before any pointer is formed.
func TestMisfits(t *testing.T) {
	f, i := make([]float32, 32), make([]int8, 32)
	q := QueryI8{Q: make([]int16, 16)}
	for name, call := range map[string]func(){
		"rows too short":       func() { ScanF32(make([]float32, 5), f, 8, f[:8]) },
		"query too short":      func() { ScanF32(make([]float32, 1), f, 8, f[:7]) },
		"stride unpadded":      func() { ScanF32(make([]float32, 1), f, 9, f[:9]) },
		"stride negative":      func() { ScanF32(nil, f, -8, nil) },
		"second query":         func() { Scan2F32(f[:1], f[:1], f, 8, f[:8], f[:16]) },
		"second result":        func() { Scan2F32(f[:2], f[:1], f, 8, f[:8], f[:8]) },
		"int8 rows too short":  func() { ScanI8(f[:3], i, f, 16, q) },
		"scales too short":     func() { ScanI8(f[:2], i, f[:1], 16, q) },
		"int8 stride unpadded": func() { ScanI8(f[:1], i, f, 8, QueryI8{Q: q.Q[:8]}) },
		"int8 second result":   func() { Scan2I8(f[:2], f[:1], i, f, 16, q, q) },
		"dot lengths":          func() { DotF32(f[:8], f[:16]) },
		"dot unpadded":         func() { DotF32(f[:9], f[:9]) },
		"int8 dot lengths":     func() { DotI8(i[:16], i) },
		"int8 dot too long":    func() { DotI8(make([]int8, MaxDim+16), make([]int8, MaxDim+16)) },
		"score operands":       func() { Score(f[:4], f[:4], f[:3], f[:4], &Form{}) },
		"score norms":          func() { Score(f[:4], f[:4], nil, f[:3], &Form{}) },
		"score dots":           func() { Score(f[:4], f[:3], nil, f[:4], &Form{}) },
		"select indexes":       func() { Select(make([]uint32, 3), f[:4], 0) },
		"query over stride":    func() { QuantizeQuery(f, 16) },
		"stride over MaxDim":   func() { QuantizeQuery(f, MaxDim+16) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// Rows without elements have the dot product 0.
func TestEmptyRows(t *testing.T) {
	x, y := []float32{1, 2}, []float32{3, 4}
	Scan2F32(x, y, nil, 0, nil, nil)
	same(t, "f32", append(x, y...), make([]float32, 4))
	x, y = []float32{1, 2}, []float32{3, 4}
	Scan2I8(x, y, nil, []float32{1, 1}, 0, QueryI8{}, QueryI8{})
	same(t, "int8", append(x, y...), make([]float32, 4))
	x = []float32{1, 2}
	ScanF32(x, nil, 0, nil)
	same(t, "f32, one query", x, make([]float32, 2))
	x = []float32{1, 2}
	ScanI8(x, nil, []float32{1, 1}, 0, QueryI8{})
	same(t, "int8, one query", x, make([]float32, 2))
	if DotF32(nil, nil) != 0 || DotI8(nil, nil) != 0 {
		t.Error("the dot product of nothing is not 0")
	}
}
