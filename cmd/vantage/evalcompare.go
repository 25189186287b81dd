package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/trec"
)

// comparing is a call of `vantage eval compare`.
type comparing struct {
	qrels    string
	runs     []string
	measures []string
	level    int
	complete bool
	tests    tests
	asJSON   bool
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
	f.StringVar(&c.qrels, "qrels", "", "`FILE` of judgements: TREC's (query, iteration, document, grade) or BEIR's .tsv; may be gzipped")
	f.StringArrayVarP(&c.measures, "measure", "m", nil, "`MEASURE` to compare by")
	completeFlag(cmd, "measure", measureNames)
	f.IntVarP(&c.level, "level", "l", 1, "least `GRADE` that is relevant")
	f.BoolVarP(&c.complete, "complete", "c", false, "over all judged queries")
	c.tests.register(cmd)
	f.BoolVar(&c.asJSON, "json", false, "print JSON")
	return cmd
}

func (c *comparing) compare(ctx context.Context) error {
	switch {
	case c.qrels == "":
		return usagef("--qrels is needed")
	case len(c.measures) == 0:
		return usagef("name a measure with -m, such as -m nDCG@10")
	case c.level < 1 || c.level > math.MaxInt32:
		return usagef("--level %d: a relevant document has a grade from 1 on", c.level)
	}
	if err := c.tests.check(); err != nil {
		return err
	}
	measures, err := trec.ParseMeasures(c.measures)
	if err != nil {
		return &usageError{err}
	}
	qrels, err := readQrels(ctx, c.qrels, measures)
	if err != nil {
		return err
	}
	runs := make([]*trec.Run, len(c.runs))
	for i, path := range c.runs {
		if runs[i], err = readFile(ctx, path, trec.ReadRun); err != nil {
			return err
		}
	}
	values, missing, err := trec.CompareValues(qrels, runs, measures, trec.Options{Level: int32(c.level), Complete: c.complete})
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
		if out[i], err = c.tests.compare(c.runs, v, missing); err != nil {
			return &inputError{fmt.Errorf("%s: %w", v.Measure, err)}
		}
	}
	if c.asJSON {
		return printJSON(out)
	}
	var tables []report.Table
	for i := range out {
		tables = append(tables, out[i].tables()...)
	}
	return printText(func(w io.Writer) error { return report.Text(w, tables...) })
}
