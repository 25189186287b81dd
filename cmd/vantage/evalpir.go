package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/model/pir"
	"github.com/vantage-search/vantage/model/pir/evaluate"
	"github.com/vantage-search/vantage/model/pir/tables"
)

// evaluatingPIR is a call of `vantage eval pir`.
type evaluatingPIR struct {
	retrievers []string
	methods    []string
	decompose  bool
	sweep      string
	sweepTo    string
	device     deviceFlags
	int8       bool
	runs       string
	reportFlags
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
encoder, English only; also called english), the DIR of a model, or
vectors:DIR, a folder of TASK_corpus.npy, TASK_queries.npy, TASK_source_queries.npy and
TASK_perspectives.npy. --retriever may be repeated: bm25 beside one of the others.

Methods, by these names or the notebook's modes:
` + methodTable(),
		Example: `  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static
  vantage eval pir examples/debates --retriever static --methods none,pap,pap+
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
	f.StringArrayVar(&e.retrievers, "retriever", nil, "bm25, static, the `DIR` of a model, or vectors:DIR; may be repeated")
	f.StringSliceVar(&e.methods, "methods", []string{"all"}, "scoring `METHODS`, with commas between them, for retrievers by vectors")
	f.BoolVar(&e.decompose, "decompose", false, "measure also how queries are taken apart by their wording, as Table 6")
	f.StringVar(&e.sweep, "sweep", "", "evaluate pap and pap+ also over strengths, as `lambda=FROM:TO:STEP`")
	f.StringVar(&e.sweepTo, "sweep-to", "sweep", "`NAME` of the sweep's files, NAME.csv and NAME.svg")
	deviceFlagsOf(cmd, &e.device)
	int8Flag(cmd, &e.int8)
	f.StringVar(&e.runs, "runs", "", "write the rankings as TREC runs, and the judgements, to a folder `DIR`")
	completeFlag(cmd, "retriever", []string{evaluate.BM25Name, builtin, vectorsPrefix})
	e.register(cmd)
	return cmd
}

func (e *evaluatingPIR) evaluate(ctx context.Context, data []string) (err error) {
	if err := e.check(); err != nil {
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
	show := newProgress()
	defer show.stop()
	evaluation := tables.Evaluation{Data: dataName(data), Tasks: tasks}
	var sweeps []evaluate.Run
	for _, c := range chosen {
		run, err := evaluate.Evaluate(ctx, tasks, c.retriever, slices.Concat(c.methods, c.swept), func(stage string, done, total int) {
			show.update(stage, int64(done), int64(total))
		}, runs.keep(c.retriever.Name(), c.methods))
		if err != nil {
			return err
		}
		run, sweep := run.Cut(len(c.methods))
		evaluation.Runs = append(evaluation.Runs, run)
		if len(c.swept) > 0 {
			sweeps = append(sweeps, sweep)
		}
	}
	report := evaluate.NewReport(evaluation.Data, evaluation.Runs)
	if e.decompose {
		for _, c := range chosen {
			d := tables.Decomposed{Retriever: c.retriever.Name()}
			for i := range tasks {
				show.update(decomposeStage, int64(i), int64(len(tasks)))
				of, err := evaluate.Decomposed(ctx, &tasks[i], c.retriever, c.methods)
				if err != nil {
					return err
				}
				d.Tasks = append(d.Tasks, evaluate.Member[evaluate.Decomposition]{Name: tasks[i].Name, Value: of})
			}
			show.update(decomposeStage, int64(len(tasks)), int64(len(tasks)))
			evaluation.Decomposed = append(evaluation.Decomposed, d)
			report.AddDecompositions(d.Tasks)
		}
	}
	show.end()
	runs.tell()
	for i := range sweeps { // one at most: only a retriever by vectors has any
		if err := e.writeSweep(&evaluation, &sweeps[i]); err != nil {
			return err
		}
	}
	return e.write(report, evaluation.All())
}

// decomposeStage is counted in tasks.
const decomposeStage = "decompose"

// writeSweep writes the figures over λ and their chart.
func (e *evaluatingPIR) writeSweep(evaluation *tables.Evaluation, run *evaluate.Run) error {
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{e.sweepTo + ".csv", func(w io.Writer) error { return tables.SweepCSV(w, run) }},
		{e.sweepTo + ".svg", func(w io.Writer) error { c := evaluation.SweepChart(run); return c.SVG(w) }},
	}
	for _, f := range files {
		if err := replaceFile(f.name, f.write); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "%s and %s: %s over λ\n", files[0].name, files[1].name, count(len(run.Methods), "figure"))
	return nil
}

// chosenRetriever is a retriever with what it is to run.
type chosenRetriever struct {
	retriever      evaluate.Retriever
	methods, swept []evaluate.Method
}

// choose makes the retrievers and tells which methods each is to run.
func (e *evaluatingPIR) choose(ctx context.Context) ([]chosenRetriever, error) {
	if len(e.retrievers) == 0 {
		return nil, usagef("--retriever is needed: bm25, static, the folder of a model, or vectors:DIR")
	}
	methods, err := vectorMethods(e.methods)
	if err != nil {
		return nil, err
	}
	var swept []evaluate.Method
	if e.sweep != "" {
		lambdas, err := evaluate.ParseSweep(e.sweep)
		if err != nil {
			return nil, &usageError{err}
		}
		if swept = evaluate.Swept(methods, lambdas); len(swept) == 0 {
			return nil, usagef("--sweep needs a method that has a strength: pap or pap+")
		}
	}
	var chosen []chosenRetriever
	byVectors := ""
	for i, name := range e.retrievers {
		if slices.Contains(e.retrievers[:i], name) {
			return nil, usagef("--retriever %s is given twice", name)
		}
		r, err := retrieverOf(ctx, name, e.int8, e.device)
		if err != nil {
			return nil, err
		}
		if name == evaluate.BM25Name {
			chosen = append(chosen, chosenRetriever{retriever: r, methods: r.Methods()})
			continue
		}
		if byVectors != "" {
			return nil, usagef("--retriever %s and %s have the same methods: evaluate them one at a time", byVectors, name)
		}
		byVectors = name
		chosen = append(chosen, chosenRetriever{r, methods, swept})
	}
	switch {
	case byVectors != "" && len(methods) == 0:
		return nil, usagef("--methods names none for --retriever %s: give their names, or all", byVectors)
	case byVectors == "" && (e.sweep != "" || len(methods) > 0 && !slices.Contains(e.methods, "all")):
		return nil, usagef("--methods and --sweep are for retrievers by vectors: leave them out for bm25, or add --retriever static")
	}
	return chosen, nil
}

// vectorMethods finds the methods that are named, all where one is "all".
func vectorMethods(names []string) ([]evaluate.Method, error) {
	if slices.Contains(names, "all") {
		return evaluate.VectorMethods(), nil
	}
	var methods []evaluate.Method
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == evaluate.BM25Name {
			continue // that retriever's only one, in a list for both
		}
		m, err := evaluate.VectorMethod(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, nil
}

// vectorsPrefix stands before a folder of .npy files.
const vectorsPrefix = "vectors:"

func retrieverOf(ctx context.Context, name string, int8 bool, device deviceFlags) (evaluate.Retriever, error) {
	if name == evaluate.BM25Name {
		return evaluate.BM25{}, nil
	}
	if dir, ok := strings.CutPrefix(name, vectorsPrefix); ok {
		if err := checkFolder(dir, "write the vectors of every list of texts as .npy files there"); err != nil {
			return nil, err
		}
		return evaluate.Vectors{Embedder: evaluate.VectorFiles{Dir: dir}}, nil
	}
	if name == "english" { // as its folder is called
		name = builtin
	}
	encoder, err := openRetriever(ctx, name, int8, device)
	if err != nil {
		return nil, err
	}
	return evaluate.Vectors{Embedder: evaluate.Encoded{Encoder: encoder}}, nil
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
