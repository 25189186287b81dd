package sides

import (
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
)

// A text is on the subject of the root that it is judged for if its cosine with the root reaches
// Calibration.Subject. Texts that are not judged for a root do not count.
func TestOnSubject(t *testing.T) {
	s := &Set{Texts: []string{"a", "b", "c", "d"}, Roots: []Root{
		{"first", []Label{{0, For}, {1, Against}, {2, Neither}}},
		{"second", []Label{{3, For}}},
	}}
	v := &vectors{
		roots:       [][]float32{{1, 0}, {0, 2}},
		differences: [][]float64{{1}, {1}},
		topics:      [][]float32{{2, 0}, {3, 4}, {4, 3}, {1, 0}}, // the cosines are 1, .6 and .8 with the first, 0 with the second
		lengths:     []float64{2, 5, 5, 1},
		angles:      [][]float32{{1}, {-1}, {0}, {1}},
	}
	for subject, want := range map[float64]float64{-1: 1, 0: 1, .6: .75, .7: .5, .9: .25, math.Nextafter(1, 2): 0} {
		c := Calibration{TwoWidth: 1, Width: 1, Level: 1, Subject: subject}
		f, err := measure(t.Context(), s, v, c, &compare.Tests{Rounds: 10, Seed: 1}, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the share on the subject", f.OnSubject, want)
	}
}
