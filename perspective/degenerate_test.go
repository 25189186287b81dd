package perspective

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestZeroPerspectiveDropsOut(t *testing.T) {
	q, r, c := []float32{1, 2, 3}, []float32{3, -1, 2}, []float32{-1, 4, 2}
	zero := make([]float32, 3)
	cq, cr := cos(widen(q), widen(c)), cos(widen(r), widen(c))
	want := map[string]float64{
		"query_cosine": cq, "source_cosine": cr, "vec_add": cr, "add+": cr, "vec_concat": cr, "vec_aug_add": cq, "vec_aug_concat": cq,
		"vec_cast_single": cr, "vec_cast": cr, "vec_aug_cast_single": cq, "vec_aug_cast": cq, "additive": cr, "additive_aug": cq,
		"additive_tripple": cr + cq, "vec_projection": cq, "vec_dual_projection": cq, "vec_projection_rev": cq, "vec_dual_projection_rev": cq,
		"re-ranking": cr, "re-ranking_aug": cq, "contrast": cr, "aspect": cq,
	}
	for _, m := range Methods() {
		if _, ok := want[m.Name]; !ok {
			t.Errorf("the list above does not say what %s gives without a perspective", m.Name)
			continue
		}
		for _, ps := range [][][]float32{{zero}, {zero, zero}} {
			plan := mustCompile(t, Query{Query: q, Root: r, Perspectives: ps, Method: m.Name, Lambda: 1})
			near(t, m.Name, plan.Scores([][]float32{c})[0], want[m.Name], 1e-7)
		}
	}
}

func TestZeroRowScoresZero(t *testing.T) {
	for _, m := range Methods() {
		plan := mustCompile(t, Query{Query: []float32{1, 2, 3}, Root: []float32{3, -1, 2}, Perspectives: [][]float32{{1, 1, 0}}, Method: m.Name, Lambda: 1})
		if score := plan.Score(make([]float32, 3)); score != 0 {
			t.Errorf("%s: a zero row scores %g", m.Name, score)
		}
	}
}

func TestRowInThePerspectiveScoresZero(t *testing.T) {
	for _, ps := range [][][]float32{{{1, 1, 0}}, {{1, 1, 0}, {1, 0, 0}}} {
		plan := mustCompile(t, Query{Query: []float32{1, 2, 3}, Perspectives: ps, Method: "pap+", Lambda: 1})
		if score := plan.Score([]float32{-5, -5, 0}); score != 0 {
			t.Errorf("a row that is all perspective scores %g", score)
		}
	}
	plan := mustCompile(t, Query{Query: []float32{1, 2, 3}, Perspectives: [][]float32{{1, 1, 0}}, Method: "cast+"})
	if score := plan.Score([]float32{1, 1, 0}); score != 0 {
		t.Errorf("cast+: the perspective itself as a row scores %g", score)
	}
}

// kind is the name of an error's type, "" for nil.
func kind(err error) string {
	var (
		degenerate *DegenerateError
		unknown    *UnknownMethodError
		missing    *MissingError
		dimension  *DimensionError
		nonFinite  *NonFiniteError
		lambda     *LambdaError
		tooMany    *TooManyError
		strength   *StrengthError
		angles     *AnglesError
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &degenerate):
		return "degenerate"
	case errors.As(err, &unknown):
		return "unknown"
	case errors.As(err, &missing):
		return "missing " + missing.What
	case errors.As(err, &dimension):
		return "dimension"
	case errors.As(err, &nonFinite):
		return "non-finite"
	case errors.As(err, &lambda):
		return "lambda"
	case errors.As(err, &tooMany):
		return "too many"
	case errors.As(err, &strength):
		return "strength"
	case errors.As(err, &angles):
		return "angles"
	case errors.Is(err, ErrNorm):
		return "norm"
	case errors.Is(err, fault.Query) && strings.HasPrefix(err.Error(), "score "):
		return "score"
	}
	return "untyped"
}

func TestErrors(t *testing.T) {
	var (
		q, r, p   = []float32{1, 2, 3}, []float32{3, -1, 2}, [][]float32{{1, 1, 0}}
		zero      = []float32{0, 0, 0}
		nan, inf  = float32(math.NaN()), float32(math.Inf(-1))
		notNumber = math.NaN()
	)
	for _, c := range []struct {
		what  string
		query Query
		want  string
	}{
		{"no method", Query{Query: q}, "unknown"},
		{"unknown method", Query{Query: q, Method: "papp"}, "unknown"},
		{"pap+ out of a URL", Query{Query: q, Perspectives: p, Method: "pap "}, "unknown"},
		{"long method", Query{Query: q, Method: strings.Repeat("x", 1<<20)}, "unknown"},
		{"no query", Query{Root: r, Method: "none"}, "missing query"},
		{"no root", Query{Query: q, Perspectives: p, Method: "add"}, "missing root"},
		{"no perspective", Query{Query: q, Method: "pap+", Lambda: 1}, "missing perspective"},
		{"no perspective, λ = 0", Query{Query: q, Method: "pap+"}, "missing perspective"},
		{"nothing", Query{Method: "pap+"}, "missing query"},

		{"zero query", Query{Query: zero, Method: "none"}, "degenerate"},
		{"zero query, pap", Query{Query: zero, Perspectives: p, Method: "pap", Lambda: 1}, "degenerate"},
		{"zero query that is not used", Query{Query: zero, Root: r, Method: "root"}, ""},
		{"zero root", Query{Query: q, Root: zero, Method: "root"}, "degenerate"},
		{"zero root, add", Query{Query: q, Root: zero, Perspectives: p, Method: "add"}, "degenerate"},
		{"zero root that is not used", Query{Query: q, Root: zero, Method: "none"}, ""},
		{"zero root, tri-sum", Query{Query: q, Root: zero, Perspectives: p, Method: "tri-sum"}, "degenerate"},

		{"q parallel to p", Query{Query: []float32{.3, .3, 0}, Perspectives: p, Method: "pap", Lambda: 1}, "degenerate"},
		{"q opposite to p", Query{Query: []float32{-7, -7, 0}, Perspectives: p, Method: "pap+", Lambda: 1}, "degenerate"},
		{"q parallel to p up to rounding", Query{Query: []float32{.1 * 1.1, .2 * 1.1, .7 * 1.1}, Perspectives: [][]float32{{.1, .2, .7}}, Method: "pap+", Lambda: 1}, "degenerate"},
		{"q parallel to p, λ = 0.5", Query{Query: []float32{1, 1, 0}, Perspectives: p, Method: "pap+", Lambda: 0.5}, ""},
		{"q parallel to p, λ = 1 - 1e-9", Query{Query: []float32{1, 1, 0}, Perspectives: p, Method: "pap+", Lambda: 1 - 1e-9}, "degenerate"},
		{"q parallel to p, reverse", Query{Query: []float32{1, 1, 0}, Perspectives: p, Method: "pap+-rev", Lambda: 1}, ""},
		{"q in the span", Query{Query: q, Perspectives: [][]float32{{1, 2, 0}, {0, 0, 1}}, Method: "pap+", Lambda: 1}, "degenerate"},
		{"the span is everything", Query{Query: q, Perspectives: [][]float32{{1, 2, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 1}}, Method: "pap", Lambda: 1}, "degenerate"},
		{"q - p vanishes", Query{Query: q, Perspectives: [][]float32{q}, Method: "cast"}, "degenerate"},
		{"q - p vanishes, cast+", Query{Query: q, Perspectives: [][]float32{q}, Method: "cast+"}, "degenerate"},
		{"r + p vanishes", Query{Root: r, Perspectives: [][]float32{{-3, 1, -2}}, Method: "add"}, "degenerate"},
		{"r + p vanishes, add+", Query{Root: r, Perspectives: [][]float32{{-3, 1, -2}}, Method: "add+"}, "degenerate"},
		{"directions cancel", Query{Root: r, Perspectives: [][]float32{{-6, 2, -4}}, Method: "dual-sum"}, "degenerate"},
		{"p and -p", Query{Root: r, Perspectives: [][]float32{{1, 2, 3}, {-1, -2, -3}}, Method: "add"}, "degenerate"},
		{"p and -p span a line", Query{Query: r, Perspectives: [][]float32{{1, 2, 3}, {-1, -2, -3}}, Method: "pap+", Lambda: 1}, ""},

		{"NaN in the query", Query{Query: []float32{1, nan, 0}, Method: "none"}, "non-finite"},
		{"Inf in a root that is not used", Query{Query: q, Root: []float32{1, inf, 0}, Method: "none"}, "non-finite"},
		{"Inf in a perspective", Query{Query: q, Perspectives: [][]float32{{1, 0, 0}, {1, inf, 0}}, Method: "pap", Lambda: 1}, "non-finite"},
		{"λ is NaN", Query{Query: q, Perspectives: p, Method: "pap", Lambda: notNumber}, "non-finite"},
		{"λ is NaN and not used", Query{Query: q, Method: "none", Lambda: notNumber}, "non-finite"},
		{"λ is infinite", Query{Query: q, Perspectives: p, Method: "pap", Lambda: math.Inf(1)}, "non-finite"},
		{"λ too large", Query{Query: q, Perspectives: p, Method: "pap", Lambda: 10.5}, "lambda"},
		{"λ too small", Query{Query: q, Perspectives: p, Method: "pap+", Lambda: -11}, "lambda"},
		{"λ large where it is not used", Query{Query: q, Method: "none", Lambda: 11}, ""},

		{"the score of token vectors", Query{Query: q, Method: "none", Score: "maxsim"}, "score"},
		{"a long name of a score", Query{Query: q, Method: "none", Score: Score(strings.Repeat("x", 1<<20))}, "score"},
		{"zero query, dot product", Query{Query: zero, Method: "none", Score: Dot}, "degenerate"},
		{"r + p vanishes, dot product", Query{Root: r, Perspectives: [][]float32{{-3, 1, -2}}, Method: "dual-sum", Score: Dot}, "degenerate"},
		{"directions cancel, dot product", Query{Root: r, Perspectives: [][]float32{{-6, 2, -4}}, Method: "dual-sum", Score: Dot}, ""},
		{"q in the span, dot product", Query{Query: q, Perspectives: [][]float32{{1, 2, 0}, {0, 0, 1}}, Method: "pap+", Lambda: 1, Score: Dot}, "degenerate"},
		{"the largest numbers, dot product", Query{Root: []float32{math.MaxFloat32, 0, 1}, Method: "root", Score: Dot}, "norm"},
		{"a gate of the largest numbers", Query{Root: []float32{math.MaxFloat32, 0, 1}, Perspectives: p, Method: "rerank", Score: Dot}, "norm"},
		{"the smallest numbers, dot product", Query{Root: []float32{math.SmallestNonzeroFloat32, 0, 0}, Perspectives: p, Method: "rerank", Score: Dot}, ""},

		{"root of another dimension", Query{Query: q, Root: []float32{1, 2}, Method: "none"}, "dimension"},
		{"perspective of another dimension", Query{Query: q, Perspectives: [][]float32{{1, 2}}, Method: "pap", Lambda: 1}, "dimension"},
		{"empty perspective", Query{Query: q, Perspectives: [][]float32{nil}, Method: "pap", Lambda: 1}, "dimension"},
		{"too many", Query{Query: q, Perspectives: make([][]float32, MaxPerspectives+1), Method: "pap", Lambda: 1}, "too many"},

		{"no angles", Query{Root: r, Method: "contrast", Strength: 1}, "angles"},
		{"no opposite", Query{Root: r, Method: "contrast", Angles: [][]float32{{1, 2}}}, "angles"},
		{"two angles for one", Query{Query: q, Method: "aspect", Angles: [][]float32{{1, 2}, {2, 1}}}, ""},
		{"three angles", Query{Query: q, Method: "aspect", Angles: [][]float32{{1, 2}, {2, 1}, {1, 1}}}, "angles"},
		{"angles of two dimensions", Query{Root: r, Method: "contrast", Angles: [][]float32{{1, 2}, {1}}}, "dimension"},
		{"an empty angle", Query{Query: q, Method: "aspect", Angles: [][]float32{{}}}, "dimension"},
		{"NaN in an angle", Query{Query: q, Method: "aspect", Angles: [][]float32{{nan}}}, "non-finite"},
		{"NaN in an angle that is not used", Query{Query: q, Method: "none", Angles: [][]float32{{nan}}}, "non-finite"},
		{"strength is NaN", Query{Query: q, Method: "none", Strength: notNumber}, "non-finite"},
		{"strength too large", Query{Query: q, Method: "aspect", Angles: [][]float32{{1}}, Strength: 10.5}, "strength"},
		{"strength large where it is not used", Query{Query: q, Method: "none", Strength: -11}, ""},
		{"the smallest angle and the largest", Query{Root: r, Method: "contrast", Angles: [][]float32{{math.SmallestNonzeroFloat32}, {math.MaxFloat32}}, Strength: -10}, ""},

		{"the largest numbers", Query{Root: []float32{math.MaxFloat32, 0, 1}, Perspectives: [][]float32{{math.MaxFloat32, 0, 0}}, Method: "add+"}, ""},
		{"the smallest numbers", Query{Root: []float32{math.SmallestNonzeroFloat32, 0, 0}, Perspectives: [][]float32{{0, math.SmallestNonzeroFloat32, 0}}, Method: "concat"}, ""},
		{"a mean that rounds away", Query{Root: r, Perspectives: [][]float32{{math.SmallestNonzeroFloat32, 0, 0}, {0, math.SmallestNonzeroFloat32, 0}}, Method: "add"}, ""},
	} {
		plan, err := Compile(c.query)
		if got := kind(err); got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.what, got, err, c.want)
		}
		if err == nil {
			checkFinite(t, &plan)
		} else if len(err.Error()) > 600 {
			t.Errorf("%s: the message is %d bytes long", c.what, len(err.Error()))
		}
	}
}

func checkFinite(t testing.TB, plan *Plan) {
	t.Helper()
	for name, x := range map[string]float64{"A": plan.A, "X0": plan.X0, "D0": plan.D0, "D1": plan.D1, "D2": plan.D2} {
		if !finite(x) {
			t.Errorf("%s = %g", name, x)
		}
	}
	for _, v := range append([][]float32{plan.Vector, plan.Angle}, plan.P...) {
		if i := firstNonFinite(v); i >= 0 {
			t.Errorf("a vector has %g at %d", v[i], i)
		}
	}
	if plan.Gate != nil {
		checkFinite(t, &plan.Gate.Plan)
	}
}
