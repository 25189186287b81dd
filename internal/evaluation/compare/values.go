package compare

import (
	"slices"

	"github.com/vantage-search/vantage/trec"
)

// Values evaluates runs over all judged queries, as trec.CompareValues does. But a run may be empty, because a
// retriever can find nothing: one by words in documents of another language, for example. It counts 0 for each query.
func Values(qrels *trec.Qrels, runs []*trec.Run, measures []*trec.Measure) ([]trec.Values, trec.Missing, error) {
	empty := func(run *trec.Run) bool { return run.Len() == 0 }
	values, missing, err := trec.CompareValues(qrels, slices.DeleteFunc(slices.Clone(runs), empty), measures, trec.Options{Complete: true})
	if err != nil {
		return nil, nil, err
	}
	for i, run := range runs {
		if !empty(run) {
			continue
		}
		missing = slices.Insert(missing, i, len(qrels.Queries()))
		for at := range values {
			values[at].Runs = slices.Insert(values[at].Runs, i, make([]float64, len(values[at].Queries)))
		}
	}
	return values, missing, nil
}
