package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/pirtables"
)

// evaluatingPIR is a call of `vantage eval pir`.
type evaluatingPIR struct {
	methods   []string
	decompose bool
	sweep     string
	sweepTo   string
	runs      string
	report    reportFlags
	retrieverFlags
}

func newEvalPIR() *cobra.Command {
	e := &evaluatingPIR{}
	cmd := &cobra.Command{
		Use:   "pir DATA... --retriever NAME",
		Short: "Evaluate retrievers and scoring methods on the PIR benchmark",
		Long: `Ranks every query of the perspective-aware retrieval benchmark (Beyond Relevance,
Zhao et al. 2024) by every scoring method, and prints the paper's Tables 2, 3, 4
and 8 with its figures beside ours, then everything by task: Recall@1/5/10
overall, per label and macro-averaged, p-Recall and its variants, root queries,
and what they are biased towards.

DATA is the demo file, a task's folder (corpus.jsonl, queries.jsonl, and
qrels/test.jsonl or qrels/test.tsv; queries have a root and a perspective), or a
folder of such folders.

--decompose splits every query into root and perspective by its wording, as a
search does that is given only a query, and measures QA-F1 and what becomes of
Recall@5. --sweep writes the figures of pap and pap+ over λ as CSV and a chart.
--runs writes what was ranked for 'vantage eval trec' and 'compare'.

A retriever is bm25 (rank_bm25's Okapi, as in the paper), static (the built-in
encoder, English only; also called english), another MODEL by its folder or its
name on the hub, or vectors:DIR, a folder of TASK_corpus.npy, TASK_queries.npy,
TASK_source_queries.npy and TASK_perspectives.npy. --retriever may be repeated.

` + modelOptions + `
Models are in memory one after the other. If several retrievers have the same
methods, figures in JSON are named METHOD of RETRIEVER, and runs
TASK.METHOD.RETRIEVER.run.

Methods, by these names or the notebook's modes:
` + methodTable(),
		Example: `  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static
  vantage eval pir examples/debates --retriever static --methods none,pap,pap+
  vantage eval pir demo_pir_dataset.json --retriever ./context-encoder --query-model ./question-encoder
  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever ./minilm --retriever ./bert,pooling=cls
  vantage eval pir demo_pir_dataset.json --retriever vectors:emb --json out.json --latex tables.tex
  vantage eval pir demo_pir_dataset.json --retriever static --sweep lambda=-2:2:0.1
  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static --decompose
  vantage eval pir examples/debates --retriever bm25 --retriever static --runs runs
  vantage eval compare runs/debates.bm25.run runs/debates.vec_projection.run --qrels runs/debates.qrels -c -m Success@5`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("DATA is missing: name the demo file of PIR, or a task's folder")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd.Context(), args) },
	}
	f := cmd.Flags()
	e.register(cmd, "", "`NAME` of a retriever: bm25, static, MODEL, or vectors:DIR; may be repeated", pireval.BM25Name, builtinName, vectorsPrefix)
	f.StringSliceVar(&e.methods, "methods", []string{"all"}, "scoring `METHODS`, with commas between them, for retrievers by vectors")
	f.BoolVar(&e.decompose, "decompose", false, "measure also how queries are taken apart by their wording, as Table 6")
	f.StringVar(&e.sweep, "sweep", "", "evaluate pap and pap+ also over strengths, as `lambda=FROM:TO:STEP`")
	f.StringVar(&e.sweepTo, "sweep-to", "sweep", "`NAME` of the sweep's files, NAME.csv and NAME.svg")
	f.StringVar(&e.runs, "runs", "", "write the rankings as TREC runs, and the judgements, to a folder `DIR`")
	completeMethods(cmd)
	e.report.register(cmd)
	return cmd
}

func (e *evaluatingPIR) evaluate(ctx context.Context, data []string) (err error) {
	if err := e.report.check(); err != nil {
		return err
	}
	chosen, err := e.choose(ctx)
	if err != nil {
		return err
	}
	tasks, err := readPIR(data)
	if err != nil {
		return err
	}
	runs, err := newPIRRuns(e.runs, tasks)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			runs.abandon()
		}
	}()
	if err := e.try(ctx, chosen, tasks); err != nil {
		return err
	}
	show := newProgress()
	defer show.stop()
	evaluation := pirtables.Evaluation{Data: dataName(data), Tasks: tasks}
	var sweeps []pireval.Run
	for i := range chosen {
		sweep, err := e.run(ctx, &chosen[i], &evaluation, runs, show)
		if err != nil {
			return err
		}
		if len(sweep.Methods) > 0 {
			sweeps = append(sweeps, sweep)
		}
	}
	report := pireval.NewReport(evaluation.Data, evaluation.Runs)
	for _, d := range evaluation.Decomposed {
		report.AddDecompositions(d.Retriever, d.Tasks)
	}
	show.end()
	runs.tell()
	for i := range sweeps {
		if err := e.writeSweep(&evaluation, &sweeps[i], len(sweeps) > 1); err != nil {
			return err
		}
	}
	return e.report.write(report, evaluation.All())
}

// run evaluates one retriever, whose model is open only meanwhile, and returns its
// figures over λ.
func (e *evaluatingPIR) run(ctx context.Context, c *chosenRetriever, evaluation *pirtables.Evaluation, runs *pirRuns, show *progress) (sweep pireval.Run, err error) {
	retriever, close, err := c.open(ctx)
	if err != nil {
		return sweep, err
	}
	defer func() { err = errors.Join(err, close()) }()
	tasks := evaluation.Tasks
	run, err := pireval.Evaluate(ctx, tasks, retriever, slices.Concat(c.methods, c.swept), func(stage string, done, total int) {
		show.update(stage, int64(done), int64(total))
	}, runs.keep(c.label, c.several, c.methods))
	if err != nil {
		return sweep, err
	}
	run, sweep = run.Cut(len(c.methods))
	evaluation.Runs = append(evaluation.Runs, run)
	if !e.decompose {
		return sweep, nil
	}
	d := pirtables.Decomposed{Retriever: c.label}
	for i := range tasks {
		show.update(decomposeStage, int64(i), int64(len(tasks)))
		of, err := pireval.Decomposed(ctx, &tasks[i], retriever, c.methods)
		if err != nil {
			return sweep, err
		}
		d.Tasks = append(d.Tasks, pireval.Member[pireval.Decomposition]{Name: tasks[i].Name, Value: of})
	}
	show.update(decomposeStage, int64(len(tasks)), int64(len(tasks)))
	evaluation.Decomposed = append(evaluation.Decomposed, d)
	return sweep, nil
}

// decomposeStage is counted in tasks.
const decomposeStage = "decompose"

// writeSweep writes the figures over λ and their chart. Of several retrievers, the
// name stands before the files' endings.
func (e *evaluatingPIR) writeSweep(evaluation *pirtables.Evaluation, run *pireval.Run, several bool) error {
	name := e.sweepTo
	if several {
		name += "." + runTag(run.Retriever)
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{name + ".csv", func(w io.Writer) error { return pirtables.SweepCSV(w, run) }},
		{name + ".svg", func(w io.Writer) error { c := evaluation.SweepChart(run); return c.SVG(w) }},
	}
	for _, f := range files {
		if err := replaceFile(f.name, f.write); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "%s and %s: %s over λ\n", escape(files[0].name), escape(files[1].name), count(len(run.Methods), "figure"))
	return nil
}

// readPIR reads the tasks of all data, each name once.
func readPIR(data []string) ([]pir.Task, error) {
	var tasks []pir.Task
	from := map[string]string{}
	for _, path := range data {
		read, err := pir.Open(path)
		if err != nil {
			return nil, &inputError{err}
		}
		for _, t := range read {
			if other, taken := from[t.Name]; taken {
				return nil, inputf("task %s is both in %s and in %s: evaluate them one at a time", t.Name, other, path)
			}
			from[t.Name] = path
			if t.Unjudged > 0 {
				warn(stderr, "%s: %s of task %s without a gold text left out", path, count(t.Unjudged, "query"), t.Name)
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// dataName names data in captions.
func dataName(data []string) string {
	names := make([]string, len(data))
	for i, path := range data {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, " and ")
}
