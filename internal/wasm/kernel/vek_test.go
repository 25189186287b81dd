package kernel

import (
	"math"
	"testing"
	"time"

	"github.com/viterin/vek/vek32"
)

// BenchmarkVek32 has the dot products of the library vek beside the scans, over the same
// rows, in turns: the least time of a pass of each, in milliseconds. It also prints in how
// many of the rows vek's sum is not the canonical one, and by how many millionths at most,
// as cosines. One thread:
//
//	go test -run '^$' -bench Vek32 -benchtime 60x ./internal/wasm/kernel
func BenchmarkVek32(b *testing.B) {
	rows, q, p, x, y := benchVectors()
	theirs, second := make([]float32, benchRows), make([]float32, benchRows)
	row := func(i int) []float32 { return rows[i*benchDim:][:benchDim] }
	passes := []struct {
		name string
		run  func(from, to int)
	}{
		{"ScanF32-ms", func(i, j int) { ScanF32(x[i:j], rows[i*benchDim:], benchDim, q) }},
		{"vek32.Dot-ms", func(i, j int) {
			for ; i < j; i++ {
				theirs[i] = vek32.Dot(row(i), q)
			}
		}},
		{"Scan2F32-ms", func(i, j int) { Scan2F32(x[i:j], y[i:j], rows[i*benchDim:], benchDim, q, p) }},
		{"two-vek32.Dot-ms", func(i, j int) {
			for ; i < j; i++ {
				theirs[i], second[i] = vek32.Dot(row(i), q), vek32.Dot(row(i), p)
			}
		}},
	}
	least := make([]time.Duration, len(passes))
	for b.Loop() {
		for k, pass := range passes {
			start := time.Now()
			blocks(pass.run)
			if took := time.Since(start); least[k] == 0 || took < least[k] {
				least[k] = took
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for k, pass := range passes {
		b.ReportMetric(float64(least[k])/float64(time.Millisecond), pass.name)
	}
	differ, apart, length := 0, 0.0, vek32.Norm(q)
	for i := range x {
		if x[i] != theirs[i] {
			differ++
			apart = max(apart, math.Abs(float64(x[i])-float64(theirs[i]))/float64(length*vek32.Norm(row(i))))
		}
	}
	b.ReportMetric(100*float64(differ)/benchRows, "%differ")
	b.ReportMetric(apart*1e6, "millionths-apart")
}
