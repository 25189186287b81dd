package pgra

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// Matthews' correlation is, for two classes, the formula of the confusion matrix, and for
// any number the correlation of the classes' indicators.
func TestMatthews(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, classes := range []int{1, 2, 2, 2, 3, 6} {
		for range 50 {
			n := 1 + r.IntN(40)
			labels, guesses := make([]int, n), make([]int, n)
			var tp, tn, fp, fn float64
			for i := range n {
				labels[i], guesses[i] = r.IntN(classes), r.IntN(classes)
				if r.IntN(2) == 0 {
					guesses[i] = labels[i]
				}
				switch {
				case labels[i] == 1 && guesses[i] == 1:
					tp++
				case labels[i] == 1:
					fn++
				case guesses[i] == 1:
					fp++
				default:
					tn++
				}
			}
			got := Matthews(labels, guesses)
			// The sum over classes of the covariances of indicators, divided by both spreads.
			cov := func(a, b []int) (sum float64) {
				for class := range classes {
					var xy, x, y float64
					for i := range n {
						p, q := 0.0, 0.0
						if a[i] == class {
							p = 1
						}
						if b[i] == class {
							q = 1
						}
						xy, x, y = xy+p*q, x+p, y+q
					}
					sum += xy/float64(n) - x/float64(n)*y/float64(n)
				}
				return sum
			}
			want := 0.0
			if spread := cov(labels, labels) * cov(guesses, guesses); spread > 1e-12 {
				want = cov(labels, guesses) / math.Sqrt(spread)
			}
			if approx.Apart(got, want, 1e-9) {
				t.Fatalf("%v, %v: %g, want %g", labels, guesses, got, want)
			}
			if classes != 2 {
				continue
			}
			want = 0
			if product := (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn); product > 0 {
				want = (tp*tn - fp*fn) / math.Sqrt(product)
			}
			if approx.Apart(got, want, 1e-9) {
				t.Fatalf("%v, %v: %g, want %g", labels, guesses, got, want)
			}
		}
	}
}

// Accuracy, votes and label consistency, counted again in another way.
func TestMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := &Set{task: &tasks[0], template: &Template{Labels: []string{"a", "b", "c"}}}
	for range 30 {
		s.Evidence = append(s.Evidence, Row{Label: r.IntN(3)})
	}
	var evidence [][]hit
	for i := range 40 {
		s.Test = append(s.Test, Row{Label: r.IntN(3)})
		var hits []hit
		for _, row := range r.Perm(30)[:min(i, 12)] { // the first has no evidence
			hits = append(hits, hit{row: int32(row)})
		}
		evidence = append(evidence, hits)
	}
	for _, d := range []int{1, 4, 12} {
		right, consistency, counts := 0, 0.0, make([]int, d+1)
		for i, hits := range evidence {
			var labels []int
			for _, h := range hits[:min(d, len(hits))] {
				labels = append(labels, s.Evidence[h.row].Label)
			}
			count := func(label int) (n int) {
				for _, l := range labels {
					if l == label {
						n++
					}
				}
				return n
			}
			guess := s.majority()
			if len(labels) > 0 {
				// Votes, and the first place among equal votes.
				guess = slices.MaxFunc([]int{0, 1, 2}, func(a, b int) int {
					if count(a) != count(b) {
						return count(a) - count(b)
					}
					return slices.Index(labels, b) - slices.Index(labels, a)
				})
				consistency += float64(count(s.Test[i].Label)) / float64(len(labels)) / 40
			}
			counts[count(s.Test[i].Label)]++
			if guess == s.Test[i].Label {
				right++
			}
		}
		got := s.measure(evidence, d)
		if approx.Apart(got.Vote, float64(right)/40, 1e-12) || approx.Apart(got.Consistency, consistency, 1e-12) || !slices.Equal(got.Consistent, counts) {
			t.Errorf("d %d: %+v, want %g, %g, %v", d, got, float64(right)/40, consistency, counts)
		}
	}
}
