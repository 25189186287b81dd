package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// evaluatingTrec is a call of `vantage eval trec`.
type evaluatingTrec struct {
	qrels, run string
	measures   []string
	level      int
	options    trec.Options
	perQuery   bool
	noSummary  bool
}

func newEvalTrec() *cobra.Command {
	e := &evaluatingTrec{}
	cmd := &cobra.Command{
		Use:   "trec --qrels FILE --run FILE",
		Short: "Evaluate a run as trec_eval 9.0.8 does, line by line",
		Long: `Evaluates a run in TREC's format against judgements, TREC's or BEIR's (query-id,
corpus-id, score between tabs), and prints what trec_eval 9.0.8 prints, by its
conventions: the rank column is ignored, documents
are ranked by score (held as a 32-bit float) and equal scores by document id,
descending in the order of their bytes; queries that the run lacks are left out
unless -c is given; queries without judgements are ignored.

A measure is trec_eval's, with parameters after a dot (P.5,10), a nickname of
several (official, set, all_trec), or an ir_measures name (nDCG@10, P(rel=2)@5,
RBP(p=0.8)@10); the error for a name that is none lists those there are. Without
-m it is all_trec. -m may be repeated.

Measures over subtopics (alpha_nDCG@10, ERR_IA@10, StRecall@10 and others) take
the second column of the judgements as the name of a subtopic, as TREC's
diversity tasks do; for other measures in the same call a document's grade is
then its greatest.`,
		Example: `  vantage eval trec --qrels qrels.txt --run run.txt
  vantage eval trec --qrels qrels.txt --run run.txt -q -m map -m P.5,10
  vantage eval trec --qrels qrels.txt --run run.txt -c -m nDCG@10 -m 'P(rel=2)@5'
  vantage eval trec --qrels diversity.txt --run run.txt -m alpha_nDCG@10 -m ERR_IA@10`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return e.evaluate(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&e.qrels, "qrels", "", "`FILE` of judgements: TREC's (query, iteration, document, grade) or BEIR's .tsv; may be gzipped")
	f.StringVar(&e.run, "run", "", "`FILE` of results: query, Q0, document, rank, score, run id; may be gzipped")
	f.StringArrayVarP(&e.measures, "measure", "m", nil, "`MEASURE` to print (default all_trec)")
	completeFlag(cmd, "measure", measureNames)
	f.BoolVarP(&e.perQuery, "per-query", "q", false, "print each query's values too")
	f.BoolVarP(&e.options.Complete, "complete", "c", false, "average over all judged queries, those that the run lacks counting 0")
	f.IntVarP(&e.level, "level", "l", 1, "least `GRADE` that is relevant")
	f.VarP(positive{&e.options.MaxRetrieved}, "max-retrieved", "M", "look at no more than `N` documents of a query (default all)")
	f.BoolVarP(&e.options.JudgedOnly, "judged-only", "J", false, "drop documents without a judgement first")
	f.IntVarP(&e.options.Collection, "collection", "N", 0, "documents in the collection, for utility's last coefficient")
	f.BoolVarP(&e.noSummary, "no-summary", "n", false, "print no averages")
	return cmd
}

func (e *evaluatingTrec) evaluate(ctx context.Context) error {
	switch {
	case e.qrels == "" || e.run == "":
		return usagef("--qrels and --run are both needed")
	case e.level < 1 || e.level > math.MaxInt32:
		return usagef("--level %d: a relevant document has a grade from 1 on", e.level)
	case e.options.Collection < 0:
		return usagef("--collection counts documents: it cannot be negative")
	}
	e.options.Level = int32(e.level)
	measures, err := trec.ParseMeasures(e.measures)
	if err != nil {
		return fault.As(fault.Query, err)
	}
	qrels, err := runs.ReadQrels(ctx, e.qrels, measures, told())
	if err != nil {
		return err
	}
	run, err := inputs.Read(ctx, e.run, trec.ReadRun)
	if err != nil {
		return err
	}
	evaluation, err := trec.Evaluate(qrels, run, measures, e.options)
	if err != nil {
		return inputf("%s against %s: %w", e.run, e.qrels, err)
	}
	return printText(func(w io.Writer) error {
		if e.perQuery {
			for i := range evaluation.Queries {
				if _, err := w.Write(evaluation.AppendQuery(nil, i)); err != nil {
					return fmt.Errorf("query %s: %w", evaluation.Queries[i].Query, err)
				}
			}
		}
		_, err := w.Write(evaluation.AppendLines(nil, trec.Lines{Summary: !e.noSummary}))
		return err
	})
}
