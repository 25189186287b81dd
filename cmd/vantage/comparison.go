package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/trec"
)

// tests are how systems are tested against each other.
type tests struct {
	rounds int
	seed   uint64
}

func (c *tests) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&c.rounds, "rounds", 10000, "`N` of the bootstrap and the randomisation test")
	f.Uint64Var(&c.seed, "seed", 1, "`NUMBER` that decides what is drawn")
}

func (c *tests) check() error {
	if c.rounds < 1 || c.rounds > 10_000_000 {
		return usagef("--rounds %d: between 1 and 10 million", c.rounds)
	}
	return nil
}

// comparison are the means of one measure for each of some runs, and the tests
// of each run against each.
type comparison struct {
	Measure    string        `json:"measure"`
	Queries    int           `json:"queries"`
	Confidence float64       `json:"confidence"` // of the intervals
	Rounds     int           `json:"rounds"`
	Seed       uint64        `json:"seed"`
	Runs       []comparedRun `json:"runs"`
	Pairs      []pair        `json:"pairs"`
}

type comparedRun struct {
	Run     string  `json:"run"`
	Mean    float64 `json:"mean"`
	Low     float64 `json:"low"` // bootstrap interval of the mean
	High    float64 `json:"high"`
	Missing int     `json:"missing"` // queries counted 0
}

type pair struct {
	A          string   `json:"a"`
	B          string   `json:"b"`
	Difference float64  `json:"difference"` // mean of b − a
	Low        float64  `json:"low"`        // its bootstrap interval
	High       float64  `json:"high"`
	Better     int      `json:"better"` // queries for which b has the greater value
	Worse      int      `json:"worse"`
	T          *float64 `json:"t"` // null where infinite
	PT         float64  `json:"p_t_test"`
	PTHolm     float64  `json:"p_t_test_holm"`
	PR         float64  `json:"p_randomization"`
	PRHolm     float64  `json:"p_randomization_holm"`
}

// compare tests every run against every other by one measure.
func (c *tests) compare(names []string, v trec.Values, missing trec.Missing) (comparison, error) {
	r := comparison{Measure: v.Measure, Queries: len(v.Queries), Confidence: significance.Confidence, Rounds: c.rounds, Seed: c.seed, Pairs: []pair{}}
	for i, values := range v.Runs {
		mean, interval, err := significance.Mean(values, c.rounds, c.seed)
		if err != nil {
			return r, err
		}
		r.Runs = append(r.Runs, comparedRun{names[i], mean, interval.Low, interval.High, missing[i]})
	}
	var ts, rs []float64
	for i := range v.Runs {
		for j := i + 1; j < len(v.Runs); j++ {
			p, err := c.pair(v.Runs[i], v.Runs[j])
			if err != nil {
				return r, err
			}
			p.A, p.B = names[i], names[j]
			r.Pairs = append(r.Pairs, p)
			ts, rs = append(ts, p.PT), append(rs, p.PR)
		}
	}
	ts, rs = significance.Holm(ts), significance.Holm(rs)
	for i := range r.Pairs {
		r.Pairs[i].PTHolm, r.Pairs[i].PRHolm = ts[i], rs[i]
	}
	return r, nil
}

func (c *tests) pair(a, b []float64) (pair, error) {
	t, err := significance.ComparePair(a, b, c.rounds, c.seed)
	p := pair{
		Difference: t.Difference, Low: t.Interval.Low, High: t.Interval.High, Better: t.Better, Worse: t.Worse,
		PT: t.P, PR: t.Randomization,
	}
	if !math.IsInf(t.T, 0) {
		p.T = &t.T
	}
	return p, err
}

// tables lay a comparison out: the means, and the pairs with their tests.
func (r *comparison) tables() []report.Table {
	means := report.Table{Name: "means-" + r.Measure, Stub: "run",
		Caption: fmt.Sprintf("%s over %s, intervals of 95 %%, %d rounds, seed %d", r.Measure, count(r.Queries, "query"), r.Rounds, r.Seed),
		Columns: []report.Column{{Name: "mean", Decimals: 4}, {Group: "interval", Name: "from", Decimals: 4}, {Group: "interval", Name: "to", Decimals: 4}}}
	for _, run := range r.Runs {
		means.Rows = append(means.Rows, report.Row{Label: run.Run,
			Cells: []report.Cell{report.Figure(run.Mean), report.Figure(run.Low), report.Figure(run.High)}})
	}
	return []report.Table{means, r.pairs()}
}

// pairs is the table of the tests.
func (r *comparison) pairs() report.Table {
	t := report.Table{Name: "tests-" + r.Measure, Stub: "pair",
		Caption: fmt.Sprintf("%s, the second less the first over %s: intervals of 95 %%, two-sided p, Holm's correction over %s",
			r.Measure, count(r.Queries, "query"), count(len(r.Pairs), "pair")),
		Columns: []report.Column{{Name: "difference", Decimals: 4}, {Group: "interval", Name: "from", Decimals: 4}, {Group: "interval", Name: "to", Decimals: 4},
			{Group: "queries", Name: "better"}, {Group: "queries", Name: "worse"},
			{Group: "paired t-test", Name: "t", Decimals: 3}, {Group: "paired t-test", Name: "p", Decimals: 4}, {Group: "paired t-test", Name: "Holm", Decimals: 4},
			{Group: "randomisation", Name: "p", Decimals: 4}, {Group: "randomisation", Name: "Holm", Decimals: 4}}}
	for _, p := range r.Pairs {
		statistic := report.Word("infinite")
		if p.T != nil {
			statistic = report.Figure(*p.T)
		}
		t.Rows = append(t.Rows, report.Row{Label: p.A + " → " + p.B, Cells: []report.Cell{
			report.Figure(p.Difference), report.Figure(p.Low), report.Figure(p.High), report.Count(p.Better), report.Count(p.Worse),
			statistic, report.Figure(p.PT), report.Figure(p.PTHolm), report.Figure(p.PR), report.Figure(p.PRHolm)}})
	}
	return t
}
