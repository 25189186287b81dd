package main

import (
	"github.com/spf13/cobra"
)

func newEval() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Evaluate rankings against judgements",
		Long: `Evaluates rankings: those of a run file, or those of retrievers that it runs
itself on a test collection. Runs are in TREC's format, judgements in TREC's or
BEIR's. Measures have the names of trec_eval (map, P.5,10) and of ir_measures
(nDCG@10, RBP(p=0.8)@10).

Equal scores: if Vantage ranks, the document that comes first in the corpus is
first. If it reads a run, trec_eval's rule holds: the greater document id is
first. In the runs that it writes, equal scores differ by the smallest step, so
that both rules give the same figures.`,
		Example: `  vantage eval trec --qrels qrels.txt --run run.txt -m map -m nDCG@10
  vantage eval compare bm25.run dense.run --qrels qrels.txt -m nDCG@10
  vantage eval beir examples/debates
  vantage eval sides --model pack perspectrum/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usagef("unknown evaluation %q%s", args[0], nearest(cmd, args[0]))
		},
	}
	cmd.AddCommand(newEvalTrec(), newEvalCompare(), newEvalPIR(), newEvalRAG(), newEvalMVRAG(), newEvalPCAS(), newEvalPGRA(), newEvalBERDS(), newEvalBEIR(), newEvalSides())
	return cmd
}
