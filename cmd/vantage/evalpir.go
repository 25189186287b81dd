package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pirbench"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
)

// evaluatingPIR is a call of `vantage eval pir`.
type evaluatingPIR struct {
	pirbench.Experiment
	part   partOptions
	report report.Files
}

func newEvalPIR() *cobra.Command {
	e := &evaluatingPIR{}
	cmd := &cobra.Command{
		Use:   "pir DATA... --retriever NAME",
		Short: "Evaluate retrievers and scoring methods on the PIR benchmark",
		Long: `Ranks every query of the perspective-aware retrieval benchmark (Beyond Relevance,
Zhao et al. 2024) by every scoring method that needs no angles, or by --methods, and
prints the paper's Tables 2 to 4 and 8 to 10 with its figures beside ours, then
everything by task: Recall@1/5/10 overall, per label and macro-averaged, p-Recall
and its variants, root queries, and what they are biased towards.

DATA is the demo file, a task's folder (corpus.jsonl, queries.jsonl, and
qrels/test.jsonl or qrels/test.tsv; queries have a root and a perspective), or a
folder of such folders.

--decompose splits queries by their wording, as a search does that gets only a query, and
measures QA-F1 and the Recall@5 that results. --extract does the same by a chat model
(--chat-model), or by the wording if none is configured, and says so. --sweep writes the
figures of pap and pap+ over λ as CSV and a chart. --runs writes the rankings, for
'vantage eval trec' and 'compare'.

A retriever is bm25 (rank_bm25's Okapi, as in the paper), static (the built-in encoder,
English only; also called english), sides (the bundled pack), another MODEL or pack by its
folder, a MODEL by its name on the hub, or vectors:DIR, a folder of TASK_corpus.npy,
TASK_queries.npy, TASK_source_queries.npy and TASK_perspectives.npy. It may be repeated.

` + modelOptions + `
If several retrievers have the same methods, figures in JSON are named METHOD of
RETRIEVER, and runs TASK.METHOD.RETRIEVER.run.

The method auto takes for each query what a search takes if no method is asked for:
the method and strength that its kind of perspective has in the encoder's table.

Methods, by these names or the notebook's modes:
` + methodTable(),
		Example: `  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static
  vantage eval pir examples/debates --retriever static --methods none,pap,pap+
  vantage eval pir examples/debates --retriever static --methods none,pap+ --without kind=point
  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever ./minilm --retriever ./bert,pooling=cls
  vantage eval pir demo_pir_dataset.json --retriever vectors:emb --json out.json --latex tables.tex
  vantage eval pir demo_pir_dataset.json --retriever static --sweep lambda=-2:2:0.1
  vantage eval pir demo_pir_dataset.json --retriever bm25 --retriever static --decompose
  vantage eval pir demo_pir_dataset.json --retriever static --extract --chat-url http://localhost:8080/v1 --chat-model qwen
  vantage eval pir examples/debates --retriever bm25 --retriever static --runs runs
  vantage eval compare runs/debates.bm25.run runs/debates.vec_projection.run --qrels runs/debates.qrels -c -m Success@5`,
		Args: data("DATA is missing: name the demo file of PIR, or a task's folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd.Context(), args) },
	}
	f := cmd.Flags()
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "", "`NAME` of a retriever: bm25, static, sides, MODEL, or vectors:DIR; may be repeated", pireval.BM25Name, named.Builtin, retrieve.BundledName, pirbench.VectorsPrefix)
	f.StringSliceVar(&e.Methods, "methods", []string{"all"}, "scoring `METHODS`, separated by commas, for retrievers by vectors")
	choiceFlag(cmd, &e.Roots, "roots", "which roots of the tasks: all, or every second one from the first (odd) or the second (even) on", pir.AllRoots, pir.OddRoots, pir.EvenRoots)
	f.BoolVar(&e.Decompose, "decompose", false, "also measure how well queries are split by their wording, as in Table 6")
	f.BoolVar(&e.Extract, "extract", false, "as --decompose, with queries split by a chat model")
	chatFlags(cmd, &e.Chat)
	f.StringVar(&e.Sweep, "sweep", "", "also evaluate pap and pap+ over strengths, as `lambda=FROM:TO:STEP`")
	f.StringVar(&e.SweepTo, "sweep-to", "sweep", "`NAME` of the sweep's files, NAME.csv and NAME.svg")
	f.StringVar(&e.Runs, "runs", "", "write the rankings as TREC runs, and the judgements, to a folder `DIR`")
	partFlags(cmd, &e.part)
	completeMethods(cmd)
	reportFlags(cmd, &e.report)
	return cmd
}

func (e *evaluatingPIR) evaluate(ctx context.Context, data []string) error {
	var err error
	if e.Part, err = e.part.parse(); err != nil {
		return err
	}
	if err := e.report.Beside("--record", e.Chat.Record).Beside("--sweep-to", e.SweepTable()).Check(append([]string{e.Chat.Replay, e.Chat.KeyFile}, data...)...); err != nil {
		return err
	}
	e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
	found, err := e.Evaluate(ctx, data)
	if found == nil {
		return err
	}
	return errors.Join(e.report.Write(found.Report, found.Tables(), os.Stdout), err)
}
