package perspective

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dotDirect is a method as the dot product has it: its formula, less what it gives every
// row alike.
func dotDirect(formula direct, q, r, p, c []float64, lambda float64) float64 {
	return formula(product, q, r, p, c, lambda) - formula(product, q, r, p, make([]float64, len(c)), lambda)
}

func TestDotAgainstDirectFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, dim := range []int{3, 64, 768} {
		for _, m := range Methods() {
			if m.Gated {
				continue
			}
			for _, lambda := range []float64{1, 0.5, 0, -1, 1.7, MaxLambda} {
				q, r, p, c := gaussian(rng, dim, 30), gaussian(rng, dim, 7), gaussian(rng, dim, 0.5), gaussian(rng, dim, 12)
				for i := range q { // the texts of a query are similar, not orthogonal
					q[i] += 0.5*r[i] + 0.4*p[i]
				}
				plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: lambda, Score: Dot})
				want := dotDirect(directs.of(t, m.Name), widen(q), widen(r), widen(p), widen(c), lambda)
				near(t, fmt.Sprintf("%s, d = %d, λ = %g", m.Name, dim, lambda), plan.Score(c), want, 1e-6*plan.A*norm(plan.Vector)*norm(c))
				if score := plan.Score(make([]float32, dim)); score != 0 {
					t.Errorf("%s: a zero row scores %g", m.Name, score)
				}
			}
		}
	}
}

// Lengths from 1e-17 to 1e17 count, and neither overflow nor vanish.
func TestDotOfExtremeNorms(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 2))
	sizes := []float64{1e-17, 1e-9, 1, 1e9, 1e17}
	for _, m := range Methods() {
		if m.Gated {
			continue
		}
		for range 200 {
			pick := func() []float32 { return gaussian(rng, 32, sizes[rng.IntN(len(sizes))]) }
			q, r, p, c := pick(), pick(), pick(), pick()
			plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: 0.5, Score: Dot})
			checkRange(t, m.Name, &plan)
			checkFinite(t, &plan)
			// In the formulas that change the rows, a long perspective would drown a short row.
			formula, lambda := directs.of(t, plainOf(m.Name)), 0.5
			switch m.Name {
			case "vec_dual_projection":
				lambda = 0.75 // 2λ − λ²
			case "vec_dual_projection_rev":
				lambda = -3
			}
			want := formula(product, widen(q), widen(r), widen(p), widen(c), lambda)
			near(t, m.Name, plan.Score(c), want, 1e-6*plan.A*norm(plan.Vector)*norm(c))
		}
	}
}

// plainOf is the method that ranks as another does under the dot product, and does not
// change the rows.
func plainOf(name string) string {
	if plain, ok := map[string]string{
		"add+": "vec_add", "vec_concat": "source_cosine", "vec_aug_concat": "query_cosine", "vec_cast": "vec_cast_single",
		"vec_aug_cast": "vec_aug_cast_single", "vec_dual_projection": "vec_projection", "vec_dual_projection_rev": "vec_projection",
	}[name]; ok {
		return plain
	}
	return name
}

// Under the dot product, changing the rows by the perspective adds the same number to
// each score, or is the same as changing the query. So PAP+ is PAP, concat is the root
// alone, add+ is add, and cast+ is cast. A sum of scores is the score of the sum of vectors.
func TestDotMakesMethodsEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	q, r, p, p2 := gaussian(rng, 64, 3), gaussian(rng, 64, 9), gaussian(rng, 64, 2), gaussian(rng, 64, 5)
	for _, pair := range []struct {
		a, b     string
		atA, atB float64 // λ
	}{
		{"pap+", "pap", 1, 1},
		{"pap+", "pap", 0.5, 0.75},
		{"pap+-rev", "pap", 0, -3},
		{"concat", "root", 0, 0},
		{"aug-concat", "none", 0, 0},
		{"add+", "add", 0, 0},
		{"root-cast+", "root-cast", 0, 0},
		{"cast+", "cast", 0, 0},
		{"dual-sum", "add", 0, 0},
		{"aug-dual-sum", "aug-add", 0, 0},
	} {
		for _, ps := range [][][]float32{{p}, {p, p2}} {
			at := func(method string, lambda float64, score Score) Plan {
				return mustCompile(t, Query{Query: q, Root: r, Perspectives: ps, Method: method, Lambda: lambda, Score: score})
			}
			if a, b := at(pair.a, pair.atA, Dot), at(pair.b, pair.atB, Dot); a.A != b.A || !slices.Equal(a.Vector, b.Vector) || a.X0 != 0 || len(a.P) > 0 || !a.Dot {
				t.Errorf("%s is not %s: %+v, %+v", pair.a, pair.b, a, b)
			}
			a, b, c := at(pair.a, pair.atA, Cosine), at(pair.b, pair.atB, Cosine), gaussian(rng, 64, 1)
			if a.Score(c) == b.Score(c) {
				t.Errorf("%s is %s under the cosine, too", pair.a, pair.b)
			}
		}
	}
}

// If all vectors have length 1, methods that change no vector score alike by cosine and by dot product.
func TestDotOfUnitVectorsIsCosine(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 4))
	unit := func() []float32 {
		v := gaussian(rng, 64, 1)
		return scaledBy(v, float32(1/norm(v)))
	}
	q, r, p, c := unit(), unit(), unit(), unit()
	for _, method := range []string{"none", "root", "dual-sum", "aug-dual-sum", "tri-sum", "contrast", "aspect"} {
		a := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: method, Score: Dot, Strength: .4})
		b := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: method, Strength: .4})
		near(t, method, a.Score(c), b.Score(c), 1e-6)
		if !slices.Equal(a.Angle, b.Angle) {
			t.Errorf("%s: angles are compared by their lengths", method)
		}
	}
}

// Dot products far below -100 are still above the rows that a gate excludes.
func TestDotGate(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 5))
	for _, score := range []float64{1, 1e3, 1e17} {
		r, p := gaussian(rng, 16, score), gaussian(rng, 16, score)
		rows := make([][]float32, 50)
		first := make([]float64, len(rows))
		for i := range rows {
			rows[i] = gaussian(rng, 16, score)
			for j := range rows[i] { // far from the root
				rows[i][j] -= 3 * r[j]
			}
			first[i] = product(widen(r), widen(rows[i]))
		}
		sorted := slices.Sorted(slices.Values(first))
		plan := mustCompile(t, Query{Root: r, Perspectives: [][]float32{p}, Method: "re-ranking", Score: Dot})
		for i, got := range plan.Scores(rows) {
			want := SunkDot
			if first[i] >= sorted[40] { // of 50, the 80th percentile is between 39 and 40
				want = first[i] + product(widen(p), widen(rows[i]))
			}
			near(t, fmt.Sprintf("row %d at %g", i, score), got, want, 1e-5*math.Abs(want)+1e-5*score*score)
		}
	}
}

func TestParseScore(t *testing.T) {
	for name, want := range map[string]Score{"": Cosine, "cosine": Cosine, "Dot": Dot, "MaxSim": MaxSim} {
		if got, err := ParseScore(name); got != want || err != nil {
			t.Errorf("ParseScore(%q) = %q, %v", name, got, err)
		}
	}
	if len(Scores()) != 2 {
		t.Error(Scores())
	}
	for _, name := range []string{"manhattan", "euclidean", " dot"} {
		if _, err := ParseScore(name); kind(err) != "score" {
			t.Errorf("ParseScore(%q): %v", name, err)
		}
	}
}
