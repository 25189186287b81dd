package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmtest"
)

// exactSteps are the steps of an encoder in one build.
type exactSteps struct {
	name           string
	gelu, geluTanh func(x []float32)
	norm           func(n *LayerNorm, x, residual []float32, ld, rows int)
	linear         func(l *Linear8, y []float32, ldy int, x []float32, ldx, rows int)
	attention      func(a *ExactAttention, out []float32, ldo int, q, k, v []float32, ld, n int)
}

// packageSteps go through the package, whichever of its builds is in use.
func packageSteps(name string, workers int, t testing.TB) exactSteps {
	p := NewPool(workers)
	t.Cleanup(p.Close)
	return exactSteps{
		name:     fmt.Sprintf("%s, %d workers", name, workers),
		gelu:     func(x []float32) { GELU.ApplyExact(p, x) },
		geluTanh: func(x []float32) { GELUTanh.ApplyExact(p, x) },
		norm: func(n *LayerNorm, x, residual []float32, ld, rows int) {
			n.ExactNorm(p, x, residual, ld, rows)
		},
		linear: func(l *Linear8, y []float32, ldy int, x []float32, ldx, rows int) {
			r := NewRounded(rows, l.In)
			r.Round(p, x, ldx, rows, l.In)
			l.ApplyRounded(p, y, ldy, r, None)
		},
		attention: func(a *ExactAttention, out []float32, ldo int, q, k, v []float32, ld, n int) {
			a.Apply(p, NewExactScratch(workers, n, a.Dim), out, ldo, q, k, v, ld, []int{n}, nil)
		},
	}
}

// moduleSteps go through kernel.wasm.
func moduleSteps(t testing.TB) exactSteps {
	k := wasmtest.New(t, 256)
	word := func(n int) uint64 { return uint64(n) }
	return exactSteps{
		name:     "wasm",
		gelu:     func(x []float32) { k.Call("gelu", wasmtest.Out(k, x), word(len(x))) },
		geluTanh: func(x []float32) { k.Call("gelu_tanh", wasmtest.Out(k, x), word(len(x))) },
		norm: func(n *LayerNorm, x, residual []float32, ld, rows int) {
			var r uint64
			at := wasmtest.Out(k, x)
			if residual != nil {
				r = wasmtest.In(k, residual)
			}
			k.Call("norm_rows", at, r, word(ld), word(rows), word(len(n.Gamma)), wasmtest.In(k, n.Gamma), wasmtest.In(k, n.Beta), uint64(math.Float32bits(n.Epsilon)))
		},
		linear: func(l *Linear8, y []float32, ldy int, x []float32, ldx, rows int) {
			values, scales, middles := make([]int16, rows*l.In), make([]float32, rows), make([]float32, rows)
			k.Call("round_rows", wasmtest.Out(k, values), wasmtest.Out(k, scales), wasmtest.Out(k, middles), wasmtest.In(k, x), word(ldx), word(rows), word(l.In))
			weights, sums := moduleWeights(k, l)
			k.Call("linear_i8", wasmtest.Out(k, y), word(ldy), wasmtest.In(k, values), wasmtest.In(k, scales), wasmtest.In(k, middles), word(rows), word(l.groups),
				wasmtest.In(k, weights), wasmtest.In(k, l.scales), wasmtest.In(k, sums), wasmtest.In(k, l.bias), word(l.Out), 0)
		},
		attention: func(a *ExactAttention, out []float32, ldo int, q, kk, v []float32, ld, n int) {
			width := padded(n)
			for h := range a.Heads {
				at := h * a.Dim
				k.Call("attention", wasmtest.Out(k, out[at:]), word(ldo), wasmtest.In(k, q[at:]), wasmtest.In(k, kk[at:]), wasmtest.In(k, v[at:]), word(ld),
					word(n), word(a.Dim), uint64(math.Float32bits(a.Scale)), wasmtest.In(k, make([]float32, width*a.Dim)), wasmtest.In(k, make([]float32, 8*width+4*a.Dim)))
			}
		},
	}
}

// everyExact calls f for each build, for several workers, and last for the module;
// what f computes is compared with what it computed first, in plain Go.
func everyExact(t *testing.T, f func(t *testing.T, s exactSteps) []float32) {
	t.Helper()
	var want []float32
	compare := func(s exactSteps) {
		got := f(t, s)
		if want == nil {
			want = got
		}
		for i, v := range want {
			if math.Float32bits(got[i]) != math.Float32bits(v) {
				t.Fatalf("%s: number %d of %d is %v (%#08x), plain Go has %v (%#08x)", s.name, i, len(want), got[i], math.Float32bits(got[i]), v, math.Float32bits(v))
			}
		}
	}
	for _, b := range builds() {
		func() {
			defer b.use()()
			compare(packageSteps(b.name, 1, t))
		}()
	}
	for _, workers := range []int{2, 4} {
		compare(packageSteps("the best build", workers, t))
	}
	compare(moduleSteps(t))
}

// wild are numbers of many magnitudes, zeros of both signs and ties among them.
func wild(r *rand.Rand, n int) []float32 {
	x := random(r, n)
	for i := range x {
		switch r.IntN(12) {
		case 0:
			x[i] = 0
		case 1:
			x[i] = float32(math.Copysign(0, -1))
		case 2:
			x[i] *= 100
		case 3:
			x[i] *= 1e-20
		case 4:
			x[i] = float32(r.IntN(9) - 4)
		case 5:
			x[i] *= 1e9
		}
	}
	return x
}

func TestExactActivations(t *testing.T) {
	everyExact(t, func(t *testing.T, s exactSteps) (all []float32) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{16, 32, 48, 4096, 4112, 20000} {
			x := wild(r, n)
			y := append([]float32(nil), x...)
			s.gelu(x)
			s.geluTanh(y)
			all = append(append(all, x...), y...)
		}
		return all
	})
}

func TestExactNorm(t *testing.T) {
	everyExact(t, func(t *testing.T, s exactSteps) (all []float32) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, shape := range [][2]int{{1, 16}, {2, 32}, {3, 48}, {17, 384}, {70, 96}} {
			rows, width := shape[0], shape[1]
			for _, ld := range []int{width, width + 16} {
				n := &LayerNorm{random(r, width), random(r, width), 1e-12}
				x, residual := random(r, rows*ld), random(r, rows*ld)
				clear(x[:width]) // a row whose variance is 0
				copy(residual, x[:width])
				y := append([]float32(nil), x...)
				s.norm(n, x, residual, ld, rows)
				s.norm(n, y, nil, ld, rows)
				all = append(append(all, x...), y...)
			}
		}
		return all
	})
}

func TestExactLinear(t *testing.T) {
	everyExact(t, func(t *testing.T, s exactSteps) (all []float32) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, shape := range [][3]int{{1, 16, 16}, {2, 16, 1}, {3, 32, 2}, {4, 48, 3}, {5, 64, 17}, {7, 64, 48}, {16, 384, 384}, {19, 96, 100}, {70, 32, 64}} {
			rows, in, out := shape[0], shape[1], shape[2]
			ldx, ldy := in+5, out+3
			l := NewLinear8(wild(r, out*in), random(r, out), out, in)
			x := wild(r, rows*ldx)
			switch rows {
			case 3: // what no factor scales up
				for i := range x {
					x[i] = float32(math.Ldexp(r.Float64(), -130))
				}
			case 4: // the middle is far from zero, and distances are few steps of float32
				for i := range x {
					x[i] = 1 + float32(r.IntN(3))*0x1p-23
				}
			case 5: // a row of one number
				for i := range in {
					x[i] = -7.25
				}
			}
			y := random(r, rows*ldy)
			s.linear(l, y, ldy, x, ldx, rows)
			all = append(all, y...)
		}
		return all
	})
}

// moduleWeights are the weights of a layer, as rows that the module reorders, and its
// sums of them.
func moduleWeights(k *wasmtest.Kernel, l *Linear8) (weights []int8, sums []float32) {
	width := 4 * l.groups
	weights, sums = make([]int8, len(l.weights)), make([]float32, len(l.sums))
	for i := range weights {
		o, in := i/width, i%width
		weights[i] = l.weights[o/panel*panel*width+in/4*4*panel+o%panel*4+in%4]
	}
	if form := k.Call("pack_i8", wasmtest.Out(k, weights), wasmtest.Out(k, sums), wasmtest.In(k, l.scales), uint64(len(sums)), uint64(width), wasmtest.In(k, make([]int8, 8*width))); form != 0 {
		panic("the weights have a form that kernel.wasm does not know")
	}
	return weights, sums
}

// The module adds up weights as plain Go does.
func TestExactPack(t *testing.T) {
	k := wasmtest.New(t, 64)
	r := rand.New(rand.NewPCG(13, 14))
	for _, shape := range [][2]int{{16, 16}, {48, 32}, {32, 112}} {
		l := NewLinear8(random(r, shape[0]*shape[1]), nil, shape[0], shape[1])
		_, sums := moduleWeights(k, l)
		for o, v := range l.sums {
			if math.Float32bits(sums[o]) != math.Float32bits(v) {
				t.Fatalf("%v: sum %d is %v, want %v", shape, o, sums[o], v)
			}
		}
	}
}

func TestExactAttention(t *testing.T) {
	everyExact(t, func(t *testing.T, s exactSteps) (all []float32) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, dim := range []int{8, 16, 24, 32, 64} {
			for _, n := range []int{1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 70} {
				a := &ExactAttention{Heads: 2, Dim: dim, Scale: float32(1 / math.Sqrt(float64(dim)))}
				ld, ldo := 2*dim*3+7, 2*dim+9
				qkv := random(r, n*ld)
				if n == 5 { // some weights vanish
					for i := range qkv {
						qkv[i] *= 20
					}
				}
				out := random(r, n*ldo)
				s.attention(a, out, ldo, qkv, qkv[2*dim:], qkv[4*dim:], ld, n)
				all = append(all, out...)
			}
		}
		return all
	})
}

// Tokens that are not attended to get what they would get beside those that are, and
// change nothing for the others.
func TestExactAttentionKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, dim := range []int{8, 12} {
		a := &ExactAttention{Heads: 2, Dim: dim, Scale: float32(1 / math.Sqrt(float64(dim)))}
		ld, ldo := 2*dim*3+7, 2*dim+9
		lengths, keys := []int{32, 5, 0, 9, 32}, []int{7, 5, 0, 1, 31}
		qkv, out := random(r, 78*ld), make([]float32, 78*ldo)
		for _, workers := range []int{1, 3} {
			p := NewPool(workers)
			a.Apply(p, NewExactScratch(workers, 32, dim), out, ldo, qkv, qkv[2*dim:], qkv[4*dim:], ld, lengths, keys)
			token := 0
			for i, n := range lengths {
				seen := keys[i]
				for j := range n {
					// One query beside the keys that are seen, in place of the first of them.
					q := append(append([]float32{}, qkv[(token+j)*ld:][:2*dim]...), qkv[token*ld+2*dim:(token+seen)*ld]...)
					want := make([]float32, seen*ldo)
					a.Apply(p, NewExactScratch(workers, seen, dim), want, ldo, q, q[2*dim:], q[4*dim:], ld, []int{seen}, nil)
					for x, v := range want[:2*dim] {
						if got := out[(token+j)*ldo+x]; math.Float32bits(got) != math.Float32bits(v) {
							t.Fatalf("dimension %d, sequence %d, token %d, component %d: %v, want %v", dim, i, j, x, got, v)
						}
					}
				}
				token += n
			}
			p.Close()
		}
	}
}

// The approximations against float64.
func TestExactAgainstFloat64(t *testing.T) {
	worst := map[string]float64{}
	at := map[string]float64{}
	note := func(name string, x float32, got float32, want, unit float64) {
		if e := math.Abs(float64(got)-want) / unit; e > worst[name] || math.IsNaN(e) {
			worst[name], at[name] = e, float64(x)
		}
	}
	for i := range 240_001 {
		x := float32(i-120_000) / 10_000 // -12 to 12
		v := float64(x)
		y := []float32{x}
		plainExactGELU(y)
		note("gelu", x, y[0], v*0.5*math.Erfc(-v/math.Sqrt2), max(1, math.Abs(v)))
		y[0] = x
		plainExactGELUTanh(y)
		note("gelu by tanh", x, y[0], 0.5*v*(1+math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v))), max(1, math.Abs(v)))
		note("tanh", x, exactTanh(x), math.Tanh(v), 1)
		if x <= 0 {
			x *= 5 // to -60
			v = float64(x)
			note("exp, relative", x, exactExp(x), math.Exp(v), math.Exp(v))
		}
	}
	for name, most := range map[string]float64{"gelu": 2e-7, "gelu by tanh": 1.5e-7, "tanh": 2e-7, "exp, relative": 2e-7} {
		t.Logf("%s: error %.2g at %v", name, worst[name], at[name])
		if !(worst[name] <= most) {
			t.Errorf("%s: error %v at %v, at most %v is stated", name, worst[name], at[name], most)
		}
	}
	if exactExp(-64.001) != 0 || exactExp(0) != 1 || exactExp(float32(math.Inf(-1))) != 0 {
		t.Error("the ends of exp")
	}
}

// The order of a sum, on a case small enough to write down.
func TestExactOrder(t *testing.T) {
	x := make([]float32, 32)
	x[0], x[16], x[8], x[1] = 1<<12, 1<<12, 1, 1 // squares: 2²⁴, 2²⁴, 1, 1
	// Lane 0 is 2²⁵, and loses the 1 of lane 8 and that of lane 1, which come one by one.
	// Four that are added to each other first are kept.
	if got := ExactSquares(x); got != 1<<25 {
		t.Errorf("%v", got)
	}
	x[8], x[9] = 0, 1 // lanes 1, 9, 3 and 11 are added before they meet lane 0
	x[3], x[11] = 1, 1
	if got := ExactSquares(x); got != 1<<25+4 {
		t.Errorf("%v", got)
	}
}

func TestCheckExact(t *testing.T) {
	for a, ok := range map[Activation]bool{None: true, GELU: true, GELUTanh: true, ReLU: true, Tanh: true, SiLU: false} {
		if (a.CheckExact() == nil) != ok {
			t.Errorf("%d: %v", a, a.CheckExact())
		}
	}
}

func BenchmarkExact(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, build := range builds() {
		undo := build.use()
		s := packageSteps(build.name, 1, b)
		x := random(r, 64*1536)
		b.Run(build.name+"/gelu", func(b *testing.B) {
			for b.Loop() {
				s.gelu(x)
			}
		})
		n := &LayerNorm{random(r, 384), random(r, 384), 1e-12}
		b.Run(build.name+"/norm", func(b *testing.B) {
			for b.Loop() {
				s.norm(n, x[:64*384], x[64*384:], 384, 64)
			}
		})
		a := &ExactAttention{Heads: 12, Dim: 32, Scale: 0.1}
		out := make([]float32, 64*384)
		b.Run(build.name+"/attention", func(b *testing.B) {
			for b.Loop() {
				s.attention(a, out, 384, x, x[384:], x[768:], 1152, 64)
			}
		})
		undo()
	}
}
