package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var forms = []Form{
	{A: 1},
	{A: 0.25, X0: 0.5, D0: 0.75},
	{A: 1.5, X0: -2, D0: 1, D1: -2},
	{A: 1, X0: 1, D0: 1, D1: 2},
	{A: 3, D2: -1},
	{A: 1e-3, D2: -1.0 / 3},
	{A: -1, X0: 1e18, D0: 1e-30, D1: 1e10, D2: 1e-10},
}

func TestScoreAgreesWithPlain(t *testing.T) {
	for _, impl := range implementations(t) {
		t.Run(impl.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			for _, n := range rowCounts {
				for k, kind := range kinds {
					for i, f := range forms {
						x, y, norm2 := make([]float32, n), make([]float32, n), make([]float32, n)
						kind.fill(r, x)
						kind.fill(r, y)
						kind.fill(r, norm2)
						for j := range norm2 {
							norm2[j] = float32(math.Abs(float64(norm2[j])))
							switch r.IntN(8) {
							case 0:
								norm2[j] = 0
							case 1: // the row is its own projection, nearly
								norm2[j] = float32(float64(y[j]) * float64(y[j]))
							}
						}
						if (k+i)%3 == 0 {
							y = nil
						}
						got, want := make([]float32, n), make([]float32, n)
						plainScore(want, x, y, norm2, &f)
						impl.score(got, x, y, norm2, &f)
						what := fmt.Sprintf("%s n=%d %+v y=%t", kind.name, n, f, y != nil)
						same(t, what, got, want)
						for j := range got {
							if got[j] != got[j] {
								t.Fatalf("%s: NaN at %d", what, j)
							}
						}
					}
				}
			}
		})
	}
}

// The guards, and the formula on values with a known result.
func TestScoreGuards(t *testing.T) {
	// 4 is n²; with D2 = −1 the square is 4 − y².
	just := func(square float64) float32 { return float32(math.Sqrt(4 - square)) }
	inf := float32(math.Inf(1))
	nan := float32(math.NaN())
	for _, c := range []struct {
		name     string
		x, y, n2 float32
		f        Form
		want     float32
	}{
		{"cosine", 3, 0, 4, Form{A: 1}, 1.5},
		{"every term", 3, 2, 4, Form{A: 2, X0: 1, D0: 1, D1: 2, D2: 4}, float32(8.0 / 5)},
		{"zero row", 3, 0, 0, Form{A: 1}, 0},
		{"zero row, denominator from D0", 3, 0, 0, Form{A: 1, D0: 1}, 0},
		{"nothing left", 3, 2, 4, Form{A: 1, D2: -1}, 0},
		{"negative square", 3, 3, 4, Form{A: 1, D2: -1}, 0},
		{"below the guard", 3, just(3e-6), 4, Form{A: 1, D2: -1}, 0},
		{"at the guard", 3, 4, 4, Form{A: 1, D1: -1, D0: 4e-6}, 0},
		{"above the guard", 3, 4, 4, Form{A: 1, D1: -1, D0: math.Nextafter(4e-6, 1)}, float32(3 / math.Sqrt(math.Nextafter(4e-6, 1)))},
		{"negative zero", 0, 0, 4, Form{A: -1}, float32(math.Copysign(0, -1))},
		{"smallest norm", 0, 0, math.SmallestNonzeroFloat32, Form{A: 1}, 0},
		{"infinite norm", 3, 0, inf, Form{A: 1}, 0},
		{"norm that is not a number", 3, 0, nan, Form{A: 1}, 0},
		{"y that is not a number", 3, nan, 4, Form{A: 1, D2: -1}, 0},
	} {
		for _, impl := range implementations(t) {
			// Five of them, so that both the wide and the narrow path run.
			x, y, n2 := slices.Repeat([]float32{c.x}, 5), slices.Repeat([]float32{c.y}, 5), slices.Repeat([]float32{c.n2}, 5)
			want := slices.Repeat([]float32{c.want}, 5)
			got := make([]float32, 5)
			impl.score(got, x, y, n2, &c.f)
			same(t, impl.name+": "+c.name, got, want)
			if c.y == 0 {
				impl.score(got, x, nil, n2, &c.f)
				same(t, impl.name+": "+c.name+", nil y", got, want)
			}
		}
	}
}

func TestScoreInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	x, y, norm2, want := make([]float32, 101), make([]float32, 101), make([]float32, 101), make([]float32, 101)
	for i := range x {
		x[i], y[i], norm2[i] = r.Float32(), r.Float32(), 1+r.Float32()
	}
	plainScore(want, x, y, norm2, &forms[2])
	got := slices.Clone(y)
	Score(got, x, got, norm2, &forms[2])
	same(t, "over y", got, want)
	Score(x, x, y, norm2, &forms[2])
	same(t, "over x", x, want)
}

func TestAddScaled(t *testing.T) {
	for _, impl := range implementations(t) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, n := range rowCounts {
			for _, kind := range kinds {
				x, scale, got := make([]float32, n), make([]float32, n), make([]float32, n)
				kind.fill(r, x)
				kind.fill(r, scale)
				kind.fill(r, got)
				most := []float32{float32(math.Inf(1)), 0.25, -0.5}[r.IntN(3)]
				want := slices.Clone(got)
				for i := range want { // rounded twice, never fused
					product := float32(float64(x[i]) * float64(scale[i]))
					if product > most {
						product = most
					}
					want[i] = float32(float64(want[i]) + float64(product))
				}
				impl.addScaled(got, x, scale, most)
				same(t, fmt.Sprintf("%s: %s n=%d, at most %g", impl.name, kind.name, n, most), got, want)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	negative := float32(math.Copysign(0, -1))
	for _, impl := range implementations(t) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, n := range rowCounts {
			// Few distinct values, so that ties with the threshold abound.
			scores := make([]float32, n)
			for i := range scores {
				scores[i] = float32(r.IntN(5) - 2)
				if scores[i] == 0 && r.IntN(2) == 0 {
					scores[i] = negative
				}
				if r.IntN(50) == 0 {
					scores[i] = float32(math.NaN()) // never reaches a threshold
				}
			}
			for _, threshold := range []float32{-3, -2, 0, negative, 1, 2, 3, float32(math.Inf(-1)), float32(math.Inf(1)), float32(math.NaN())} {
				var want []uint32
				for i, s := range scores {
					if s >= threshold {
						want = append(want, uint32(i))
					}
				}
				idx := make([]uint32, n)
				got := idx[:impl.selectGE(idx, scores, threshold)]
				if !slices.Equal(got, want) {
					t.Fatalf("%s n=%d threshold %v: %v, want %v", impl.name, n, threshold, got, want)
				}
			}
		}
	}
}
