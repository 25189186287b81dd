package metrics

import (
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

func TestRanked(t *testing.T) {
	ranking, gold := []int{7, 3, 9, 1}, []int{3, 1, 5}
	for k, want := range []struct{ precision, recall, f1, ap float64 }{
		{0, 0, 0, 0},
		{0, 0, 0, 0},
		{1. / 2, 1. / 3, 2. / 5, 1. / 2 / 2},
		{1. / 3, 1. / 3, 1. / 3, 1. / 2 / 3},
		{2. / 4, 2. / 3, 4. / 7, (1./2 + 2./4) / 3},
		{2. / 5, 2. / 3, 4. / 8, (1./2 + 2./4) / 3},
	} {
		for name, got := range map[string][2]float64{
			"Precision":        {Precision(ranking, gold, k), want.precision},
			"GoldRecall":       {GoldRecall(ranking, gold, k), want.recall},
			"F1":               {F1(ranking, gold, k), want.f1},
			"AveragePrecision": {AveragePrecision(ranking, gold, k), want.ap},
		} {
			if approx.Apart(got[0], got[1], 1e-15) {
				t.Errorf("%s at %d = %v, want %v", name, k, got[0], got[1])
			}
		}
	}
	if AveragePrecision(gold, gold, 2) != 1 || AveragePrecision(gold, gold, 9) != 1 {
		t.Error("the best ranking has an average precision below 1")
	}
	if Precision(ranking, nil, 3) != 0 || GoldRecall(ranking, nil, 3) != 0 || F1(ranking, nil, 3) != 0 || AveragePrecision(ranking, nil, 3) != 0 {
		t.Error("a measure is not 0 without gold")
	}
}
