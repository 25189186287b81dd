package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"gonum.org/v1/gonum/mat"
)

// TestRightSingular compares with a dense decomposition: the first singular vectors must
// agree, up to their sign.
func TestRightSingular(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	const rows, cols, k = 120, 90, 10
	m := &sparse{cols: cols}
	dense := mat.NewDense(rows, cols, nil)
	for i := range rows {
		var row []entry
		for j := range cols {
			// a few strong directions above noise, so that the first ten are well separated
			v := random.NormFloat64()*0.02 + 3*math.Sin(float64(i*(j%k+1)))/float64(j%k+1)
			if random.IntN(3) > 0 {
				row = append(row, entry{int32(j), float32(v)})
				dense.Set(i, j, float64(float32(v)))
			}
		}
		m.appendRow(row)
	}
	vectors, rank, err := rightSingular(context.Background(), m, k, func(int64, int64) {})
	if err != nil || rank != k {
		t.Fatal(rank, err)
	}
	var svd mat.SVD
	if !svd.Factorize(dense, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var v mat.Dense
	svd.VTo(&v)
	values := svd.Values(nil)
	for j := range k {
		product, length := 0.0, 0.0
		for i := range cols {
			product += vectors[i*rank+j] * v.At(i, j)
			length += vectors[i*rank+j] * vectors[i*rank+j]
		}
		if gap := (values[j] - values[j+1]) / values[0]; gap < 1e-3 {
			continue // neighbouring vectors may mix
		}
		if approx.Apart(math.Abs(product), 1, 1e-6) || approx.Apart(length, 1, 1e-9) {
			t.Errorf("vector %d: |cosine| %g, length² %g", j, math.Abs(product), length)
		}
	}
}

func TestRightSingularOfLowRank(t *testing.T) {
	m := &sparse{cols: 5}
	for range 8 {
		m.appendRow([]entry{{0, 1}, {3, 2}})
		m.appendRow([]entry{{1, 1}})
	}
	vectors, rank, err := rightSingular(context.Background(), m, 4, func(int64, int64) {})
	if err != nil || rank != 2 || len(vectors) != 10 {
		t.Errorf("rank %d, %d numbers, %v", rank, len(vectors), err)
	}
	if _, _, err := rightSingular(context.Background(), &sparse{cols: 3, rows: 2, start: []int{0, 0, 0}}, 2, func(int64, int64) {}); err == nil {
		t.Error("no error for a matrix of zeros")
	}
}
