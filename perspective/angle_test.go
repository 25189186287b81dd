package perspective

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAnglesAgainstDirectFormulas compares what angles add with the formulas over unit
// vectors, whatever the lengths of the given ones.
func TestAnglesAgainstDirectFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, m := range Methods() {
		if m.Angles == 0 {
			if plan := mustCompile(t, Query{Query: []float32{1}, Root: []float32{1}, Perspectives: [][]float32{{0}}, Method: m.Name, Strength: 1, Angles: [][]float32{{1}}}); plan.Angle != nil {
				t.Errorf("%s uses an angle", m.Name)
			}
			continue
		}
		if m.Strength <= 0 || m.Strength > MaxStrength {
			t.Errorf("%s: the default strength is %g", m.Name, m.Strength)
		}
		for _, dim := range []int{1, 3, 128} {
			for _, strength := range []float64{m.Strength, 0, -0.7, -MaxStrength, MaxStrength} {
				for n := m.Angles; n == m.Angles || n == 2; n++ {
					var angles [][]float32
					var wide [][]float64
					for range n {
						w := gaussian(rng, dim, 1e-6+rng.Float64()*1e6)
						angles, wide = append(angles, w), append(wide, widen(w))
					}
					a := gaussian(rng, dim, 3)
					plan := mustCompile(t, Query{Query: []float32{1, 0}, Root: []float32{1, 0}, Method: m.Name, Angles: angles, Strength: strength})
					want := angleDirects[m.Name](wide, widen(a), strength)
					near(t, fmt.Sprintf("%s of %d, d = %d, strength %g", m.Name, n, dim, strength), plan.AngleScore(a), want, 1e-5)
				}
			}
		}
	}
}

func TestSwappedOpposites(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	u, v, r := gaussian(rng, 16, 1), gaussian(rng, 16, 2), gaussian(rng, 8, 1)
	one := mustCompile(t, Query{Root: r, Method: "contrast", Angles: [][]float32{u, v}, Strength: 0.4})
	other := mustCompile(t, Query{Root: r, Method: "contrast", Angles: [][]float32{v, u}, Strength: -0.4})
	if !slices.Equal(one.Angle, other.Angle) || one.AngleCap != other.AngleCap {
		t.Error("swapping the sides is not the same as negating the strength")
	}
}

// Angles that say nothing leave the score without them.
func TestAnglesWithoutEffect(t *testing.T) {
	r, a := []float32{1, 2}, []float32{3, -1, 2}
	zero, same := make([]float32, 3), []float32{2, 4, -2}
	for name, q := range map[string]Query{
		"strength 0":     {Method: "aspect", Angles: [][]float32{a}},
		"zero angle":     {Method: "aspect", Angles: [][]float32{zero}, Strength: 1},
		"zero u":         {Method: "contrast", Angles: [][]float32{zero, a}, Strength: 1},
		"zero v":         {Method: "contrast", Angles: [][]float32{a, zero}, Strength: 1},
		"both zero":      {Method: "contrast", Angles: [][]float32{zero, zero}, Strength: 1},
		"u = v":          {Method: "contrast", Angles: [][]float32{a, a}, Strength: 1},
		"same direction": {Method: "contrast", Angles: [][]float32{same, {1, 2, -1}}, Strength: 1},
	} {
		q.Query, q.Root = r, r
		if plan := mustCompile(t, q); plan.Angle != nil || plan.AngleScore(a) != 0 {
			t.Errorf("%s: the angle is %v", name, plan.Angle)
		}
	}
	plan := mustCompile(t, Query{Root: r, Method: "contrast", Angles: [][]float32{a, same}, Strength: 1})
	if score := plan.AngleScore(zero); score != 0 {
		t.Errorf("a zero angle adds %g", score)
	}
}
