package berds

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// A document says what one of its windows says, however sure the others are of something else;
// the score is the highest.
func TestSaid(t *testing.T) {
	type window struct {
		score float64
		side  stance.Side
	}
	for _, c := range []struct {
		windows []window
		want    verdict
	}{
		{[]window{{-.5, stance.Neither}}, verdict{-.5, false, false}},
		{[]window{{-.5, stance.Neither}, {-.75, stance.Against}, {-.25, stance.For}}, verdict{-.25, true, true}},
		{[]window{{.5, stance.For}, {.25, stance.Against}, {.25, stance.Neither}}, verdict{.5, true, true}},
		{[]window{{.25, stance.Against}, {.125, stance.Neither}}, verdict{.25, false, true}},
		{[]window{{.25, stance.Neither}, {.5, stance.For}}, verdict{.5, true, false}},
	} {
		var s said
		for _, w := range c.windows {
			s.add(w.score, w.side)
		}
		if s.verdict != c.want {
			t.Errorf("%v: %+v, want %+v", c.windows, s.verdict, c.want)
		}
	}
}

// The columns of Tables 3 and 6 are the paper's data sets, their macro-average, and data
// sets that the paper does not have.
func TestColumns(t *testing.T) {
	figures := func(v float64) Results {
		return Results{Default: Figures{MRecall: map[int]float64{5: v}, Precision: map[int]float64{1: v / 2, 5: v / 4}}}
	}
	e := &Evaluation{Corpus: "c", Datasets: []Dataset{{Name: "Kialo"}, {Name: "ours"}}, Retrievers: []RetrieverResult{{Name: "r", Datasets: []Results{figures(.5), figures(.25)}}}}
	e.Union.Datasets, e.Union.Retrievers = []float64{.75, .25}, []string{"r"}
	no := report.Missing()
	percent := report.Figure
	// Prec. and MRec. of Arguana, Kialo and OpinionQA, with Prec.@1 those of the average and of ours.
	want := []report.Cell{no, no, percent(12.5), percent(50), no, no, percent(9.375), percent(37.5), percent(18.75), percent(6.25), percent(25), percent(12.5)}
	if got := e.base("table3", "", 5, nil).Rows[0].Cells; !slices.Equal(got, want) {
		t.Errorf("Table 3: %v, want %v", got, want)
	}
	want = []report.Cell{no, percent(75), no, percent(50), percent(25)}
	if got := e.union().Rows[0].Cells; !slices.Equal(got, want) {
		t.Errorf("Table 6: %v, want %v", got, want)
	}
}
