package fit

import (
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
)

// sparse is a sparse matrix by rows.
type sparse struct {
	rows, cols int
	start      []int // row i is column[start[i]:start[i+1]] and value[...]
	column     []int32
	value      []float32
}

// entry is one element of a row under construction.
type entry struct {
	column int32
	value  float32
}

// appendRow adds a row of elements in ascending order of columns.
func (m *sparse) appendRow(row []entry) {
	if m.start == nil {
		m.start = []int{0}
	}
	for _, e := range row {
		m.column, m.value = append(m.column, e.column), append(m.value, e.value)
	}
	m.start = append(m.start, len(m.column))
	m.rows++
}

// transpose returns the matrix by columns.
func (m *sparse) transpose() *sparse {
	t := &sparse{rows: m.cols, cols: m.rows, start: make([]int, m.cols+1),
		column: make([]int32, len(m.column)), value: make([]float32, len(m.value))}
	for _, c := range m.column {
		t.start[c+1]++
	}
	for i := range m.cols {
		t.start[i+1] += t.start[i]
	}
	next := append([]int(nil), t.start[:m.cols]...)
	for i := range m.rows {
		for k := m.start[i]; k < m.start[i+1]; k++ {
			at := next[m.column[k]]
			next[m.column[k]]++
			t.column[at], t.value[at] = int32(i), m.value[k]
		}
	}
	return t
}

// multiply sets out = m × dense. Both have width columns and are stored row by row. One
// goroutine sums each element in the order of columns, so that the result does not
// depend on the number of goroutines.
func (m *sparse) multiply(out, dense []float64, width int) {
	parallel(m.rows, func(i int) {
		row := out[i*width:][:width]
		clear(row)
		target := blas64.Vector{N: width, Inc: 1, Data: row}
		for k := m.start[i]; k < m.start[i+1]; k++ {
			column := dense[int(m.column[k])*width:][:width]
			blas64.Axpy(float64(m.value[k]), blas64.Vector{N: width, Inc: 1, Data: column}, target)
		}
	})
}

// parallel calls f for 0 to n-1, in blocks on all processors.
func parallel(n int, f func(i int)) {
	const block = 64
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), (n+block-1)/block) {
		wait.Go(func() {
			for start := range next {
				for i := start; i < min(start+block, n); i++ {
					f(i)
				}
			}
		})
	}
	for start := 0; start < n; start += block {
		next <- start
	}
	close(next)
	wait.Wait()
}

// normalizeRow divides a row by its length.
func normalizeRow(row []entry) {
	square := 0.0
	for _, e := range row {
		square += float64(e.value) * float64(e.value)
	}
	if square == 0 {
		return
	}
	for i := range row {
		row[i].value = float32(float64(row[i].value) / math.Sqrt(square))
	}
}
