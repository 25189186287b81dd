package sides

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// BenchmarkCaps prints how well all texts of Perspectrum are ranked for each claim and side by topic + β min(score, cap): the
// mean nDCG@10, and the share of first hits that are right. perspective.MostSlant was chosen by those of the development claims.
//
//	go test ./internal/evaluation/sides -run '^$' -bench Caps -benchtime 1x
func BenchmarkCaps(b *testing.B) {
	data := shared.Path(b, "data/perspectrum")
	model, err := packmodel.OpenFolder(b.Context(), "../../../sides/pack", 0)
	if err != nil {
		b.Fatal(err)
	}
	defer model.Close()
	for _, split := range []string{"dev", "test"} {
		set, err := (&Experiment{Format: Perspectrum, Split: split}).read(b.Context(), []string{data})
		if err != nil {
			b.Fatal(err)
		}
		v, err := encode(b.Context(), model, set, func(int64, int64) {})
		if err != nil {
			b.Fatal(err)
		}
		for _, beta := range []float64{.2, .4} {
			for _, most := range []float64{.1, .2, .3, .4, 2} {
				b.Run(fmt.Sprintf("%s/strength %g/cap %g", split, beta, most), func(b *testing.B) {
					for b.Loop() {
						gain, first := v.ranked(set, beta, most)
						b.ReportMetric(gain, "nDCG@10")
						b.ReportMetric(first, "first")
					}
				})
			}
		}
	}
}

// ranked returns the mean nDCG@10 of the sides of all roots, and the share of them whose first text is right.
func (v *vectors) ranked(s *Set, beta, most float64) (gain, first float64) {
	cosines, slants, asked := make([]float64, len(s.Texts)), make([]float64, len(s.Texts)), 0.0
	for i := range s.Roots {
		root := &s.Roots[i]
		v.score(i, cosines, slants)
		for _, side := range []Side{For, Against} {
			right := map[int]bool{}
			for _, l := range root.Labels {
				right[l.Text] = right[l.Text] || l.Side == side
			}
			of := root.count(side)
			if of == 0 {
				continue
			}
			order := make([]int, len(s.Texts))
			for text := range order {
				order[text] = text
			}
			score := func(text int) float64 { return cosines[text] + beta*min(float64(side)*slants[text], most) }
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
			found, ideal := 0.0, 0.0
			for rank, text := range order[:10] {
				discount := 1 / math.Log2(float64(rank)+2)
				if right[text] {
					found += discount
				}
				if rank < of {
					ideal += discount
				}
			}
			if asked++; right[order[0]] {
				first++
			}
			gain += found / ideal
		}
	}
	return gain / asked, first / asked
}
