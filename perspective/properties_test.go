package perspective

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var projections = []string{"pap", "pap+"}

func TestLambdaZeroIsPlainCosine(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	q, p, p2, c := gaussian(rng, 64, 3), gaussian(rng, 64, 1), gaussian(rng, 64, 1), gaussian(rng, 64, 1)
	plain := mustCompile(t, Query{Query: q, Method: "none"})
	for _, method := range projections {
		for _, ps := range [][][]float32{{p}, {p, p2}} {
			plan := mustCompile(t, Query{Query: q, Perspectives: ps, Method: method, Lambda: 0})
			if plan.Score(c) != plain.Score(c) {
				t.Errorf("%s with λ = 0 is not the plain cosine", method)
			}
		}
	}
}

func TestLambdaMinusOneIsReverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	q, p, c := gaussian(rng, 64, 3), gaussian(rng, 64, 1), gaussian(rng, 64, 1)
	for _, names := range [][2]string{{"pap", "pap-rev"}, {"pap+", "pap+-rev"}} {
		a := mustCompile(t, Query{Query: q, Perspectives: [][]float32{p}, Method: names[0], Lambda: -1})
		for _, ignored := range []float64{-1, 0, 1} {
			b := mustCompile(t, Query{Query: q, Perspectives: [][]float32{p}, Method: names[1], Lambda: ignored})
			if a.Score(c) != b.Score(c) {
				t.Errorf("%s with λ = -1 is not %s", names[0], names[1])
			}
		}
	}
}

func TestLambdaOneIsOrthogonal(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	for _, dim := range []int{3, 64, 1024} {
		q := gaussian(rng, dim, 3)
		ps := [][]float32{gaussian(rng, dim, 1), gaussian(rng, dim, 20)}
		for i := range q {
			q[i] += ps[0][i] - 2*ps[1][i]
		}
		for _, method := range projections {
			for m := 1; m <= 2; m++ {
				plan := mustCompile(t, Query{Query: q, Perspectives: ps[:m], Method: method, Lambda: 1})
				for _, p := range ps[:m] {
					near(t, fmt.Sprintf("%s: cosine of the projection and the perspective, d = %d, m = %d", method, dim, m), cos(widen(plan.Vector), widen(p)), 0, 1e-7)
				}
			}
		}
	}
}

// scaled is v times a power of two, which is exact.
func scaled(v []float32, exponent int) []float32 {
	s := make([]float32, len(v))
	for i := range v {
		s[i] = float32(math.Ldexp(float64(v[i]), exponent))
	}
	return s
}

// TestScaleInvariance checks that the lengths of vectors, from 1e-18 to 1e18, do not
// matter if a formula consists of cosines.
func TestScaleInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	q, r, p, c := gaussian(rng, 64, 1), gaussian(rng, 64, 1), gaussian(rng, 64, 1), gaussian(rng, 64, 1)
	for _, m := range Methods() {
		base := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: 0.8})
		for _, e := range []int{-60, -33, -1, 0, 5, 33, 60} { // 2^60 is about 1e18
			// Scaling all vectors together changes no score, because every formula is
			// homogeneous.
			plan := mustCompile(t, Query{Query: scaled(q, e), Root: scaled(r, e), Perspectives: [][]float32{scaled(p, e)}, Method: m.Name, Lambda: 0.8})
			near(t, fmt.Sprintf("%s, all by 2^%d", m.Name, e), plan.Score(scaled(c, e)), base.Score(c), 1e-7)
			if !m.Subspace && m.Name != "additive" && m.Name != "additive_aug" && m.Name != "additive_tripple" {
				continue
			}
			plan = mustCompile(t, Query{Query: scaled(q, e), Root: scaled(r, -e), Perspectives: [][]float32{scaled(p, -e)}, Method: m.Name, Lambda: 0.8})
			for _, ce := range []int{-60, 0, 60} {
				near(t, fmt.Sprintf("%s, q by 2^%d, c by 2^%d", m.Name, e, ce), plan.Score(scaled(c, ce)), base.Score(c), 1e-7)
			}
		}
	}
}

// TestExtremeNormsAgainstDirectFormulas mixes vectors of very different lengths.
func TestExtremeNormsAgainstDirectFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	sizes := []float64{1e-18, 1e-9, 1, 1e9, 1e18}
	for _, m := range Methods() {
		if m.Gated {
			continue
		}
		for range 200 {
			pick := func() []float32 { return gaussian(rng, 32, sizes[rng.IntN(len(sizes))]) }
			q, r, p, c := pick(), pick(), pick(), pick()
			plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: 0.5})
			checkRange(t, m.Name, &plan)
			want := directs.of(t, m.Name)(cos, widen(q), widen(r), widen(p), widen(c), 0.5)
			near(t, m.Name, plan.Score(c), want, 1e-6)
		}
	}
}

// checkRange checks that the plan's vectors are in the documented range, so that
// products with rows of norms from 1e-18 to 1e18 fit into float32.
func checkRange(t testing.TB, method string, plan *Plan) {
	t.Helper()
	for _, v := range append([][]float32{plan.Vector}, plan.P...) {
		if n := norm(v); n < 1.0/(1<<32)*0.999 || n > 1<<32*1.001 {
			t.Errorf("%s: a vector of the plan has the norm %g", method, n)
		}
	}
}

func TestSubspaceOfOneIsTheSingleMethod(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 6))
	q, p, c := gaussian(rng, 64, 3), gaussian(rng, 64, 2), gaussian(rng, 64, 1)
	for _, method := range append(projections, "pap-rev", "pap+-rev") {
		single := mustCompile(t, Query{Query: q, Perspectives: [][]float32{p}, Method: method, Lambda: 0.7})
		for name, ps := range map[string][][]float32{
			"twice the same": {p, p}, "and its multiple": {p, scaled(p, 3)}, "and its opposite": {p, scaledBy(p, -1.7)},
			"and zero": {make([]float32, 64), p}, "after rounding": {p, scaledBy(p, 1.1), scaledBy(p, 0.3)},
		} {
			plan := mustCompile(t, Query{Query: q, Perspectives: ps, Method: method, Lambda: 0.7})
			if len(plan.P) != len(single.P) || plan.Score(c) != single.Score(c) {
				t.Errorf("%s, the perspective %s: %v, alone %v", method, name, plan.Score(c), single.Score(c))
			}
		}
	}
}

func scaledBy(v []float32, w float32) []float32 {
	s := make([]float32, len(v))
	for i := range v {
		s[i] = v[i] * w
	}
	return s
}

// TestSubspaceAgainstSequentialProjection checks that projecting off the span of
// perspectives, in several orders, equals projecting off orthogonal vectors with the same
// span, one after the other.
func TestSubspaceAgainstSequentialProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	for _, dim := range []int{8, 384} {
		q, c := gaussian(rng, dim, 3), gaussian(rng, dim, 1)
		ps := [][]float32{gaussian(rng, dim, 1), gaussian(rng, dim, 10), gaussian(rng, dim, 0.1)}
		orthogonal := make([][]float64, 0, len(ps))
		for _, p := range ps {
			v := widen(p)
			for range 2 {
				for _, u := range orthogonal {
					v = off(v, u, 1)
				}
			}
			orthogonal = append(orthogonal, v)
		}
		for _, lambda := range []float64{1, 0.4, -1} {
			ql, cl := widen(q), widen(c)
			for _, u := range orthogonal {
				ql, cl = off(ql, u, lambda), off(cl, u, lambda)
			}
			for method, want := range map[string]float64{"pap": cos(ql, widen(c)), "pap+": cos(ql, cl)} {
				for _, order := range [][3]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}} {
					plan := mustCompile(t, Query{Query: q, Perspectives: [][]float32{ps[order[0]], ps[order[1]], ps[order[2]]}, Method: method, Lambda: lambda})
					near(t, fmt.Sprintf("%s, d = %d, λ = %g, order %v", method, dim, lambda, order), plan.Score(c), want, 1e-6)
				}
			}
		}
	}
}

func TestOrthonormalBasis(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 8))
	base := gaussian(rng, 64, 1)
	var ps [][]float64
	for i := range 40 { // the vectors are nearly parallel, and every fifth one is dependent
		v := widen(base)
		for j := range v {
			v[j] += 1e-4 * rng.NormFloat64()
		}
		if i%5 == 4 {
			v = plus(ps[i-1], 2, ps[i-2])
		}
		ps = append(ps, v)
	}
	s := orthonormalize(ps)
	if len(s.basis) != 32 {
		t.Errorf("the basis has %d vectors, want 32", len(s.basis))
	}
	for i, u := range s.basis {
		for j, v := range s.basis[:i+1] {
			want := 0.0
			if i == j {
				want = 1
			}
			near(t, fmt.Sprintf("u%d·u%d", i, j), dot(u, v), want, 1e-13)
		}
	}
}

func TestSeveralPerspectivesElsewhereAreTheirMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 9))
	q, r, c := gaussian(rng, 64, 1), gaussian(rng, 64, 1), gaussian(rng, 64, 1)
	p1, p2 := gaussian(rng, 64, 1), gaussian(rng, 64, 1)
	mean := make([]float32, 64)
	for i := range mean {
		mean[i] = float32((float64(p1[i]) + float64(p2[i])) / 2)
	}
	for _, m := range Methods() {
		if m.Subspace || !m.NeedsPerspective {
			continue
		}
		several := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p1, make([]float32, 64), p2}, Method: m.Name})
		one := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{mean}, Method: m.Name})
		near(t, m.Name, several.Score(c), one.Score(c), 1e-7)
	}
}
