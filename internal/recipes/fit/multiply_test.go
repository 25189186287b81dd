package fit

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/viterin/vek"
)

// BenchmarkMultiply compares the product that takes most of the learning time, which
// adds rows by gonum's Axpy, with the same product by vek. They take turns. It reports
// the least time of each in milliseconds.
//
//	go test -run '^$' -bench Multiply -benchtime 60x ./internal/recipes/fit
func BenchmarkMultiply(b *testing.B) {
	const rows, cols, perRow, width = 2000, 8000, 50, DefaultDim + oversampling
	random := rand.New(rand.NewPCG(1, 2))
	m := &sparse{cols: cols}
	for range rows {
		row := make([]entry, perRow)
		for i := range row {
			row[i] = entry{int32(i*cols/perRow + random.IntN(cols/perRow)), random.Float32()}
		}
		m.appendRow(row)
	}
	dense, out := make([]float64, cols*width), make([]float64, rows*width)
	for i := range dense {
		dense[i] = random.NormFloat64()
	}
	passes := []struct {
		name string
		run  func()
	}{
		{"gonum-ms", func() { m.multiply(out, dense, width) }},
		{"vek-ms", func() {
			parallel(m.rows, func(i int) {
				var scaled [width]float64
				row := out[i*width:][:width]
				clear(row)
				for k := m.start[i]; k < m.start[i+1]; k++ {
					column := dense[int(m.column[k])*width:][:width]
					vek.Add_Inplace(row, vek.MulNumber_Into(scaled[:], column, float64(m.value[k])))
				}
			})
		}},
	}
	least := make([]time.Duration, len(passes))
	for b.Loop() {
		for k, pass := range passes {
			start := time.Now()
			pass.run()
			if took := time.Since(start); least[k] == 0 || took < least[k] {
				least[k] = took
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for k, pass := range passes {
		b.ReportMetric(float64(least[k])/float64(time.Millisecond), pass.name)
	}
}
