package pireval

import (
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/trec"
)

// RunDepth is the number of texts per query in a run.
const RunDepth = 100

// Rankings are the rankings of a task's queries by one method, or of its root queries.
type Rankings struct {
	Task     *pir.Task
	Method   string          // the method's name, empty for root queries
	Rankings [][]lexical.Hit // by query; an entry is empty if the query has no answer
	Gold     [][]int

	roots []root
}

// query is the id of the i-th query. A root's id is "root-" followed by the id of its
// first query.
func (r *Rankings) query(i int) string {
	if r.Method == "" {
		return "root-" + r.Task.QueryID(r.roots[i].first)
	}
	return r.Task.QueryID(i)
}

// Run is the rankings as a TREC run that evaluates to the same figures after it was
// written and read (trec.Descending). With trec.Options.Complete, trec's success at k
// equals Recall@k here.
func (r *Rankings) Run(name string) (*trec.Run, error) {
	run := trec.NewRun(name, name)
	for i, hits := range r.Rankings {
		scores := make([]float64, len(hits))
		for rank, h := range hits {
			scores[rank] = h.Score
		}
		falling, err := trec.Descending(scores)
		if err != nil {
			return nil, fmt.Errorf("query %.80q: %w", r.query(i), err)
		}
		for rank, h := range hits {
			if err := run.Add(r.query(i), r.Task.TextID(int(h.Document)), falling[rank]); err != nil {
				return nil, err
			}
		}
	}
	return run, nil
}

// EachJudgement visits the gold texts of every query: the run's judgements, all of grade 1.
func (r *Rankings) EachJudgement(visit func(query, text string) error) error {
	for i, gold := range r.Gold {
		for j, text := range gold {
			if slices.Contains(gold[:j], text) {
				continue
			}
			if err := visit(r.query(i), r.Task.TextID(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// placesOf returns rankings without scores.
func placesOf(rankings [][]lexical.Hit) [][]int {
	places := make([][]int, len(rankings))
	for i, hits := range rankings {
		for _, h := range hits {
			places[i] = append(places[i], int(h.Document))
		}
	}
	return places
}
