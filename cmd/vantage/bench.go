package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/accuracy"
	"github.com/vantage-search/vantage/internal/model/named"
)

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure quantisation and scoring methods",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchQuantize(), newBenchMethods())
	return cmd
}

func newBenchQuantize() *cobra.Command {
	var model string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "quantize DATA...",
		Short: "Compare rankings of quantised vectors with the exact ones",
		Long: `Ranks every query of DATA by every scoring method that needs no angles, on float32
vectors and on float16 and int8 ones, and prints the share of the exact top 10 that
is still there (recall@10) and Kendall's τ between the whole rankings, as means over
the queries.

DATA is a folder in BEIR's layout (corpus.jsonl, queries.jsonl; queries may have
"root" and "perspective") or the PIR benchmark's demo file.`,
		Example: `  vantage bench quantize examples/debates
  vantage bench quantize examples/debates demo_pir_dataset.json --json`,
		Args: data("DATA is missing: name a folder with corpus.jsonl and queries.jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := accuracy.Evaluate(cmd.Context(), args, model, told())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(r.Costs)
			}
			return printText(r.Print)
		},
	}
	modelFlag(cmd, &model, named.Builtin, "encoder: static (built in) or the `DIR` of another static model")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	return cmd
}
