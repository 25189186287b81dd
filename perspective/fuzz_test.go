package perspective

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// FuzzCompile checks that any vectors and λ give a typed error or a plan of finite
// numbers. The plan's scores of finite rows must be finite, and no larger than a sum of
// three cosines plus rounding near the floor or, as dot products, than their lengths allow.
func FuzzCompile(f *testing.F) {
	seed := func(method byte, lambda float64, values ...float32) {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		f.Add(method, byte(3), byte(1), lambda, b)
		f.Add(method, byte(2), byte(2), lambda, b)
		f.Add(method, byte(1), byte(16), lambda, b)
		f.Add(method, byte(1), byte(33), lambda, b)
	}
	for i := range table {
		at := 128/len(table)*len(table) + len(table) + i
		seed(byte(at), 1, 1, 2, 3, 3, -1, 2, 1, 1, 0, -1, 4, 2, 5, 6, 7)
		seed(byte(at), -0.5, 1e18, 2e18, 0, 1e-18, 0, 0, 1e-18, 1e18, 0, 1e18, 1e-18, 1)
		seed(byte(i), 1, 1, 2, 3, 3, -1, 2, 1, 1, 0, -1, 4, 2, 5, 6, 7)
		seed(byte(i), -0.5, 1e18, 2e18, 0, 1e-18, 0, 0, 1e-18, 1e18, 0, 1e18, 1e-18, 1)
		seed(byte(i), 1, 1, 2, 3, 1, 2, 3, -1, -2, -3, 1, 2, 3)
		seed(byte(i), 1, math.MaxFloat32, 1e-45, 0, math.MaxFloat32, 0, 0, 0, 1e-45, 0, 1, 1, 1)
	}
	f.Fuzz(func(t *testing.T, method, dim, m byte, lambda float64, data []byte) {
		d := int(dim)%8 + 1
		next := func() []float32 {
			v := make([]float32, d)
			for i := range v {
				if len(data) >= 4 {
					v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data))
					data = data[4:]
				}
			}
			return v
		}
		q := Query{Query: next(), Root: next(), Method: table[int(method)%len(table)].Name, Lambda: lambda}
		for range m % 6 {
			q.Perspectives = append(q.Perspectives, next())
		}
		for range m / 16 % 4 {
			q.Angles = append(q.Angles, next())
		}
		q.Strength = lambda
		if method >= 128 {
			q.Score = Dot
		}
		plan, err := Compile(q)
		if err != nil {
			if kind(err) == "untyped" || err.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		checkFinite(t, &plan)
		var rows [][]float32
		for len(data) >= 4 && len(rows) < 8 {
			c := next()
			if n := norm(c); firstNonFinite(c) < 0 && (n == 0 || n >= 1e-18 && n <= 1e18) {
				rows = append(rows, c)
			}
		}
		for _, c := range rows {
			if s := plan.AngleScore(c); !finite(s) || approx.Apart(s, 0, 2*MaxStrength+1e-4) {
				t.Fatalf("%s of %v: the angle %v adds %g", q.Method, q, c, s)
			}
		}
		for i, score := range plan.Scores(rows) {
			limit := 4.0
			if plan.Dot {
				limit = 2 * MaxDotNorm * norm(rows[i]) * (1 + 1e-6)
			}
			if !finite(score) || approx.Apart(score, 0, limit) && score != plan.Sunk() {
				t.Fatalf("%s of %v scores row %v %g: %+v", q.Method, q, rows[i], score, plan)
			}
		}
	})
}
