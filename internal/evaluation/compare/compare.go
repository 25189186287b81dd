// Package compare tests whether runs differ over the same queries.
package compare

import (
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/trec"
)

// Tests are the options of the tests between runs.
type Tests struct {
	Rounds int    // rounds of the bootstrap and of the randomisation test
	Seed   uint64 // seed of the random numbers
}

// Check refuses numbers of rounds that are meaningless or would take too long.
func (c *Tests) Check() error {
	if c.Rounds < 1 || c.Rounds > 10_000_000 {
		return fault.Errorf(fault.Query, "--rounds is %d, must be from 1 to 10 million", c.Rounds)
	}
	return nil
}

// Comparison holds the mean of one measure for each run, and the tests of each pair of
// runs.
type Comparison struct {
	Measure    string        `json:"measure"`
	Queries    int           `json:"queries"`
	Confidence float64       `json:"confidence"` // confidence level of the intervals
	Rounds     int           `json:"rounds"`
	Seed       uint64        `json:"seed"`
	Runs       []ComparedRun `json:"runs"`
	Pairs      []Pair        `json:"pairs"`
}

// ComparedRun is a run in a Comparison.
type ComparedRun struct {
	Run     string  `json:"run"`
	Mean    float64 `json:"mean"`
	Low     float64 `json:"low"` // bootstrap interval of the mean
	High    float64 `json:"high"`
	Missing int     `json:"missing"` // queries without results; they count 0
}

// Pair is the comparison of two runs.
type Pair struct {
	A          string   `json:"a"`
	B          string   `json:"b"`
	Difference float64  `json:"difference"` // mean of b − a
	Low        float64  `json:"low"`        // bootstrap interval of Difference
	High       float64  `json:"high"`
	Better     int      `json:"better"` // queries for which b has the greater value
	Worse      int      `json:"worse"`
	T          *float64 `json:"t"` // null if infinite
	PT         float64  `json:"p_t_test"`
	PTHolm     float64  `json:"p_t_test_holm"`
	PR         float64  `json:"p_randomization"`
	PRHolm     float64  `json:"p_randomization_holm"`
}

// Compare tests every run against every other by one measure.
func (c *Tests) Compare(names []string, v trec.Values, missing trec.Missing) (Comparison, error) {
	return c.compare(names, v, missing, len(v.Runs))
}

// CompareWithFirst tests every run after the first one against it by one measure.
func (c *Tests) CompareWithFirst(names []string, v trec.Values, missing trec.Missing) (Comparison, error) {
	return c.compare(names, v, missing, 1)
}

// compare tests each of the first runs, whose number is firsts, against all runs after it.
func (c *Tests) compare(names []string, v trec.Values, missing trec.Missing, firsts int) (Comparison, error) {
	r := Comparison{Measure: v.Measure, Queries: len(v.Queries), Confidence: significance.Confidence, Rounds: c.Rounds, Seed: c.Seed, Pairs: []Pair{}}
	for i, values := range v.Runs {
		mean, interval, err := significance.Mean(values, c.Rounds, c.Seed)
		if err != nil {
			return r, err
		}
		r.Runs = append(r.Runs, ComparedRun{names[i], mean, interval.Low, interval.High, missing[i]})
	}
	var ts, rs []float64
	for i := range firsts {
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

func (c *Tests) pair(a, b []float64) (Pair, error) {
	t, err := significance.ComparePair(a, b, c.Rounds, c.Seed)
	p := Pair{
		Difference: t.Difference, Low: t.Interval.Low, High: t.Interval.High, Better: t.Better, Worse: t.Worse,
		PT: t.P, PR: t.Randomization,
	}
	if !math.IsInf(t.T, 0) {
		p.T = &t.T
	}
	return p, err
}

// Tables are a table of the means, and a table of the pairs with their tests.
func (r *Comparison) Tables() []report.Table {
	means := report.Table{Name: "means-" + r.Measure, Stub: "run",
		Caption: fmt.Sprintf("%s over %s, intervals of 95 %%, %d rounds, seed %d", r.Measure, human.Count(r.Queries, "query"), r.Rounds, r.Seed),
		Columns: []report.Column{{Name: "mean", Decimals: 4}, {Group: "interval", Name: "from", Decimals: 4}, {Group: "interval", Name: "to", Decimals: 4}}}
	for _, run := range r.Runs {
		means.Rows = append(means.Rows, report.Row{Label: run.Run,
			Cells: []report.Cell{report.Figure(run.Mean), report.Figure(run.Low), report.Figure(run.High)}})
	}
	return []report.Table{means, r.PairTable()}
}

// PairTable is the table of the tests.
func (r *Comparison) PairTable() report.Table {
	t := report.Table{Name: "tests-" + r.Measure, Stub: "pair",
		Caption: fmt.Sprintf("%s, the second minus the first over %s: intervals of 95 %%, two-sided p, Holm's correction over %s",
			r.Measure, human.Count(r.Queries, "query"), human.Count(len(r.Pairs), "pair")),
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
