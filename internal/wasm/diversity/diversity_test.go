package diversity

import (
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// There are three perspectives. The second document contains none, the third contains
// two.
var contained = [][]int{{0}, {}, {0, 1}, {2}}

func TestCoverage(t *testing.T) {
	for k, want := range []struct {
		covered   int
		mRecall   bool
		precision float64
	}{{0, true, 0}, {1, true, 1}, {1, false, .5}, {2, false, 2. / 3}, {3, true, 3. / 4}, {3, true, 3. / 5}} {
		if got := Covered(contained, 3, k); got != want.covered {
			t.Errorf("Covered at %d = %d", k, got)
		}
		if got := MRecall(contained, 3, k); got != want.mRecall {
			t.Errorf("MRecall@%d = %t", k, got)
		}
		if got := Precision(contained, k); approx.Apart(got, want.precision, 1e-15) {
			t.Errorf("Precision@%d = %v", k, got)
		}
	}
	if n, ok := CoverageSize(contained, 3); n != 4 || !ok {
		t.Errorf("CoverageSize = %d, %t", n, ok)
	}
	if n, ok := CoverageSize(contained[:3], 2); n != 3 || !ok {
		t.Errorf("CoverageSize of two = %d, %t", n, ok)
	}
	if _, ok := CoverageSize(contained[:3], 3); ok {
		t.Error("two perspectives of three are not all")
	}
	if n, ok := CoverageSize(nil, 0); n != 0 || !ok {
		t.Errorf("CoverageSize of nothing = %d, %t", n, ok)
	}
}

// The values are computed by hand with α = ½: gains 1, 0, ½ + 1, 1; the best order is
// {0, 1}, {2}, {0}, {}, with gains 2, 1, ½, 0.
func TestAlphaNDCG(t *testing.T) {
	log2 := math.Log2
	want := (1 + 1.5/log2(4) + 1/log2(5)) / (2 + 1/log2(3) + .5/log2(4))
	if got := AlphaNDCG(contained, contained, 3, 10, .5); approx.Apart(got, want, 1e-14) {
		t.Errorf("α-nDCG = %v, want %v", got, want)
	}
	if got, want := AlphaNDCG(contained, contained, 3, 2, .5), 1/(2+1/log2(3)); approx.Apart(got, want, 1e-14) {
		t.Errorf("α-nDCG@2 = %v, want %v", got, want)
	}
	// With α = 0 it is nDCG with the number of perspectives as gain.
	if got, want := AlphaNDCG(contained, contained, 3, 2, 0), 1/(2+1/log2(3)); approx.Apart(got, want, 1e-14) {
		t.Errorf("α-nDCG@2, α 0 = %v, want %v", got, want)
	}
	best := [][]int{{0, 1}, {2}, {0}, {}}
	if got := AlphaNDCG(best, contained, 3, 4, .5); approx.Apart(got, 1, 1e-14) {
		t.Errorf("the best order has %v", got)
	}
	for _, k := range []int{-1, 0} {
		if got := AlphaNDCG(contained, contained, 3, k, .5); got != 0 {
			t.Errorf("α-nDCG@%d = %v", k, got)
		}
	}
	if got := AlphaNDCG(contained, nil, 3, 5, .5); got != 0 {
		t.Errorf("without a pool: %v", got)
	}
}
