package trec

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/logs"
)

// ErrNothingJudged is the error if none of a run's queries has judgements.
var ErrNothingJudged = fault.New(fault.Input, "no query has both results and judgements")

var errLevel = fault.New(fault.Query, "the grade of a relevant document is at least 1")

// Evaluation holds the values of measures for a run.
type Evaluation struct {
	RunID    string
	Queries  []Result  // in byte order of the queries' ids
	Averages []float64 // one for each value of each measure, in order; NaN if no query has one
	Count    int       // queries in the averages; Options.Complete adds those that the run lacks

	measures []*Measure
}

// Result holds the values of the measures for one query.
type Result struct {
	Query     string
	Values    []float64 // one for each value of each measure; NaN if it has none for the query
	relstring string
}

// Relstring is the value of measure relstring, if it is among the measures.
func (r *Result) Relstring() string { return r.relstring }

// Evaluate computes the measures for each query that is in the run and in the
// judgements, and their averages. It is an error if a run made with Add lists a
// document twice, if the level is negative, or if a measure cannot be computed from the
// judgements (no subtopics, grades beyond the measure's limit). If no query is judged, the error is
// ErrNothingJudged.
func Evaluate(qrels *Qrels, run *Run, measures []*Measure, o Options) (*Evaluation, error) {
	e := &Evaluation{RunID: run.ID(), measures: measures}
	width := 0
	for _, m := range measures {
		if err := qrels.check(m); err != nil {
			return nil, err
		}
		width += len(m.names)
	}
	s := &scratch{collection: o.Collection}
	var spare Judged
	err := JudgeAll(qrels, run, o, func(j *Judged) {
		r := Result{Query: j.Query, Values: make([]float64, width)}
		at := 0
		for _, m := range measures {
			switch {
			case m.kind.value != nil:
				r.Values[at] = m.kind.value(s, m.view(j, &spare))
			case m.kind.compute != nil:
				m.kind.compute(s, m.view(j, &spare), m, r.Values[at:at+len(m.names)])
			case m.kind.name == "relstring":
				r.relstring = relstring(j, m)
			}
			at += len(m.names)
		}
		e.Queries = append(e.Queries, r)
	})
	if err != nil {
		return nil, err
	}
	e.average(qrels, width, o)
	return e, nil
}

// JudgeAll calls visit with the judged ranking of each query that is in the run and in
// the judgements, in byte order of their ids. The ranking is valid only during the
// call. Errors are those of Evaluate that are not about measures.
func JudgeAll(qrels *Qrels, run *Run, o Options, visit func(*Judged)) error {
	if o.Level < 0 { // documents without a judgement would be relevant
		return errLevel
	}
	queries, err := run.Queries()
	if err != nil {
		return err
	}
	qrels.Queries() // counts the levels
	var order ranking
	var j Judged
	visited := false
	for q, id := range queries {
		judged, ok := qrels.queries[id]
		if !ok {
			continue
		}
		order = run.rank(order[:0], int32(q))
		j.judge(id, judged, order, o)
		visit(&j)
		visited = true
	}
	if !visited {
		return ErrNothingJudged
	}
	return nil
}

func (e *Evaluation) average(qrels *Qrels, width int, o Options) {
	e.Count = len(e.Queries)
	if o.Complete {
		e.Count = len(qrels.Queries())
	}
	e.Averages = make([]float64, width)
	at := 0
	for _, m := range e.measures {
		for range m.names {
			sum, count := 0.0, 0
			for i := range e.Queries {
				if v := e.Queries[i].Values[at]; v == v {
					sum += v
					count++
				}
			}
			switch m.kind.average {
			case mean:
				sum /= float64(e.Count)
			case defined:
				sum /= float64(count) // NaN if no query has a value
			case geometric:
				sum += float64(float64(e.Count-len(e.Queries)) * logs.Log(leastGeometric))
				sum = logs.Exp(sum / float64(e.Count))
			}
			if o.Complete && m.kind.name == "num_q" {
				sum = float64(e.Count)
			}
			if o.Complete && m.kind.name == "num_rel" {
				sum = float64(qrels.positive())
			}
			e.Averages[at] = sum
			at++
		}
	}
}

// positive counts the judgements with a grade above 0. trec_eval prints this as num_rel
// over all queries, regardless of the least relevant grade.
func (q *Qrels) positive() int {
	n := 0
	for _, j := range q.queries {
		for _, l := range j.levels {
			if l.Grade > 0 {
				n += l.Count
			}
		}
	}
	return n
}

// relstring has one character per document for the grades of the first documents.
func relstring(j *Judged, m *Measure) string {
	text := make([]byte, 0, 16)
	for rank := 0; rank < len(j.Grades) && rank < int(m.params[0]); rank++ {
		c := byte('-')
		switch g := j.Grades[rank]; {
		case g > 9:
			c = '>'
		case g >= 0:
			c = '0' + byte(g)
		case g == Unjudged:
			c = '.'
		}
		text = append(text, c)
	}
	return string(text)
}
