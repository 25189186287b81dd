package main

import (
	"context"
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

A retriever is bm25 (rank_bm25's Okapi, as in the paper), static (the built-in
encoder, English only), the DIR of a static model, or vectors:DIR, a folder of
TASK_corpus.npy, TASK_queries.npy, TASK_source_queries.npy and
TASK_perspectives.npy. --retriever may be repeated: bm25 beside one of the others.

Methods, by these names or the notebook's modes:
` + methodTable(),
		Example: `  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static
  vantage eval pir examples/debates --retriever static --methods none,pap,pap+
  vantage eval pir demo_pir_dataset.json --retriever vectors:emb --json out.json --latex tables.tex`,
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
	completeFlag(cmd, "retriever", []string{evaluate.BM25Name, builtin, vectorsPrefix})
	e.register(cmd)
	return cmd
}

func (e *evaluatingPIR) evaluate(ctx context.Context, data []string) error {
	if err := e.check(); err != nil {
		return err
	}
	retrievers, methods, err := e.choose()
	if err != nil {
		return err
	}
	tasks, err := readPIR(data)
	if err != nil {
		return err
	}
	show := newProgress()
	defer show.stop()
	evaluation := tables.Evaluation{Data: dataName(data), Tasks: tasks}
	for i, retriever := range retrievers {
		run, err := evaluate.Evaluate(ctx, tasks, retriever, methods[i], func(stage string, done, total int) { show.update(stage, int64(done), int64(total)) })
		if err != nil {
			return err
		}
		evaluation.Runs = append(evaluation.Runs, run)
	}
	show.end()
	return e.write(evaluate.NewReport(evaluation.Runs), evaluation.All())
}

// choose makes the retrievers and tells which methods each is to run.
func (e *evaluatingPIR) choose() (retrievers []evaluate.Retriever, methods [][]evaluate.Method, err error) {
	if len(e.retrievers) == 0 {
		return nil, nil, usagef("--retriever is needed: bm25, static, the folder of a model, or vectors:DIR")
	}
	chosen, err := vectorMethods(e.methods)
	if err != nil {
		return nil, nil, err
	}
	byVectors := ""
	for i, name := range e.retrievers {
		if slices.Contains(e.retrievers[:i], name) {
			return nil, nil, usagef("--retriever %s is given twice", name)
		}
		r, err := retrieverOf(name)
		if err != nil {
			return nil, nil, err
		}
		retrievers = append(retrievers, r)
		if name == evaluate.BM25Name {
			methods = append(methods, r.Methods())
			continue
		}
		if byVectors != "" {
			return nil, nil, usagef("--retriever %s and %s have the same methods: evaluate them one at a time", byVectors, name)
		}
		byVectors = name
		methods = append(methods, chosen)
	}
	switch {
	case byVectors != "" && len(chosen) == 0:
		return nil, nil, usagef("--methods names none for --retriever %s: give their names, or all", byVectors)
	case byVectors == "" && len(chosen) > 0 && !slices.Contains(e.methods, "all"):
		return nil, nil, usagef("--methods %s is for retrievers by vectors: leave it out for bm25, or add --retriever static", strings.Join(e.methods, ","))
	}
	return retrievers, methods, nil
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

func retrieverOf(name string) (evaluate.Retriever, error) {
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
	files, err := loadModel(name)
	if err != nil {
		return nil, err
	}
	encoder, err := files.Open()
	if err != nil {
		return nil, &inputError{err}
	}
	return evaluate.Vectors{Embedder: evaluate.Encoded{Encoder: evaluate.Static{Model: files.ID, Encoder: encoder}}}, nil
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
