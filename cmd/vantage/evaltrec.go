package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/runs"
)

func newEvalTrec() *cobra.Command {
	e := &runs.Evaluation{}
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := e.Evaluate(cmd.Context(), told())
			if err != nil {
				return err
			}
			return printText(func(w io.Writer) error { return e.Print(w, found) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.Qrels, "qrels", "", "`FILE` of judgements: TREC's (query, iteration, document, grade) or BEIR's .tsv; may be gzipped")
	f.StringVar(&e.Run, "run", "", "`FILE` of results: query, Q0, document, rank, score, run id; may be gzipped")
	f.StringArrayVarP(&e.Measures, "measure", "m", nil, "`MEASURE` to print (default all_trec)")
	completeFlag(cmd, "measure", measureNames)
	f.BoolVarP(&e.PerQuery, "per-query", "q", false, "print each query's values too")
	f.BoolVarP(&e.Options.Complete, "complete", "c", false, "average over all judged queries, those that the run lacks counting 0")
	f.IntVarP(&e.Level, "level", "l", 1, "least `GRADE` that is relevant")
	f.VarP(positive{&e.Options.MaxRetrieved}, "max-retrieved", "M", "look at no more than `N` documents of a query (default all)")
	f.BoolVarP(&e.Options.JudgedOnly, "judged-only", "J", false, "drop documents without a judgement first")
	f.IntVarP(&e.Options.Collection, "collection", "N", 0, "documents in the collection, for utility's last coefficient")
	f.BoolVarP(&e.NoSummary, "no-summary", "n", false, "print no averages")
	return cmd
}
