package browser

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// generator is xorshift32, as in testdata/kernel.js. kinds make numbers of its
// output, also as there.
type generator uint32

func (g *generator) next() uint32 {
	s := uint32(*g)
	s ^= s << 13
	s ^= s >> 17
	s ^= s << 5
	*g = generator(s)
	return s
}

var kinds = map[string]func(r uint32) float32{
	"uniform":  func(r uint32) float32 { return float32(float64(int32(r)) / (1 << 31)) },
	"huge":     func(r uint32) float32 { return float32(float64(int32(r)) / (1 << 31) * (1e18 / 64)) },
	"denormal": func(r uint32) float32 { return math.Float32frombits(r & 0x807fffff) },
	"zero": func(r uint32) float32 {
		if r&1 == 1 {
			return 0
		}
		return float32(math.Copysign(0, -1))
	},
	"mixed": func(r uint32) float32 { return math.Float32frombits(r&0x807fffff | (90+(r>>23)%50)<<23) },
}

// spec says how both sides generate rows.
type spec struct {
	Kind   string `json:"kind"`
	Seed   uint32 `json:"seed"`
	N      int    `json:"n"`
	D      int    `json:"d"`
	Stride int    `json:"stride"`
}

func (s spec) floats() []float32 {
	g := generator(s.Seed)
	out := make([]float32, s.N*s.Stride)
	for i := range s.N {
		for j := range s.D {
			out[i*s.Stride+j] = kinds[s.Kind](g.next())
		}
	}
	return out
}

func (s spec) bytes() []int8 {
	g := generator(s.Seed)
	out := make([]int8, s.N*s.Stride)
	for i := range s.N {
		for j := range s.D {
			switch r := g.next(); {
			case s.Kind != "extreme":
				out[i*s.Stride+j] = int8(r >> 24)
			case r&1 == 1:
				out[i*s.Stride+j] = 127
			default:
				out[i*s.Stride+j] = -128
			}
		}
	}
	return out
}

type object = map[string]any

func rowsArg(s spec) object  { return object{"rows": s} }
func bytesArg(s spec) object { return object{"bytes": s} }
func outArg(n int) object    { return object{"out": 4 * n} }
func dataArg(v any) object   { return object{"data": little(v)} }

func little(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

type kernelAnswer struct {
	Result float64
	Outs   [][]byte
}

func runKernel(t *testing.T, page *harness.Page, name string, args ...any) kernelAnswer {
	t.Helper()
	return call[kernelAnswer](t, page, `async (name, args) => (await import('/test/kernel.js')).run(name, args)`, name, args)
}

// same compares bits, so 0 and -0 differ.
func same(t *testing.T, what string, got []byte, want any) {
	t.Helper()
	if w := little(want); !bytes.Equal(got, w) {
		for i := 0; i+4 <= min(len(got), len(w)); i += 4 {
			if g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(w[i:]); g != w {
				t.Fatalf("%s: result %d is %08x in Chromium, %08x in Go", what, i/4, g, w)
			}
		}
		t.Fatalf("%s: %d bytes, want %d", what, len(got), len(w))
	}
}

var (
	rowCounts  = []int{0, 1, 3, 5, 4097}
	dimensions = []int{1, 7, 383, 384, 4096}
)

func TestKernelFloatScans(t *testing.T) {
	page := library(t)
	for _, n := range rowCounts {
		for _, d := range dimensions {
			for kind := range kinds {
				stride := kernel.PadF32(d)
				if n*stride > 1<<23 && kind != "uniform" {
					continue // 67 MB: one kind is enough
				}
				name := fmt.Sprintf("%s n=%d d=%d", kind, n, d)
				rows := spec{kind, 1, n, d, stride}
				q, p := spec{kind, 2, 1, d, stride}, spec{"mixed", 3, 1, d, stride}
				x, y := make([]float32, n), make([]float32, n)
				if n > 0 {
					got := runKernel(t, page, "scan_f32", outArg(n), rowsArg(rows), rowsArg(q), n, stride)
					kernel.ScanF32(x, rows.floats(), stride, q.floats())
					same(t, "scan_f32 "+name, got.Outs[0], x)
					got = runKernel(t, page, "dot_f32", rowsArg(rows), rowsArg(q), stride)
					if want := kernel.DotF32(rows.floats()[:stride], q.floats()); math.Float32bits(float32(got.Result)) != math.Float32bits(want) {
						t.Fatalf("dot_f32 %s: %v, want %v", name, got.Result, want)
					}
				}
				got := runKernel(t, page, "scan2_f32", outArg(n), outArg(n), rowsArg(rows), rowsArg(q), rowsArg(p), n, stride)
				kernel.Scan2F32(x, y, rows.floats(), stride, q.floats(), p.floats())
				same(t, "scan2_f32 x "+name, got.Outs[0], x)
				same(t, "scan2_f32 y "+name, got.Outs[1], y)
			}
		}
	}
}

func TestKernelByteScans(t *testing.T) {
	page := library(t)
	for _, n := range rowCounts {
		for _, d := range dimensions {
			for _, kind := range []string{"uniform", "extreme"} {
				name := fmt.Sprintf("%s n=%d d=%d", kind, n, d)
				stride := kernel.PadI8(d)
				rows := spec{kind, 1, n, d, stride}
				q := kernel.QuantizeQuery(spec{"uniform", 2, 1, d, d}.floats(), stride)
				p := kernel.QuantizeQuery(spec{"mixed", 3, 1, d, d}.floats(), stride)
				scales := spec{"mixed", 4, 1, n, n}.floats()
				for i, s := range scales {
					scales[i] = float32(math.Abs(float64(s)))
				}
				x, y := make([]float32, n), make([]float32, n)
				got := runKernel(t, page, "scan_i8", outArg(n), bytesArg(rows), dataArg(scales), dataArg(q.Q), q.Scale, n, stride)
				kernel.ScanI8(x, rows.bytes(), scales, stride, q)
				same(t, "scan_i8 "+name, got.Outs[0], x)
				got = runKernel(t, page, "scan2_i8", outArg(n), outArg(n), bytesArg(rows), dataArg(scales), dataArg(q.Q), dataArg(p.Q), q.Scale, p.Scale, n, stride)
				kernel.Scan2I8(x, y, rows.bytes(), scales, stride, q, p)
				same(t, "scan2_i8 x "+name, got.Outs[0], x)
				same(t, "scan2_i8 y "+name, got.Outs[1], y)
				if n > 1 {
					got := runKernel(t, page, "dot_i8", bytesArg(rows), bytesArg(spec{kind, 5, 1, d, stride}), stride)
					if want := kernel.DotI8(rows.bytes()[:stride], spec{kind, 5, 1, d, stride}.bytes()); int32(got.Result) != want {
						t.Fatalf("dot_i8 %s: %v, want %d", name, got.Result, want)
					}
				}
			}
		}
	}
}

func TestKernelScores(t *testing.T) {
	page := library(t)
	forms := []kernel.Form{
		{A: 1},
		{A: 0.37, X0: 0.25, D0: 0.5, D1: -2},
		{A: 1.7, D2: -1},
		{A: -3, X0: -0.1, D0: 1e-9, D1: 2, D2: -0.999999},
		{A: 1e18, D2: -1e-18},
	}
	for _, n := range rowCounts[1:] {
		for kind := range kinds {
			x, y := spec{kind, 1, 1, n, n}.floats(), spec{kind, 2, 1, n, n}.floats()
			norm2 := spec{kind, 3, 1, n, n}.floats()
			for i, v := range norm2 {
				norm2[i] = float32(math.Abs(float64(v)))
				if i%5 == 0 {
					norm2[i] = 0
				}
				if i%7 == 0 { // a row parallel to the perspective: its projection is zero
					norm2[i] = y[i] * y[i]
				}
			}
			for i := range forms {
				f := &forms[i]
				want := make([]float32, n)
				got := runKernel(t, page, "score", outArg(n), dataArg(x), dataArg(y), dataArg(norm2), n, f.A, f.X0, f.D0, f.D1, f.D2)
				kernel.Score(want, x, y, norm2, f)
				same(t, fmt.Sprintf("score %s n=%d form %d", kind, n, i), got.Outs[0], want)
				got = runKernel(t, page, "score", outArg(n), dataArg(x), 0, dataArg(norm2), n, f.A, f.X0, f.D0, f.D1, f.D2)
				kernel.Score(want, x, nil, norm2, f)
				same(t, fmt.Sprintf("score without y %s n=%d form %d", kind, n, i), got.Outs[0], want)
			}
			for _, threshold := range []float32{-1e30, -0.5, 0, 0.5, 1e30, x[n/2]} {
				index := make([]uint32, n)
				got := runKernel(t, page, "select_ge", outArg(n), dataArg(x), n, threshold)
				found := kernel.Select(index, x, threshold)
				if int(got.Result) != found {
					t.Fatalf("select_ge %s n=%d threshold %g: %v rows, want %d", kind, n, threshold, got.Result, found)
				}
				same(t, "select_ge", got.Outs[0][:4*found], index[:found])
			}
		}
	}
}
