package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/wasm/metrics/significance"
	"github.com/vantage-search/vantage/wasm/metrics/trec"
)

// comparing is a call of `vantage eval compare`.
type comparing struct {
	qrels    string
	runs     []string
	measures []string
	complete bool
	rounds   int
	seed     uint64
	asJSON   bool
}

// comparison is what `vantage eval compare --json` prints for each measure.
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

func newEvalCompare() *cobra.Command {
	c := &comparing{}
	cmd := &cobra.Command{
		Use:   "compare RUN RUN… --qrels FILE -m MEASURE",
		Short: "Test whether runs differ, over the same queries",
		Long: `Compares runs in TREC's format, each with each: the mean of every measure with a
bootstrap interval of 95 %, and for each pair the difference with its interval,
the p-values of a paired t-test and of Fisher's randomisation test (both
two-sided), and both after Holm's correction over all pairs.

The queries are all judged ones that at least one run answers (with -c all judged
ones); where a run lacks one, it counts 0. Measures are named as for
'vantage eval trec'.`,
		Example: `  vantage eval compare bm25.txt dense.txt --qrels qrels.txt -m nDCG@10
  vantage eval compare a.txt b.txt c.txt --qrels qrels.txt -m map -m P.5 --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("two runs or more are to be compared, not %d", len(args))
			}
			c.runs = args
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return c.compare(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&c.qrels, "qrels", "", "`FILE` of judgements: query, iteration, document, grade")
	f.StringArrayVarP(&c.measures, "measure", "m", nil, "`MEASURE` to compare by")
	f.BoolVarP(&c.complete, "complete", "c", false, "over all judged queries")
	f.IntVar(&c.rounds, "rounds", 10000, "`N` of the bootstrap and the randomisation test")
	f.Uint64Var(&c.seed, "seed", 1, "`NUMBER` that decides what is drawn")
	f.BoolVar(&c.asJSON, "json", false, "print JSON")
	return cmd
}

func (c *comparing) compare(ctx context.Context) error {
	switch {
	case c.qrels == "":
		return usagef("--qrels is needed")
	case len(c.measures) == 0:
		return usagef("name a measure with -m, such as -m nDCG@10")
	case c.rounds < 1 || c.rounds > 10_000_000:
		return usagef("--rounds %d: between 1 and 10 million", c.rounds)
	}
	measures, err := trec.ParseMeasures(c.measures)
	if err != nil {
		return &usageError{err}
	}
	qrels, err := readFile(ctx, c.qrels, trec.ReadQrels)
	if err != nil {
		return err
	}
	runs := make([]*trec.Run, len(c.runs))
	for i, path := range c.runs {
		if runs[i], err = readFile(ctx, path, trec.ReadRun); err != nil {
			return err
		}
	}
	values, missing, err := trec.CompareValues(qrels, runs, measures, trec.Options{Complete: c.complete})
	if err != nil {
		return &inputError{err}
	}
	for i, n := range missing {
		if n > 0 {
			warn(stderr, "%s lacks %d of %d queries: they count 0", c.runs[i], n, len(values[0].Queries))
		}
	}
	out := make([]comparison, len(values))
	for i, v := range values {
		if out[i], err = c.test(v, missing); err != nil {
			return &inputError{fmt.Errorf("%s: %w", v.Measure, err)}
		}
	}
	if c.asJSON {
		return printJSON(out)
	}
	return printText(func(w io.Writer) error {
		for i := range out {
			if err := out[i].print(w); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *comparing) test(v trec.Values, missing trec.Missing) (comparison, error) {
	r := comparison{Measure: v.Measure, Queries: len(v.Queries), Confidence: significance.Confidence, Rounds: c.rounds, Seed: c.seed, Pairs: []pair{}}
	for i, values := range v.Runs {
		mean, interval, err := significance.Mean(values, c.rounds, c.seed)
		if err != nil {
			return r, err
		}
		r.Runs = append(r.Runs, comparedRun{c.runs[i], mean, interval.Low, interval.High, missing[i]})
	}
	var ts, rs []float64
	for i := range v.Runs {
		for j := i + 1; j < len(v.Runs); j++ {
			p, err := c.pair(v.Runs[i], v.Runs[j])
			if err != nil {
				return r, err
			}
			p.A, p.B = c.runs[i], c.runs[j]
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

func (c *comparing) pair(a, b []float64) (pair, error) {
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

func (r *comparison) print(w io.Writer) error {
	fmt.Fprintf(w, "%s over %s, intervals of 95 %%, %d rounds, seed %d\n\n", r.Measure, count(r.Queries, "query"), r.Rounds, r.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tmean\tinterval")
	for _, run := range r.Runs {
		fmt.Fprintf(t, "%s\t%.4f\t%.4f to %.4f\n", oneLine(run.Run), run.Mean, run.Low, run.High)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "pair\tdifference\tinterval\tbetter/worse\tt\tp\tHolm\trandomised p\tHolm")
	for _, p := range r.Pairs {
		statistic := "infinite"
		if p.T != nil {
			statistic = fmt.Sprintf("%.3f", *p.T)
		}
		fmt.Fprintf(t, "%s → %s\t%+.4f\t%+.4f to %+.4f\t%d/%d\t%s\t%.2g\t%.2g\t%.2g\t%.2g\n", oneLine(p.A), oneLine(p.B), p.Difference, p.Low, p.High,
			p.Better, p.Worse, statistic, p.PT, p.PTHolm, p.PR, p.PRHolm)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
