package metrics

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

func TestSuccess(t *testing.T) {
	ranking := []uint32{4, 2, 9, 0}
	for _, c := range []struct {
		gold []uint32
		rank int
	}{{[]uint32{4}, 1}, {[]uint32{7, 0, 9}, 3}, {[]uint32{0}, 4}, {[]uint32{1}, 0}, {nil, 0}} {
		if got := FirstRank(ranking, c.gold); got != c.rank {
			t.Errorf("FirstRank(%v) = %d, want %d", c.gold, got, c.rank)
		}
		for k := -1; k <= 6; k++ {
			want := c.rank > 0 && c.rank <= k
			if got := Success(ranking, c.gold, k); got != want {
				t.Errorf("Success(%v, %d) = %t, want %t", c.gold, k, got, want)
			}
			if got := Recall([]Judgement{{Rank: c.rank}}, k) == 1; got != want {
				t.Errorf("Recall of rank %d at %d is %t, want %t", c.rank, k, got, want)
			}
		}
	}
	if Success([]int{}, []int{1}, 3) {
		t.Error("an empty ranking succeeds")
	}
}

// The example by hand, at k = 5:
//
//	root a: support hit, support missed, oppose hit   mean 2/3; by perspective (1/2 + 1)/2 = 3/4
//	root b: support hit                               1; the notebook's 0
//	root c: support missed, oppose at rank 6          0
var example = []Judgement{
	{Root: "a", Perspective: "for", Label: "support", Rank: 5},
	{Root: "b", Perspective: "for", Label: "support", Rank: 1},
	{Root: "a", Perspective: "for", Label: "support", Rank: 0},
	{Root: "c", Perspective: "against", Label: "oppose", Rank: 6},
	{Root: "a", Perspective: "against", Label: "oppose", Rank: 2},
	{Root: "c", Perspective: "for", Label: "support", Rank: 0},
}

func TestByHand(t *testing.T) {
	for name, c := range map[string]struct {
		metric func([]Judgement, int) float64
		want   float64
	}{
		"Recall":                     {Recall, 3.0 / 6},
		"MacroRecall":                {MacroRecall, (2.0/4 + 1.0/2) / 2},
		"PRecall":                    {PRecall, (2.0/3 + 1 + 0) / 3},
		"PRecallNotebook":            {PRecallNotebook, (2.0/3 + 0 + 0) / 3},
		"PRecallByUniquePerspective": {PRecallByUniquePerspective, (3.0/4 + 1 + 0) / 3},
	} {
		if got := c.metric(example, 5); approx.Apart(got, c.want, 1e-15) {
			t.Errorf("%s = %g, want %g", name, got, c.want)
		}
		if got := c.metric(nil, 5); got != 0 {
			t.Errorf("%s of nothing = %g", name, got)
		}
		if got := c.metric(example, 0); got != 0 {
			t.Errorf("%s at 0 = %g", name, got)
		}
	}
	want := []LabelRecall{{"support", 4, 0.5}, {"oppose", 2, 0.5}}
	if got := RecallByLabel(example, 5); !slices.Equal(got, want) {
		t.Errorf("RecallByLabel = %v, want %v", got, want)
	}
	if got := RecallByLabel(nil, 5); len(got) != 0 {
		t.Errorf("RecallByLabel of nothing = %v", got)
	}
}
