package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/evaluation/accuracy"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
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
	cmd.AddCommand(newBenchQuantize())
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
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("DATA is missing: name a folder with corpus.jsonl and queries.jsonl")
			}
			return nil
		},
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
		found, err := readTasks(ctx, path)
		if err != nil {
			return err
		}
		tasks = append(tasks, found...)
	}
	show := newProgress()
	defer show.Stop()
	costs := []accuracy.Cost{}
	for i, task := range tasks {
		show.Update("rank", int64(i), int64(len(tasks)))
		found, err := accuracy.Measure(ctx, encoder, task)
		if err != nil {
			return err
		}
		costs = append(costs, found...)
	}
	show.Update("rank", int64(len(tasks)), int64(len(tasks)))
	show.End()
	if asJSON {
		return printJSON(costs)
	}
	return printText(func(w io.Writer) error { return printCosts(w, tasks, costs) })
}

// readTasks reads a BEIR folder or a demo file of PIR.
func readTasks(ctx context.Context, path string) ([]accuracy.Task, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputf("%s: %w: check the path", path, unnamed(err))
	}
	if info.IsDir() {
		task, err := readBEIR(ctx, path)
		return []accuracy.Task{task}, err
	}
	read, err := pir.ReadFile(path)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	var tasks []accuracy.Task
	for _, t := range read {
		task := accuracy.Task{Name: t.Name, Documents: t.Corpus}
		for i, text := range t.Queries {
			q := accuracy.Query{Text: text, Root: t.Roots[i]}
			if t.OwnPerspectives() {
				q.Perspectives = []string{t.Perspectives[i]}
			}
			task.Queries = append(task.Queries, q)
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

func readBEIR(ctx context.Context, dir string) (accuracy.Task, error) {
	task := accuracy.Task{Name: filepath.Base(dir)}
	c, err := corpus.Open(filepath.Join(dir, "corpus.jsonl"), corpus.Options{})
	if err != nil {
		return task, err
	}
	for doc, err := range c.Documents() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return task, err
		}
		task.Documents = append(task.Documents, doc.EncodedText())
	}
	queries, err := readQueries(ctx, filepath.Join(dir, "queries.jsonl"), vantage.Query{})
	if err != nil {
		return task, err
	}
	for _, q := range queries {
		out := accuracy.Query{Text: q.Query.Query.Text}
		if q.Root != nil {
			out.Root = q.Root.Text
		}
		for _, p := range q.Perspectives {
			out.Perspectives = append(out.Perspectives, p.Text)
		}
		task.Queries = append(task.Queries, out)
	}
	return task, nil
}

// printCosts prints a table per task, in Markdown: a row per method.
func printCosts(w io.Writer, tasks []accuracy.Task, costs []accuracy.Cost) error {
	perTask := len(costs) / len(tasks)
	methods := perTask / len(accuracy.Precisions)
	for i, task := range tasks {
		of := costs[i*perTask : (i+1)*perTask]
		fmt.Fprintf(w, "## %s: %d documents, %d queries\n\n", task.Name, len(task.Documents), len(task.Queries))
		head, rule := fmt.Sprintf("| %-23s | queries |", "method"), "|"+strings.Repeat("-", 25)+"|--------:|"
		for _, dtype := range accuracy.Precisions {
			head += fmt.Sprintf(" %3s recall@%d | %3s τ   |", dtype, accuracy.K, dtype)
			rule += strings.Repeat("-", 14) + ":|" + strings.Repeat("-", 8) + ":|"
		}
		fmt.Fprintf(w, "%s\n%s\n", head, rule)
		for m := range methods {
			fmt.Fprintf(w, "| %-23s | %7d |", of[m].Method, of[m].Queries)
			for p := range accuracy.Precisions {
				c := of[p*methods+m]
				fmt.Fprintf(w, " %13.4f | %7.5f |", c.Recall, c.Tau)
			}
			fmt.Fprintln(w)
		}
		if i < len(tasks)-1 {
			fmt.Fprintln(w)
		}
	}
	return nil
}
