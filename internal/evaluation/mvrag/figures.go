package mvrag

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Report is the result of an experiment.
type Report struct {
	Dataset     string       `json:"dataset"`
	Layout      string       `json:"layout"`
	Judgements  string       `json:"judgements"`
	Relevant    int          `json:"relevant"` // least grade of a relevant document
	Documents   int          `json:"documents"`
	Queries     int          `json:"queries"`
	Unanswered  int          `json:"unanswered,omitempty"` // queries without a relevant document; their recall is 0
	Of          int          `json:"of"`                   // queries that they were drawn from
	Seed        uint64       `json:"seed"`                 // of the draw and of the tests
	Domain      string       `json:"domain"`
	Threshold   float64      `json:"threshold"`
	K           int          `json:"k"`
	By          string       `json:"by"`                 // StaticList, or the name of a chat model
	NoModel     bool         `json:"no_model,omitempty"` // the static list stands in for a chat model, because none is configured
	Chat        *chat.Usage  `json:"chat,omitempty"`
	Refused     int          `json:"refused"` // replies about weights and rewritten queries
	Plain       int          `json:"plain"`   // queries that were asked as they are, because no perspective had both a weight and a usable rewriting
	Systems     []*System    `json:"systems"`
	Comparisons []Comparison `json:"comparisons"`
	Views       []OfView     `json:"perspectives"`
	Readings    []Reading    `json:"readings"` // of the queries
	Answers     []Answer     `json:"answers,omitempty"`
	Steps       []Step       `json:"steps"`

	about    []string  // of the retrievers
	measures [2]string // names of recall and precision
}

// StaticList is the value of By without a chat model.
const StaticList = "static list"

// Comparison has the tests of a retriever's systems against the plain query, by recall.
type Comparison struct {
	Retriever string             `json:"retriever"`
	Tests     compare.Comparison `json:"tests"`
}

// OfView is how much a perspective mattered (Figure 4, over all queries).
type OfView struct {
	Perspective string  `json:"perspective"`
	Score       float64 `json:"score"`     // mean over the queries with scores
	Weighted    int     `json:"weighted"`  // queries for which it was asked
	Documents   float64 `json:"documents"` // mean k_i over those
}

// Reading is how a query was read.
type Reading struct {
	Query   string    `json:"query"`  // id
	Scores  []float64 `json:"scores"` // of the perspectives in their order; null if they were refused
	Views   []View    `json:"views"`
	Refused int       `json:"refused,omitempty"`
}

// View is a query that was asked from a perspective.
type View struct {
	Perspective string  `json:"perspective"` // "" if the query was asked as it is
	Weight      float64 `json:"weight"`
	K           int     `json:"k"` // documents that it retrieves
	Query       string  `json:"query"`
}

// report begins the report with how queries were read.
func (r *running) report(layout string, of int) *Report {
	out := &Report{Dataset: r.set.Name, Layout: layout, Judgements: r.set.Judgements, Relevant: r.Relevant, Queries: len(r.queries), Of: of, Seed: r.Tests.Seed,
		Domain: r.domain.Name, Threshold: r.Threshold, K: r.K, By: StaticList, NoModel: r.chat == nil, Comparisons: []Comparison{}}
	if r.chat != nil {
		out.By = r.chat.Model()
	}
	for _, p := range r.domain.Perspectives {
		out.Views = append(out.Views, OfView{Perspective: p.Name})
	}
	scored := 0
	for _, q := range r.queries {
		reading := Reading{Query: q.ID, Scores: q.Scores, Refused: q.Refused}
		if q.Scores != nil {
			scored++
		}
		for i, s := range q.Scores {
			out.Views[i].Score += s
		}
		for i, k := range mvrag.Share(q.Views, r.K) {
			v := q.Views[i]
			one := View{Weight: v.Weight, K: k, Query: v.Query}
			if v.Perspective == mvrag.Plain {
				out.Plain++
			} else {
				of := &out.Views[v.Perspective]
				one.Perspective = of.Perspective
				of.Weighted++
				of.Documents += float64(k)
			}
			reading.Views = append(reading.Views, one)
		}
		out.Refused += q.Refused
		out.Readings = append(out.Readings, reading)
	}
	for i := range out.Views {
		v := &out.Views[i]
		v.Score /= float64(max(1, scored))
		v.Documents /= float64(max(1, v.Weighted))
	}
	return out
}

// measure adds a retriever's systems to the report.
func (r *running) measure(out *Report, retriever, about string, systems []*System) error {
	var runs []*trec.Run
	var names []string
	for _, s := range systems {
		run := trec.NewRun(s.Name, s.Name)
		found := 0
		for i, ranked := range s.ranked {
			found += len(ranked)
			values := make([]float64, len(ranked))
			for j, f := range ranked {
				values[j] = f.Rel
			}
			scores, err := trec.Descending(values)
			if err != nil {
				return err
			}
			for j, f := range ranked {
				if err := run.Add(r.queries[i].ID, r.set.ID(f.Document), scores[j]); err != nil {
					return err
				}
			}
		}
		s.Retriever, s.Means, s.Found = retriever, map[string]float64{}, float64(found)/float64(len(r.queries))
		runs, names = append(runs, run), append(names, s.Name)
	}
	grade := ""
	if r.Relevant > 1 {
		grade = fmt.Sprintf("(rel=%d)", r.Relevant)
	}
	measures, err := trec.ParseMeasures([]string{fmt.Sprintf("R%s@%d", grade, r.K), fmt.Sprintf("P%s@%d", grade, r.K)})
	if err != nil {
		return err
	}
	values, missing, err := compare.Values(r.set.Qrels, runs, measures)
	if err != nil {
		return fault.As(fault.Input, err)
	}
	for n, v := range values {
		out.measures[n] = v.Measure
		for i, s := range systems {
			s.Means[v.Measure] = mean(v.Runs[i])
		}
	}
	for _, s := range systems {
		s.F1 = harmonic(s.Means[out.measures[0]], s.Means[out.measures[1]])
	}
	out.Systems, out.about = append(out.Systems, systems...), append(out.about, retriever+": "+about)
	if len(r.queries) < 2 {
		return nil
	}
	tests, err := r.Tests.CompareWithFirst(names, values[0], missing)
	out.Comparisons = append(out.Comparisons, Comparison{retriever, tests})
	return err
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// harmonic is F1 of recall and precision.
func harmonic(recall, precision float64) float64 {
	if recall+precision == 0 {
		return 0
	}
	return 2 * recall * precision / (recall + precision)
}
