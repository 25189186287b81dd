package packer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// inputs are random rows of n numbers that depend on each other.
func inputs(r *rand.Rand, rows, n int) []float32 {
	x := make([]float32, rows*n)
	mix := make([]float64, n*n)
	for i := range mix {
		mix[i] = r.NormFloat64() * math.Exp(-float64(i%n)/10)
	}
	for t := range rows {
		for range 4 {
			a, b := r.IntN(n), r.NormFloat64()
			for j := range n {
				x[t*n+j] += float32(b * mix[j*n+a])
			}
		}
	}
	return x
}

// cost is the squared error of a row's output, summed over all inputs.
func cost(w []float32, row row4, x []float32) (sum float64) {
	n := len(w)
	rounded := make([]float32, n)
	row.put(rounded)
	for t := 0; t < len(x); t += n {
		off := 0.0
		for j, v := range x[t : t+n] {
			off += float64(w[j]-rounded[j]) * float64(v)
		}
		sum += off * off
	}
	return sum
}

// Rounding for the outputs costs much less than plain rounding, with every width,
// and stays on the grid.
func TestRounder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	pool := dense.NewPool(2)
	defer pool.Close()
	for _, n := range []int{5, 32, 70, 96} {
		x := inputs(r, 300, n)
		m := newMoments(n)
		m.add(pool, []int{100, 200}, x, x)
		rounder, err := newRounder(slices.Clone(m.xx), n)
		if err != nil {
			t.Fatal(err)
		}
		const rows = 8
		w := make([]float32, rows*n)
		for i := range w {
			w[i] = float32(r.NormFloat64())
		}
		plain, best := 0.0, 0.0
		for i, row := range rounder.round(pool, w) {
			for _, v := range row.values {
				if v < -pack.MaxQ4 || v > pack.MaxQ4 {
					t.Fatalf("a value of %d", v)
				}
			}
			for _, s := range row.scales {
				if s >= 0x7c00 {
					t.Fatalf("a scale of %#x", s)
				}
			}
			checkLadder(t, row)
			plain += cost(w[i*n:][:n], roundPlain(w[i*n:][:n]), x)
			best += cost(w[i*n:][:n], row, x)
		}
		if t.Logf("width %d: plain %.1f, for the outputs %.1f", n, plain, best); best > .6*plain {
			t.Errorf("width %d: %.1f is not below plain rounding's %.1f", n, best, plain)
		}
	}
}

// The factors are those of H: the sum over columns of D[k](Σ e[j]·U[j,k])² is the
// cost itself.
func TestFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	pool := dense.NewPool(1)
	defer pool.Close()
	const n = 12
	x := inputs(r, 50, n)
	m := newMoments(n)
	m.add(pool, []int{50}, x, x)
	f, err := newRounder(slices.Clone(m.xx), n)
	if err != nil {
		t.Fatal(err)
	}
	e := make([]float64, n)
	for i := range e {
		e[i] = r.NormFloat64()
	}
	want, got := 0.0, 0.0
	for i := range n {
		want += e[i] * dot(e, f.h[i*n:])
		miss := e[i] + dot(e[:i], f.u[i*n:])
		got += f.d[i] * miss * miss
	}
	if approx.Apart(got, want, 1e-6*want) {
		t.Errorf("%g by the factors, %g by the matrix", got, want)
	}
	if _, err := newRounder(make([]float64, n*n), n); err == nil {
		t.Error("inputs of zeros can be factorised")
	}
}

// What is on the grid already stays, also if half floats have moved its largest
// magnitude.
func TestGridStays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 300 {
		want := newRow4(96)
		w := make([]float32, 96)
		for g := range want.scales {
			want.scales[g] = shard.F32ToF16(float32(math.Exp(r.NormFloat64() - 4)))
			for i := range pack.Group {
				want.values[g*pack.Group+i] = int8(r.IntN(15) - 7)
			}
			want.values[g*pack.Group+r.IntN(pack.Group)] = 7
		}
		want.put(w)
		for i := range w {
			w[i] = shard.F16ToF32(shard.F32ToF16(w[i]))
		}
		got := roundSearched(w)
		if !slices.Equal(got.values, want.values) || !slices.Equal(got.scales, want.scales) {
			t.Fatalf("%v × %v, want %v × %v", got.values, got.scales, want.values, want.scales)
		}
	}
}

// checkLadder checks that each scale of a row is so near to a step of the ladder that the int8
// values of a reader are the values of 4 bits times that step.
func checkLadder(t *testing.T, row row4) {
	t.Helper()
	greatest := float64(shard.F16ToF32(slices.Max(row.scales)))
	for _, bits := range row.scales {
		m := float64(shard.F16ToF32(bits)) * pack.Steps / greatest
		if greatest > 0 && !(math.Abs(m-math.Round(m))*pack.MaxQ4 < .5) {
			t.Fatalf("a scale is %g eighteenths of the greatest", m)
		}
	}
}

// Values stay, and scales come to lie on a ladder. They move little, unless half floats are coarse.
func TestSnap(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for _, size := range []float64{1, 1e-3, 3e-5, 1e-6, 0} {
		for range 50 {
			w := make([]float32, 200)
			for i := range w {
				w[i] = float32(size * r.NormFloat64())
			}
			plain := roundPlain(w)
			row := roundPlainly(w)
			if checkLadder(t, row); !slices.Equal(row.values, plain.values) {
				t.Fatal("a value has changed")
			}
			greatest := shard.F16ToF32(slices.Max(plain.scales))
			for g, bits := range row.scales {
				off := math.Abs(float64(shard.F16ToF32(bits) - shard.F16ToF32(plain.scales[g])))
				if size >= 1e-3 && !(off <= .06*float64(greatest)) {
					t.Fatalf("size %g: a scale of %g moves by %g", size, shard.F16ToF32(plain.scales[g]), off)
				}
			}
		}
	}
}

// Plain rounding is nearest values under a scale of largest / 7.
func TestPlain(t *testing.T) {
	w := make([]float32, 40)
	for i := range w {
		w[i] = float32(i-20) / 10
	}
	w[5] = -2.1
	row := roundPlain(w)
	for i, v := range row.values {
		scale := float64(shard.F16ToF32(row.scales[i/pack.Group]))
		if approx.Apart(float64(w[i]), scale*float64(v), .5001*scale) {
			t.Errorf("%g becomes %d × %g", w[i], v, scale)
		}
	}
	if want := shard.F32ToF16(.3); row.scales[0] != want || row.values[5] != -7 {
		t.Errorf("%v × %v", row.values, row.scales)
	}
	if zero := roundPlain(make([]float32, 40)); zero.scales[1] != 0 || zero.values[39] != 0 {
		t.Errorf("zeros become %v", zero)
	}
}

// A row that training has rounded to a ladder stays, though not every group has a value of 7; any other row has none.
func TestTrainedRowsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	for range 200 {
		w := make([]float32, 384)
		for i := range w {
			w[i] = float32(r.NormFloat64()) * .05
		}
		if _, ok := onLadder(w); ok {
			t.Fatal("a random row is on a ladder")
		}
		unit := largest(w) / pack.MaxQ4 / pack.Steps
		values := make([]int8, len(w))
		for first := 0; first < len(w); first += pack.Group { // as class Grid of internal/recipes/reader/train.py
			group := w[first:][:pack.Group]
			scale := max(1, math.RoundToEven(largest(group)/pack.MaxQ4/unit)) * unit
			for i, v := range group {
				values[first+i] = nearest(float64(v), scale)
				w[first+i] = shard.F16ToF32(shard.F32ToF16(float32(float64(values[first+i]) * scale)))
			}
		}
		row, ok := onLadder(w)
		if !ok {
			t.Fatal("a row that was rounded to a ladder is on none")
		}
		checkLadder(t, row)
		got := make([]float32, len(w))
		if row.put(got); relative(got, w) > 1e-3 {
			t.Fatalf("the row moves by %g of its length", relative(got, w))
		}
		w[200] += float32(unit) * .4
		if _, ok := onLadder(w); ok {
			t.Fatal("a row with a value between the steps is on a ladder")
		}
	}
}
