package compare

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/trec"
)

// Runs without documents count 0 for each judged query, wherever they stand among the others.
func TestValues(t *testing.T) {
	qrels := trec.NewQrels("qrels")
	qrels.Add("1", "a", 1)
	qrels.Add("2", "b", 1)
	found := trec.NewRun("found", "found")
	if err := found.Add("2", "b", 1); err != nil {
		t.Fatal(err)
	}
	measures, err := trec.ParseMeasures([]string{"map", "RR"})
	if err != nil {
		t.Fatal(err)
	}
	nothing := []float64{0, 0}
	for _, c := range []struct {
		runs    []*trec.Run
		want    [][]float64
		missing trec.Missing
	}{
		{[]*trec.Run{trec.NewRun("", ""), found, trec.NewRun("", "")}, [][]float64{nothing, {0, 1}, nothing}, trec.Missing{2, 1, 2}},
		{[]*trec.Run{found}, [][]float64{{0, 1}}, trec.Missing{1}},
		{[]*trec.Run{trec.NewRun("", "")}, [][]float64{nothing}, trec.Missing{2}},
	} {
		values, missing, err := Values(qrels, c.runs, measures)
		if err != nil || len(values) != 2 || !slices.Equal(missing, c.missing) {
			t.Fatalf("%+v, missing %v, %v", values, missing, err)
		}
		for _, v := range values {
			if !slices.EqualFunc(v.Runs, c.want, slices.Equal[[]float64]) || !slices.Equal(v.Queries, []string{"1", "2"}) {
				t.Errorf("%+v, want %v", v, c.want)
			}
		}
	}
}
