package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// Every build gives the bits of the definition: weights and inputs rounded to 8
// bits, integer sums, scales.
func TestLinear8(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		p := NewPool(2)
		defer p.Close()
		for _, s := range []struct{ rows, in, out int }{
			{1, 1, 1}, {1, 64, 64}, {2, 3, 5}, {3, 17, 47}, {7, 64, 48}, {8, 64, 49}, {9, 31, 96}, {13, 96, 100}, {64, 20, 33}, {300, 96, 80}, {5, 384, 1152},
		} {
			ldx, ldy := s.in+3, s.out+5
			w, bias, x := random(r, s.in*s.out), random(r, s.out), random(r, s.rows*ldx)
			clear(w[:s.in])           // an output without weights
			clear(x[:min(ldx, s.in)]) // a row of nothing
			y := random(r, s.rows*ldy)
			before := append([]float32(nil), y...)
			NewLinear8(w, bias, s.out, s.in).Apply(p, y, ldy, x, ldx, s.rows, None)
			weights, weightScales := rounded(w, s.out, s.in)
			for i := range s.rows {
				inputs, inputScale, middle := roundedInput(x[i*ldx:][:s.in])
				for o := range s.out {
					sum, all := 0, 0
					for k, v := range inputs {
						sum += v * weights[o*s.in+k]
						all += weights[o*s.in+k]
					}
					want := float32(float32(float32(sum)*weightScales[o]) * inputScale)
					want += float32(float32(float32(all)*weightScales[o]) * middle)
					want += bias[o]
					if got := y[i*ldy+o]; math.Float32bits(got) != math.Float32bits(want) {
						t.Fatalf("%+v: y[%d,%d] = %v, want %v", s, i, o, got, want)
					}
				}
				for o := s.out; o < ldy; o++ {
					if y[i*ldy+o] != before[i*ldy+o] {
						t.Fatalf("%+v: wrote beyond row %d", s, i)
					}
				}
			}
		}
	})
}

// rounded rounds each row of a matrix.
func rounded(w []float32, rows, columns int) (all []int, scales []float32) {
	for i := range rows {
		row := w[i*columns : (i+1)*columns]
		var greatest float32
		for _, v := range row {
			greatest = max(greatest, float32(math.Abs(float64(v))))
		}
		scale := greatest / 127
		for _, v := range row {
			q := 0
			if scale != 0 {
				q = max(-127, min(127, int(math.RoundToEven(float64(v/scale)))))
			}
			all = append(all, q)
		}
		scales = append(scales, scale)
	}
	return all, scales
}

// roundedInput rounds a row to 127 steps to each side of its middle.
func roundedInput(x []float32) (all []int, scale, middle float32) {
	low, high := slices.Min(x), slices.Max(x)
	middle = low + float32((high-low)/2)
	distance := max(high-middle, middle-low)
	for _, v := range x {
		q := 0
		if distance >= 0x1p-100 {
			q = int(math.RoundToEven(float64(float32((v - middle) * (127 / distance)))))
		}
		all = append(all, q)
	}
	return all, distance / 127, middle
}

// Weights that are small numbers times a multiplier for each group of inputs take another
// way in some builds. The results have the same bits, also where sums are greatest.
func TestLinear8Grouped(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		p := NewPool(2)
		defer p.Close()
		for _, s := range []struct{ rows, in, out, least, most int }{
			{1, 32, 16, -7, 7}, {2, 64, 48, -7, 7}, {13, 96, 16, -1, 1}, {27, 384, 1152, -7, 7}, {3, 1536, 384, -7, 7},
			{7, 64, 32, 7, 7}, {7, 64, 32, -7, -7}, {6, 32, 32, 0, 0},
			{5, 64, 32, -8, 8}, {5, 48, 32, -7, 7}, {5, 64, 40, -7, 7}, // no groups, but the same bits
		} {
			weights := make([]int8, s.out*s.in)
			for i := 0; i < len(weights); i += 16 { // groups of 32, and some that are not
				m := 1 + r.IntN(127/max(1, s.most, -s.least))
				for j := range 16 {
					weights[i+j] = int8(m * (s.least + r.IntN(s.most-s.least+1)))
				}
				if i%32 == 16 {
					for j := range 16 {
						weights[i+j] = weights[i+j-16]
					}
				}
			}
			scales, bias, x := random(r, s.out), random(r, s.out), random(r, s.rows*s.in)
			for i := range s.in { // a row of the greatest and the least inputs
				x[i] = float32(1 - 2*(i%2))
			}
			for i := range min(s.in, len(x)-s.in*(s.rows-1)) { // nearly all at the top
				x[s.in*(s.rows-1)+i] = 1
			}
			x[len(x)-1] = -1
			y := make([]float32, s.rows*s.out)
			l := PackLinear8(slices.Clone(weights), scales, bias, s.out, s.in)
			l.Apply(p, y, s.out, x, s.in, s.rows, None)
			if groups := l.multipliers != nil; groups && (s.most == 8 || s.in%32 != 0 || s.out%16 != 0) {
				t.Fatalf("%+v: taken for groups", s)
			} else if !groups && takesGroups() && s.most < 8 && s.in%32 == 0 && s.out%16 == 0 {
				t.Fatalf("%+v: not taken for groups", s)
			}
			for i := range s.rows {
				inputs, inputScale, middle := roundedInput(x[i*s.in:][:s.in])
				for o := range s.out {
					sum, all := 0, 0
					for k, v := range inputs {
						sum += v * int(weights[o*s.in+k])
						all += int(weights[o*s.in+k])
					}
					want := float32(float32(float32(sum)*scales[o]) * inputScale)
					want += float32(float32(float32(all)*scales[o]) * middle)
					want += bias[o]
					if got := y[i*s.out+o]; math.Float32bits(got) != math.Float32bits(want) {
						t.Fatalf("%+v: y[%d,%d] = %v, want %v", s, i, o, got, want)
					}
				}
			}
		}
	})
}

// The rounding costs little: about a percent of an output's size.
func TestLinear8IsNear(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := NewPool(1)
	const rows, in, out = 20, 384, 96
	w, x := random(r, in*out), random(r, rows*in)
	exact, near := make([]float32, rows*out), make([]float32, rows*out)
	NewLinear(w, nil, out, in).Apply(p, exact, out, x, in, rows, None)
	NewLinear8(w, nil, out, in).Apply(p, near, out, x, in, rows, None)
	var squares, errors float64
	for i, v := range exact {
		squares += float64(v) * float64(v)
		errors += float64(v-near[i]) * float64(v-near[i])
	}
	if share := math.Sqrt(errors / squares); share > .02 {
		t.Errorf("off by %.2f %%", 100*share)
	}
}

func TestLinear8TooManyInputs(t *testing.T) {
	if NewLinear8(make([]float32, maxIn8+1), nil, 1, maxIn8+1) != nil {
		t.Error("sums would overflow")
	}
	w := make([]float32, maxIn8)
	x := make([]float32, maxIn8)
	for i := range w {
		w[i], x[i] = 1, 1
	}
	y := make([]float32, 1)
	NewLinear8(w, nil, 1, maxIn8).Apply(NewPool(1), y, 1, x, maxIn8, 1, None)
	if approx.Apart(float64(y[0]), maxIn8, 1) {
		t.Errorf("%v, want %d", y[0], maxIn8)
	}
}

func BenchmarkLinear8(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, s := range []struct{ rows, in, out int }{{16, 384, 1536}, {2048, 384, 1152}, {2048, 1536, 384}} {
		b.Run(fmt.Sprintf("%dx%dx%d", s.rows, s.in, s.out), func(b *testing.B) {
			p := NewPool(1)
			x, y := random(r, s.rows*s.in), make([]float32, s.rows*s.out)
			w := random(r, s.in*s.out)
			for _, layer := range []struct {
				name string
				l    Layer
			}{{"f32", NewLinear(w, nil, s.out, s.in)}, {"int8", NewLinear8(w, nil, s.out, s.in)}, {"grouped", groupedLayer(r, s.out, s.in)}} {
				b.Run(layer.name, func(b *testing.B) {
					for b.Loop() {
						layer.l.Apply(p, y, s.out, x, s.in, s.rows, None)
					}
					b.ReportMetric(2*float64(s.rows*s.in*s.out)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GOP/s")
				})
			}
		})
	}
}

// groupedLayer has weights as packs of 4 bits have them.
func groupedLayer(r *rand.Rand, out, in int) *Linear8 {
	weights, scales := make([]int8, out*in), random(r, out)
	for i := range weights {
		weights[i] = int8(18 * (r.IntN(15) - 7))
	}
	return PackLinear8(weights, scales, nil, out, in)
}
