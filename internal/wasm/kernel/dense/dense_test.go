package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// every runs a test on each build that this machine has.
func every(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, b := range builds() {
		t.Run(b.name, func(t *testing.T) {
			defer b.use()()
			f(t)
		})
	}
}

func random(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(r.NormFloat64())
	}
	return s
}

// within reports whether got is near the exact value, of a sum whose terms have
// the given magnitude in all.
func within(got float32, exact, magnitude float64) bool {
	return math.Abs(float64(got)-exact) <= 3e-7*magnitude+1e-30
}

func TestLinear(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, workers := range []int{1, 2, 3} {
			p := NewPool(workers)
			for _, s := range []struct{ rows, in, out int }{
				{1, 1, 1}, {1, 64, 64}, {2, 3, 5}, {3, 17, 47}, {7, 64, 48}, {8, 64, 49}, {9, 31, 96}, {13, 96, 100}, {64, 20, 33}, {700, 96, 80}, {5, 384, 1152},
			} {
				ldx, ldy := s.in+3, s.out+5
				w, bias, x := random(r, s.in*s.out), random(r, s.out), random(r, s.rows*ldx)
				y := random(r, s.rows*ldy)
				before := append([]float32(nil), y...)
				NewLinear(w, bias, s.out, s.in).Apply(p, y, ldy, x, ldx, s.rows, None)
				for i := range s.rows {
					for o := range s.out {
						sum, size := float64(bias[o]), math.Abs(float64(bias[o]))
						for k := range s.in {
							term := float64(x[i*ldx+k]) * float64(w[o*s.in+k])
							sum, size = sum+term, size+math.Abs(term)
						}
						if !within(y[i*ldy+o], sum, size) {
							t.Fatalf("%+v, %d workers: y[%d,%d] = %v, want %v", s, workers, i, o, y[i*ldy+o], sum)
						}
					}
					for o := s.out; o < ldy; o++ {
						if y[i*ldy+o] != before[i*ldy+o] {
							t.Fatalf("%+v: wrote beyond row %d", s, i)
						}
					}
				}
			}
			p.Close()
		}
	})
}

// A task's panic reaches whoever asked for the work, in whichever goroutine it was,
// and the pool goes on.
func TestPoolPanics(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	for round := range 200 {
		func() {
			defer func() {
				if got := recover(); got != any(round) {
					t.Fatalf("round %d: %v", round, got)
				}
			}()
			p.Run(50, func(task, _ int) {
				if task%10 == round%10 {
					panic(round)
				}
			})
		}()
		var n atomic.Int64
		p.Run(50, func(_, _ int) { n.Add(1) })
		if n.Load() != 50 {
			t.Fatalf("round %d: %d tasks of 50", round, n.Load())
		}
	}
}

// A row's result has the same bits whatever rows it is computed with.
func TestRowsDoNotDependOnTheirBatch(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		p := NewPool(2)
		defer p.Close()
		const rows, in, out = 75, 130, 115
		l := NewLinear(random(r, in*out), nil, out, in)
		x := random(r, rows*in)
		for _, act := range []Activation{None, GELU, GELUTanh, ReLU, Tanh, SiLU} {
			all := make([]float32, rows*out)
			l.Apply(p, all, out, x, in, rows, act)
			for first := 0; first < rows; {
				n := min(1+r.IntN(20), rows-first)
				some := make([]float32, n*out)
				l.Apply(p, some, out, x[first*in:], in, n, act)
				for i, v := range some {
					if math.Float32bits(v) != math.Float32bits(all[first*out+i]) {
						t.Fatalf("activation %d: row %d, output %d: %v in a batch of %d, %v among %d", act, first+i/out, i%out, v, n, all[first*out+i], rows)
					}
				}
				first += n
			}
		}
	})
}

func TestActivations(t *testing.T) {
	exact := map[Activation]func(x float64) float64{
		None:     func(x float64) float64 { return x },
		GELU:     func(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) },
		GELUTanh: func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) },
		ReLU:     func(x float64) float64 { return max(x, 0) },
		Tanh:     math.Tanh,
		SiLU:     func(x float64) float64 { return x / (1 + math.Exp(-x)) },
	}
	every(t, func(t *testing.T) {
		for act, f := range exact {
			var x []float32
			for v := -100.0; v < 100; v += 0.00917 {
				x = append(x, float32(v))
			}
			x = append(x, 0, 1e-30, -1e-30, 1e30, -1e30, math.MaxFloat32)
			y := append([]float32(nil), x...)
			act.apply(y, 1, len(y), len(y))
			worst := 0.0
			for i, v := range x {
				want := f(float64(v))
				if math.IsNaN(float64(y[i])) {
					t.Fatalf("activation %d of %v is not a number", act, v)
				}
				worst = max(worst, math.Abs(float64(y[i])-want)/max(1, math.Abs(want)))
			}
			if !(worst <= 6e-7) {
				t.Errorf("activation %d is off by %g", act, worst)
			}
		}
	})
}

func TestExponential(t *testing.T) {
	every(t, func(t *testing.T) {
		for v := -87.0; v < 88; v += 0.037 {
			x := make([]float32, panel)
			for i := range x {
				x[i] = float32(v)
			}
			exponentials(x)
			if want := math.Exp(float64(float32(v))); approx.Apart(float64(x[3]), want, 2.5e-7*want) {
				t.Fatalf("e^%v = %v, want %v", v, x[3], want)
			}
		}
		x := make([]float32, panel)
		x[0], x[1], x[2], x[3] = float32(math.Inf(-1)), float32(math.Inf(1)), -1000, 1000
		exponentials(x)
		for _, v := range x {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("%v", x)
			}
		}
	})
}

func TestLayerNorm(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		p := NewPool(2)
		defer p.Close()
		for _, n := range []int{1, 12, 16, 48, 100, 384, 768} {
			const rows = 37
			x, residual := random(r, rows*n), random(r, rows*n)
			norm := LayerNorm{random(r, n), random(r, n), 1e-5}
			root := RMSNorm{norm.Gamma, 1e-6}
			for _, with := range []bool{false, true} {
				var other []float32
				if with {
					other = residual
				}
				y, z := make([]float32, rows*n), make([]float32, rows*n)
				norm.Apply(p, y, x, other, n, rows)
				root.Apply(p, z, x, n, rows)
				for i := range rows {
					var mean, variance, squares float64
					v := make([]float64, n)
					for j := range v {
						v[j] = float64(x[i*n+j])
						squares += v[j] * v[j] / float64(n)
						if with {
							v[j] = float64(float32(v[j] + float64(residual[i*n+j])))
						}
						mean += v[j] / float64(n)
					}
					for _, c := range v {
						variance += (c - mean) * (c - mean) / float64(n)
					}
					for j, c := range v {
						want := (c-mean)/math.Sqrt(variance+1e-5)*float64(norm.Gamma[j]) + float64(norm.Beta[j])
						if approx.Apart(float64(y[i*n+j]), want, 5e-6*(1+math.Abs(want))) {
							t.Fatalf("n=%d residual=%v: %v, want %v", n, with, y[i*n+j], want)
						}
						want = float64(x[i*n+j]) / math.Sqrt(squares+1e-6) * float64(norm.Gamma[j])
						if approx.Apart(float64(z[i*n+j]), want, 5e-6*(1+math.Abs(want))) {
							t.Fatalf("n=%d, root mean square: %v, want %v", n, z[i*n+j], want)
						}
					}
				}
			}
		}
	})
}

func TestAttention(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		p := NewPool(2)
		defer p.Close()
		lengths := []int{1, 5, 0, 16, 47, 48, 100}
		keys := []int{1, 3, 0, 16, 40, 1, 99}
		total := 0
		for _, n := range lengths {
			total += n
		}
		for _, dim := range []int{4, 12, 16, 32, 64} {
			const heads = 3
			ld := 3*heads*dim + 2
			x := random(r, total*ld)
			q, k, v := x, x[heads*dim:], x[2*heads*dim:]
			const span = 128
			bias := random(r, heads*(2*span-1))
			for _, a := range []Attention{
				{Heads: heads, Dim: dim, Scale: float32(1 / math.Sqrt(float64(dim)))},
				{Heads: heads, Dim: dim, Scale: 0.3, Causal: true},
				{Heads: heads, Dim: dim, Scale: 1, Bias: bias, Span: span},
				{Heads: heads, Dim: dim, Scale: 0.3, Bias: bias, Span: span},
			} {
				for _, seen := range [][]int{nil, keys} {
					ldo := heads*dim + 1
					out := make([]float32, total*ldo)
					a.Apply(p, out, ldo, q, k, v, ld, lengths, seen)
					at := 0
					for s, n := range lengths {
						visible := n
						if seen != nil {
							visible = seen[s]
						}
						for h := range heads {
							for i := range n {
								checkAttention(t, &a, out[(at+i)*ldo+h*dim:][:dim], q[(at+i)*ld+h*dim:], k[at*ld+h*dim:], v[at*ld+h*dim:], ld, h, i, visible)
							}
						}
						at += n
					}
					for i := range total {
						if out[i*ldo+heads*dim] != 0 {
							t.Fatal("wrote beyond the heads")
						}
					}
				}
			}
		}
	})
}

// checkAttention compares one head's output for token i with its definition.
func checkAttention(t *testing.T, a *Attention, got, q, k, v []float32, ld, h, i, visible int) {
	t.Helper()
	if a.Causal {
		visible = min(visible, i+1)
	}
	scores, greatest, sum := make([]float64, visible), math.Inf(-1), 0.0
	for j := range scores {
		for d := range a.Dim {
			scores[j] += float64(q[d]) * float64(k[j*ld+d])
		}
		scores[j] *= float64(a.Scale)
		if a.Bias != nil {
			scores[j] += float64(a.Bias[h*(2*a.Span-1)+j-i+a.Span-1])
		}
		greatest = max(greatest, scores[j])
	}
	for j := range scores {
		scores[j] = math.Exp(scores[j] - greatest)
		sum += scores[j]
	}
	for d := range a.Dim {
		want := 0.0
		for j, s := range scores {
			want += s / sum * float64(v[j*ld+d])
		}
		if approx.Apart(float64(got[d]), want, 2e-5) { // scores of some tens lose digits before they are raised
			t.Fatalf("head of %d, causal %v, bias %v: token %d, component %d: %v, want %v", a.Dim, a.Causal, a.Bias != nil, i, d, got[d], want)
		}
	}
}

// A pool gives each task once, whoever else uses it, also while it closes.
func TestPool(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		p := NewPool(workers)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for round := range 300 {
					counts := make([]int, round%23)
					p.Run(len(counts), func(task, _ int) { counts[task]++ })
					for task, n := range counts {
						if n != 1 {
							t.Errorf("task %d of %d ran %d times", task, len(counts), n)
						}
					}
				}
			})
		}
		if workers == 5 {
			p.Close()
		}
		all.Wait()
		p.Close()
		p.Run(3, func(task, worker int) {
			if worker != 0 {
				t.Error("a closed pool still has workers")
			}
		})
	}
}

func BenchmarkLinear(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, s := range []struct{ rows, in, out int }{{16, 384, 1536}, {64, 384, 1536}, {2048, 384, 1152}, {2048, 1536, 384}, {2048, 3072, 768}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dx%dx%d/%d", s.rows, s.in, s.out, workers), func(b *testing.B) {
				p := NewPool(workers)
				defer p.Close()
				l := NewLinear(random(r, s.in*s.out), random(r, s.out), s.out, s.in)
				x, y := random(r, s.rows*s.in), make([]float32, s.rows*s.out)
				for b.Loop() {
					l.Apply(p, y, s.out, x, s.in, s.rows, None)
				}
				b.ReportMetric(2*float64(s.rows*s.in*s.out)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
