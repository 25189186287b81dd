package sides

import (
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// The first other text is found by the topic alone, by the side of the root, and by the
// angle.
func TestOtherSides(t *testing.T) {
	s := &Set{Texts: []string{"a", "b", "c", "d"}, Roots: []Root{
		{Text: "r", Labels: []Label{{0, For}, {1, For}, {2, Against}}},
		{Text: "one-sided", Labels: []Label{{3, For}}},
	}}
	// Topics: a and b are equal, c is a little off, d is another subject. Angles: a and b
	// say the same, c the opposite.
	far := float32(math.Sqrt(1 - .8*.8))
	v := &vectors{
		roots:       [][]float32{{1, 0}, {0, 1}},
		differences: [][]float64{{1, 0}, {1, 0}},
		topics:      [][]float32{{1, 0}, {1, 0}, {.8, far}, {0, 1}},
		lengths:     []float64{1, 1, 1, 1},
		angles:      [][]float32{{1, 0}, {1, 0}, {-1, 0}, {-1, 0}},
	}
	got, err := otherSides(t.Context(), s, v, .4)
	if err != nil {
		t.Fatal(err)
	}
	// By topic, a finds b and b finds a, and c finds a.
	if got.Texts != 3 || approx.Apart(got.Topic, 1./3, 1e-9) || approx.Apart(got.Chance, (.5+.5+1)/3, 1e-9) {
		t.Errorf("%+v", got)
	}
	for _, at := range got.WithRoot {
		if at.Share != 1 {
			t.Errorf("with the root: %+v", at)
		}
	}
	for _, at := range got.Without {
		// c comes before b if .8 + γ > 1 − γ. With .1, rounding decides.
		if at.Strength > .1 && at.Share != 1 {
			t.Errorf("without: %+v", at)
		}
	}
	if n := len(got.table("x", "y").Rows); n != 2+len(otherStrengths)+len(farStrengths) {
		t.Errorf("%d rows", n)
	}
	none, err := otherSides(t.Context(), &Set{Texts: s.Texts, Roots: s.Roots[1:]}, v, .4)
	if none != nil || err != nil {
		t.Errorf("%+v, %v", none, err)
	}
}
