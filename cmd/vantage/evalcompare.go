package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// comparing is a call of `vantage eval compare`.
type comparing struct {
	files  compare.Files
	tests  compare.Tests
	asJSON bool
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

The runs are compared over the judged queries that at least one of them answers (with
-c, over all judged ones). A query that a run lacks counts 0 for that run. Measures are
named as for 'vantage eval trec'.`,
		Example: `  vantage eval compare bm25.txt dense.txt --qrels qrels.txt -m nDCG@10
  vantage eval compare a.txt b.txt c.txt --qrels qrels.txt -m map -m P.5 --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("at least two runs are needed, not %d", len(args))
			}
			c.files.Runs = args
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return c.compare(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&c.files.Qrels, "qrels", "", "`FILE` of judgements: TREC's (query, iteration, document, grade) or BEIR's .tsv; may be gzipped")
	f.StringArrayVarP(&c.files.Measures, "measure", "m", nil, "`MEASURE` to compare by")
	completeFlag(cmd, "measure", measureNames)
	f.IntVarP(&c.files.Level, "level", "l", 1, "least `GRADE` that is relevant")
	f.BoolVarP(&c.files.Complete, "complete", "c", false, "over all judged queries")
	testFlags(cmd, &c.tests)
	f.BoolVar(&c.asJSON, "json", false, "print JSON")
	return cmd
}

func (c *comparing) compare(ctx context.Context) error {
	comparisons, err := c.files.Compare(ctx, &c.tests, told())
	if err != nil {
		return err
	}
	if c.asJSON {
		return printJSON(comparisons)
	}
	var tables []report.Table
	for i := range comparisons {
		tables = append(tables, comparisons[i].Tables()...)
	}
	return printText(func(w io.Writer) error { return report.Text(w, tables...) })
}
