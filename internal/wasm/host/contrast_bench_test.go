package host

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// BenchmarkContrast compares contrast with the plain cosine under wazero, in turns, and reports medians. Rows and
// angles are as in BenchmarkAngles of package index, whose ratios are those of the native engine.
func BenchmarkContrast(b *testing.B) {
	const dim, large, angleDim, rows = 384, 100, 128, 50_000
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(1, 1))
		unit := func(dim, large int) []float32 {
			v, squares := make([]float32, dim), 0.0
			for i := range v {
				x := rng.NormFloat64()
				if i >= large {
					x /= 10
				}
				v[i] = float32(x)
				squares += x * x
			}
			for i := range v {
				v[i] /= float32(math.Sqrt(squares))
			}
			return v
		}
		engine, err := New(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		core, err := engine.Core(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		ix, err := core.OpenIndex(dim, dtype, 0)
		if err != nil {
			b.Fatal(err)
		}
		root := unit(dim, large)
		for i := range rows {
			row := unit(dim, large)
			if i%1000 == 500 {
				for j := range row {
					row[j] = 0.83*row[j] + 0.55*root[j]
				}
			}
			at, err := ix.Add(row)
			if err == nil {
				err = ix.AddAngle(at, unit(angleDim, angleDim))
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		u, v := unit(angleDim, angleDim), unit(angleDim, angleDim)
		for i := range v { // as far from u as the bundled model's mostly are, 0.8
			v[i] = 0.68*u[i] + 0.733*v[i]
		}
		plain := &ranking.Request{Query: perspective.Query{Method: "none", Query: root, Root: root, Lambda: 1}, K: 10}
		both := &ranking.Request{Query: perspective.Query{Method: "contrast", Query: root, Root: root, Angles: [][]float32{u, v}, Lambda: 1, Strength: 0.4}, K: 10}
		b.Run(fmt.Sprint(dtype), func(b *testing.B) {
			var took [2][]float64
			for b.Loop() {
				for i, r := range []*ranking.Request{plain, both} {
					began := time.Now()
					if _, err := ix.Search(r); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(began).Seconds()*1e6)
				}
			}
			slices.Sort(took[0])
			slices.Sort(took[1])
			half := len(took[0]) / 2
			b.ReportMetric(took[0][half], "µs/plain")
			b.ReportMetric(took[1][half], "µs/both")
			b.ReportMetric(took[1][half]/took[0][half], "ratio")
		})
		ix.Close()
		core.Close()
		engine.Close(context.Background())
	}
}
