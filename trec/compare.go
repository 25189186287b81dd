package trec

import (
	"errors"
	"sort"
)

// Values holds one measure's values for several runs over the same queries.
type Values struct {
	Measure string
	Queries []string
	Runs    [][]float64 // for each run, one for each query
}

// Missing is the number of compared queries that each run lacks.
type Missing []int

// CompareValues evaluates runs over the same queries: the judged queries that at least
// one run has, or all judged queries with Options.Complete. A query that a run lacks
// counts 0 for that run. Each measure must have a value per query that can be averaged.
// This excludes runid, relstring, num_q, the geometric means, and measures that are not
// defined for every query (Accuracy, CoverageSize, Sycophancy). Errors are those of
// Evaluate. ErrNothingJudged becomes a *LineError with the run's name.
func CompareValues(qrels *Qrels, runs []*Run, measures []*Measure, o Options) ([]Values, Missing, error) {
	var names []string
	for _, m := range measures {
		if m.IsText() || m.kind.hidden || m.kind.average == defined {
			return nil, nil, errors.New("measure " + m.kind.name + " has no value for each query that could be compared")
		}
		names = append(names, m.names...)
	}
	evaluations := make([]*Evaluation, len(runs))
	var all []string
	for i, run := range runs {
		var err error
		if evaluations[i], err = Evaluate(qrels, run, measures, o); err == ErrNothingJudged {
			return nil, nil, &LineError{File: run.file, Problem: err.Error()}
		} else if err != nil {
			return nil, nil, err
		}
		for _, q := range evaluations[i].Queries {
			all = append(all, q.Query)
		}
	}
	if o.Complete {
		all = append(all, qrels.Queries()...)
	}
	//lint:ignore S1032 sort.Strings is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.StringSlice(all))
	queries := all[:0]
	for i, q := range all {
		if i == 0 || q != queries[len(queries)-1] {
			queries = append(queries, q)
		}
	}
	values := make([]Values, len(names))
	for at, name := range names {
		values[at] = Values{Measure: name, Queries: queries, Runs: make([][]float64, len(runs))}
		for i, e := range evaluations {
			values[at].Runs[i] = make([]float64, len(queries))
			place := 0 // both lists are in order
			for _, q := range e.Queries {
				for queries[place] != q.Query {
					place++
				}
				values[at].Runs[i][place] = q.Values[at]
			}
		}
	}
	missing := make(Missing, len(runs))
	for i, e := range evaluations {
		missing[i] = len(queries) - len(e.Queries)
	}
	return values, missing, nil
}
