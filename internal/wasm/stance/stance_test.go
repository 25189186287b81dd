package stance

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The probabilities are those of the sigmoids of package math, add up to 1, and turn with
// the sign of the score.
func TestThree(t *testing.T) {
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, c := range []Calibration{Standard, {Width: .01, Level: .5, TwoWidth: .02}, {Width: 3, TwoWidth: 1}, {Width: 1e-9, Level: 1, TwoWidth: 1e-9}} {
		for score := -2.0; score <= 2; score += 1.0 / 64 {
			pro, neither, con := c.Three(score)
			a, b := logistic((score-c.Level)/c.Width), logistic((-score-c.Level)/c.Width)
			n := max(1e-4, 1-a-b)
			for i, pair := range [][2]float64{{pro, a / (a + b + n)}, {neither, n / (a + b + n)}, {con, b / (a + b + n)}, {c.Two(score), logistic(score / c.TwoWidth)}} {
				if approx.Apart(pair[0], pair[1], 1e-12) {
					t.Fatalf("%v, score %g, number %d: %g, want %g", c, score, i, pair[0], pair[1])
				}
			}
			if again, _, turned := c.Three(-score); again != con || turned != pro {
				t.Errorf("%v: score %g does not turn with its sign", c, score)
			}
		}
	}
}

// Side, which compares scores with the threshold, gives the most probable side at every score.
func TestSide(t *testing.T) {
	for _, c := range []Calibration{Standard, {Width: .01, Level: .5}, {Width: 3}, {Width: .2, Level: .05}, {Width: 1, Level: .35}, {Width: 1e-9, Level: 1}} {
		threshold := c.Threshold()
		for score := -2.0; score <= 2; score += 1.0 / 256 {
			if math.Abs(math.Abs(score)-threshold) < 1e-9 {
				continue // rounding decides
			}
			pro, neither, con := c.Three(score)
			want := Neither
			if pro > neither && pro > con {
				want = For
			} else if con > neither && con > pro {
				want = Against
			}
			if got := c.Side(score, threshold); got != want {
				t.Errorf("%v: score %g is %s, want %s of %g, %g, %g (threshold %g)", c, score, got, want, pro, neither, con, threshold)
			}
		}
	}
	if c := (Calibration{Subject: .5}); !c.OnSubject(.5) || c.OnSubject(math.Nextafter32(.5, 0)) || c.OnSubject(float32(math.NaN())) {
		t.Error("the least cosine on the subject")
	}
	if got := Standard.Threshold(); approx.Apart(got, .049, .001) {
		t.Errorf("threshold %g", got)
	}
}

func TestOf(t *testing.T) {
	if c, err := Of(nil); err != nil || c != Standard {
		t.Errorf("%+v, %v", c, err)
	}
	c, err := Of(map[string][]float64{Table: {1, 2, 3}, SubjectTable: {.5}})
	if err != nil || c != (Calibration{TwoWidth: 1, Width: 2, Level: 3, Subject: .5}) {
		t.Errorf("%+v, %v", c, err)
	}
	for name, numbers := range map[string]map[string][]float64{
		Table:        {Table: {1, 2}},
		"[0 1 1]":    {Table: {0, 1, 1}},
		"[1 -1 1]":   {Table: {1, -1, 1}},
		"[1 NaN 1]":  {Table: {1, math.NaN(), 1}},
		"[1 1 -1]":   {Table: {1, 1, -1}},
		"[1 +Inf 1]": {Table: {1, math.Inf(1), 1}},
		SubjectTable: {SubjectTable: {}},
		"[1.5]":      {SubjectTable: {1.5}},
		"[NaN]":      {SubjectTable: {math.NaN()}},
	} {
		if _, err := Of(numbers); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", numbers, err)
		}
	}
}
