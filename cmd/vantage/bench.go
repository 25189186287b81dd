package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/accuracy"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what a choice costs",
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
		Long: `Ranks every query of DATA by every scoring method, on float32 vectors and on
float16 and int8 ones, and prints the share of the exact top 10 that is still
there (recall@10) and Kendall's τ between the whole rankings, as means over the
queries.

DATA is a folder in BEIR's layout (corpus.jsonl, queries.jsonl; queries may have
"root" and "perspective") or the PIR benchmark's demo file.`,
		Example: `  vantage bench quantize examples/debates
  vantage bench quantize examples/debates demo_pir_dataset.json --json`,
		Args: data("DATA is missing: name a folder with corpus.jsonl and queries.jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return benchQuantize(cmd.Context(), args, model, asJSON)
		},
	}
	modelFlag(cmd, &model, named.Builtin, "encoder: static (built in) or the `DIR` of another static model")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	return cmd
}

func benchQuantize(ctx context.Context, data []string, model string, asJSON bool) error {
	files, err := named.LoadStatic(ctx, model, told())
	if err != nil {
		return err
	}
	encoder, err := files.Open()
	if err != nil {
		return fault.As(fault.Input, err)
	}
	var tasks []accuracy.Task
	for _, path := range data {
		found, err := accuracy.Read(ctx, path)
		if err != nil {
			return err
		}
		tasks = append(tasks, found...)
	}
	costs, err := accuracy.MeasureAll(ctx, encoder, tasks, told().Progress())
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(costs)
	}
	return printText(func(w io.Writer) error { return accuracy.Print(w, tasks, costs) })
}
