package perspective

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// gaussian is a random vector whose norm is about size.
func gaussian(rng *rand.Rand, dim int, size float64) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64() * size / math.Sqrt(float64(dim)))
	}
	return v
}

// mustCompile compiles a query, with angles if its method needs them.
func mustCompile(t testing.TB, q Query) Plan {
	t.Helper()
	if m, _ := Lookup(q.Method); q.Angles == nil {
		q.Angles = [][]float32{{1, 2, 3, 4}, {2, 0, -1, 0}}[:m.Angles]
	}
	plan, err := Compile(q)
	if err != nil {
		t.Fatalf("%s: %v", q.Method, err)
	}
	return plan
}

// scoreF32 evaluates a plan as a scan does: dot products in eight lanes of float32, and
// the formula in float64.
func scoreF32(p *Plan, c []float32) float64 {
	dot := func(a []float32) float64 {
		var lanes [8]float32
		for i := range a {
			lanes[i%8] += float32(a[i] * c[i])
		}
		var s [4]float32
		for j := range s {
			s[j] = lanes[j] + lanes[j+4]
		}
		return float64((s[0] + s[1]) + (s[2] + s[3]))
	}
	n2, x, y, y2 := dot(c), dot(p.Vector), 0.0, 0.0
	for _, u := range p.P {
		y = dot(u)
		y2 += y * y
	}
	return p.A * (x + p.X0) / math.Sqrt(n2+p.D1*y+p.D2*y2+p.D0)
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if approx.Apart(got, want, tolerance) {
		t.Errorf("%s = %.9g, want %.9g (off by %.2g, at most %.0g)", what, got, want, got-want, tolerance)
	}
}

func TestMethodsAgainstDirectFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range Methods() {
		if m.Gated {
			gateDirects.of(t, m.Name)
		} else {
			directs.of(t, m.Name)
		}
	}
	if want := len(directs) + len(gateDirects); len(Methods()) != want {
		t.Fatalf("%d methods, the direct formulas have %d", len(Methods()), want)
	}
	for _, dim := range []int{3, 64, 384, 1024} {
		for _, m := range Methods() {
			if m.Gated {
				continue
			}
			formula := directs.of(t, m.Name)
			lambdas := []float64{1}
			if m.Lambda {
				lambdas = []float64{1, 0.5, 0, -0.3, -1, 1.7, 2, -MaxLambda, MaxLambda}
			}
			for _, lambda := range lambdas {
				for range 20 {
					q, r, p := gaussian(rng, dim, 3), gaussian(rng, dim, 0.7), gaussian(rng, dim, 5)
					for i := range q { // the texts of a query are similar, not orthogonal
						q[i] += 0.5*r[i] + 0.4*p[i]
					}
					c := gaussian(rng, dim, 2)
					for i := range c {
						c[i] += 0.3 * q[i]
					}
					plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: lambda})
					want := formula(cos, widen(q), widen(r), widen(p), widen(c), lambda)
					near(t, fmt.Sprintf("%s, d = %d, λ = %g", m.Name, dim, lambda), plan.Score(c), want, 1e-6)
					near(t, fmt.Sprintf("%s in float32, d = %d, λ = %g", m.Name, dim, lambda), scoreF32(&plan, c), want, 1e-6)
				}
			}
		}
	}
}

func TestGatedMethodsAgainstDirectFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, gate := range gateDirects {
		for _, n := range []int{1, 2, 6, 11, 500} {
			q, r, p := gaussian(rng, 64, 1), gaussian(rng, 64, 2), gaussian(rng, 64, 3)
			rows := make([][]float32, n)
			first := make([]float64, n)
			for i := range rows {
				rows[i] = gaussian(rng, 64, 1)
				first[i] = gate(cos, widen(q), widen(r), widen(p), widen(rows[i]), 1)
			}
			sorted := slices.Sorted(slices.Values(first))
			kept := 0
			plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: name})
			for i, score := range plan.Scores(rows) {
				want := -100.0
				// In a list of distinct numbers, the numbers at or above the
				// interpolated quantile begin with its upper neighbour.
				if upper := int(math.Ceil(0.8 * float64(n-1))); first[i] >= sorted[upper] {
					want = first[i] + cos(widen(p), widen(rows[i]))
					kept++
				}
				near(t, fmt.Sprintf("%s of %d, row %d", name, n, i), score, want, 1e-6)
			}
			if kept == 0 || kept > n/5+1 {
				t.Errorf("%s keeps %d of %d rows", name, kept, n)
			}
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, m := range Methods() {
		if m.Summary == "" || m.Formula == "" {
			t.Errorf("%s has no summary or no formula", m.Name)
		}
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			for _, spelling := range []string{name, strings.ToUpper(name), strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "_", "-")} {
				found, err := Lookup(spelling)
				if err != nil || found.Name != m.Name {
					t.Errorf("Lookup(%q) = %q, %v; want %q", spelling, found.Name, err, m.Name)
				}
			}
			key := lookupKey(name)
			if other, dup := seen[key]; dup {
				t.Errorf("%q names both %s and %s", name, other, m.Name)
			}
			seen[key] = m.Name
		}
	}
	for _, name := range strings.Fields("none cosine root add concat add+ cast cast+ dual-sum tri-sum pap pap+ pap-rev vec_dual_concat re-ranking re-ranking_aug") {
		if _, err := Lookup(name); err != nil {
			t.Error(err)
		}
	}
}

func TestMethodsIsACopy(t *testing.T) {
	methods := Methods()
	methods[0].Name, methods[0].Aliases[0] = "changed", "changed"
	if _, err := Lookup("changed"); err == nil {
		t.Error("a caller can rename a method")
	}
}

func TestOnlyNeededVectorsAreNeeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	q, r, p, c := gaussian(rng, 8, 1), gaussian(rng, 8, 1), gaussian(rng, 8, 1), gaussian(rng, 8, 1)
	for _, m := range Methods() {
		full := mustCompile(t, Query{Query: q, Root: r, Perspectives: [][]float32{p}, Method: m.Name, Lambda: 1})
		var bare Query
		bare.Method, bare.Lambda = m.Name, 1
		if m.NeedsQuery {
			bare.Query = q
		}
		if m.NeedsRoot {
			bare.Root = r
		}
		if m.NeedsPerspective {
			bare.Perspectives = [][]float32{p}
		}
		plan := mustCompile(t, bare)
		if plan.Score(c) != full.Score(c) {
			t.Errorf("%s depends on a vector that it says it does not need", m.Name)
		}
		if m.Gated != (plan.Gate != nil) {
			t.Errorf("%s: Gated is %t", m.Name, m.Gated)
		}
	}
}

func TestPlanSharesNoMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	c := gaussian(rng, 8, 1)
	for _, m := range Methods() {
		query := Query{Query: gaussian(rng, 8, 1), Root: gaussian(rng, 8, 1), Perspectives: [][]float32{gaussian(rng, 8, 1)}, Method: m.Name, Lambda: 1}
		plan := mustCompile(t, query)
		before := plan.Score(c)
		for _, v := range [][]float32{query.Query, query.Root, query.Perspectives[0]} {
			clear(v)
		}
		if plan.Score(c) != before {
			t.Errorf("%s: the plan changes with the caller's vectors", m.Name)
		}
	}
}

func TestDifference(t *testing.T) {
	p, err := Difference([]float32{3, 1}, []float32{1, 5})
	if err != nil || !slices.Equal(p, []float32{2, -4}) {
		t.Errorf("Difference = %v, %v", p, err)
	}
	inf := float32(math.Inf(1))
	for _, c := range [][2][]float32{{{1}, {1, 2}}, {{inf}, {0}}, {{0}, {inf}}, {{math.MaxFloat32}, {-math.MaxFloat32}}} {
		if p, err := Difference(c[0], c[1]); err == nil {
			t.Errorf("Difference(%v) = %v", c, p)
		}
	}
}
