package perspective

import (
	"math"
	"testing"
)

// This file has the methods as the paper, its notebook and this project define them, in float64 and
// without plans. Tests compare plans with them. Vectors are q, r, p and c; only the
// projections use λ. like is how two vectors are compared: cos or product.

type likeness func(a, b []float64) float64

type direct func(like likeness, q, r, p, c []float64, lambda float64) float64

// formulas are direct formulas by the names of their methods.
type formulas map[string]direct

// of returns the formula of a method.
func (f formulas) of(t testing.TB, method string) direct {
	t.Helper()
	if f[method] == nil {
		t.Fatalf("direct_test.go has no formula of %s: write it there without plans", method)
	}
	return f[method]
}

func cos(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

// product is the dot product.
func product(a, b []float64) (ab float64) {
	for i := range a {
		ab += a[i] * b[i]
	}
	return ab
}

func plus(a []float64, w float64, b []float64) []float64 {
	s := make([]float64, len(a))
	for i := range a {
		s[i] = a[i] + w*b[i]
	}
	return s
}

func join(a, b []float64) []float64 { return append(append([]float64(nil), a...), b...) }

// off is v − λ (v·p / p·p) p.
func off(v, p []float64, lambda float64) []float64 {
	var vp, pp float64
	for i := range v {
		vp += v[i] * p[i]
		pp += p[i] * p[i]
	}
	return plus(v, -lambda*vp/pp, p)
}

// directs has every method except the two re-ranking methods, which need the whole
// corpus. Of the methods with angles, it has the part without them.
var directs = formulas{
	"query_cosine":  func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(q, c) },
	"source_cosine": func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(r, c) },
	"vec_add":       func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(plus(r, 1, p), c) },
	"add+": func(like likeness, q, r, p, c []float64, _ float64) float64 {
		return like(plus(r, 1, p), plus(c, 1, p))
	},
	"vec_concat":      func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(join(r, p), join(c, p)) },
	"vec_aug_add":     func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(plus(q, 1, p), c) },
	"vec_aug_concat":  func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(join(q, p), join(c, p)) },
	"vec_cast_single": func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(plus(r, -1, p), c) },
	"vec_cast": func(like likeness, q, r, p, c []float64, _ float64) float64 {
		return like(plus(r, -1, p), plus(c, -1, p))
	},
	"vec_aug_cast_single": func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(plus(q, -1, p), c) },
	"vec_aug_cast": func(like likeness, q, r, p, c []float64, _ float64) float64 {
		return like(plus(q, -1, p), plus(c, -1, p))
	},
	"additive":     func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(r, c) + like(p, c) },
	"additive_aug": func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(q, c) + like(p, c) },
	"additive_tripple": func(like likeness, q, r, p, c []float64, _ float64) float64 {
		return like(r, c) + like(q, c) + like(p, c)
	},
	"vec_projection":      func(like likeness, q, r, p, c []float64, l float64) float64 { return like(off(q, p, l), c) },
	"vec_dual_projection": func(like likeness, q, r, p, c []float64, l float64) float64 { return like(off(q, p, l), off(c, p, l)) },
	"vec_projection_rev":  func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(off(q, p, -1), c) },
	"vec_dual_projection_rev": func(like likeness, q, r, p, c []float64, _ float64) float64 {
		return like(off(q, p, -1), off(c, p, -1))
	},
	"contrast": func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(r, c) },
	"aspect":   func(like likeness, q, r, p, c []float64, _ float64) float64 { return like(q, c) },
}

// angleDirects are the other parts of the methods with angles; w are the query's angles
// and a is the entry's.
var angleDirects = map[string]func(w [][]float64, a []float64, strength float64) float64{
	"contrast": func(w [][]float64, a []float64, beta float64) float64 {
		return min(beta*(cos(w[0], a)-cos(w[1], a)), math.Abs(beta)*0.3)
	},
	"aspect": func(w [][]float64, a []float64, gamma float64) float64 {
		if len(w) == 2 {
			return gamma * (cos(w[0], a) - cos(w[1], a))
		}
		return gamma * cos(w[0], a)
	},
}

// gateDirects are the gates of the re-ranking methods; the second stage adds cos(p, c).
var gateDirects = formulas{
	"re-ranking":     directs["source_cosine"],
	"re-ranking_aug": directs["query_cosine"],
}
