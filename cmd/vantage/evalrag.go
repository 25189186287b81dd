package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/rag"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
)

// evaluatingRAG is a call of `vantage eval rag`.
type evaluatingRAG struct {
	rag.Experiment
	part   partOptions
	report report.Files
}

func newEvalRAG() *cobra.Command {
	e := &evaluatingRAG{}
	e.Retrievers = []string{named.Builtin}
	cmd := &cobra.Command{
		Use:   "rag DATA...",
		Short: "Evaluate what a chat model writes with the texts that retrievers find",
		Long: `Lets a chat model read what retrievers find, and prints the results in the layout of
Table 5 of "Beyond Relevance". Questions are answered from the first text and judged by
exact match. Essays on topics with a stance are written from the first five, and judged
by Pearson's correlation of their sentiment with the stance. For comparison, there are
rows without texts, and rows with the right texts.

DATA is as for 'vantage eval pir'. Essays are written for tasks whose queries have
the labels support and undermine (or oppose). Questions need --answers: JSON lines with
question and answers, or a file of AmbigNQ; without it, their figures are n/a.

Without --chat-model, nothing is read, and the figures are of the texts found: whether
they have an answer, and their own sentiment. Replies are kept in your cache, so that the
same command resumes a run that was stopped.`,
		Example: `  vantage eval rag demo_pir_dataset.json --answers answers.jsonl --chat-url http://localhost:8080/v1 --chat-model qwen
  vantage eval rag examples/debates -r bm25 -r static --sample 30 --seed 7 --chat-model gpt-4o-mini --chat-price 0.15,0.6
  vantage eval rag examples/debates --sample 30 --chat-model qwen --replay replies.jsonl --latex table5.tex
  vantage eval rag examples/debates`,
		Args: data("DATA is missing: name the demo file of PIR, or a task's folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd.Context(), args) },
	}
	f := cmd.Flags()
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "r", "`NAME` of a retriever, as for eval pir; may be repeated", pireval.BM25Name, named.Builtin, retrieve.BundledName)
	f.StringSliceVar(&e.Methods, "methods", nil, "scoring `METHODS`, separated by commas, for retrievers by vectors (default none,pap,pap+)")
	f.StringVar(&e.Answers, "answers", "", "`FILE` of answers to questions")
	f.Var(positive{&e.Sample}, "sample", "`N` queries that are drawn from each task (default all)")
	f.Uint64Var(&e.Seed, "seed", 1, "`NUMBER` that seeds the draw")
	chatFlags(cmd, &e.Chat)
	partFlags(cmd, &e.part)
	completeMethods(cmd)
	reportFlags(cmd, &e.report)
	return cmd
}

func (e *evaluatingRAG) evaluate(ctx context.Context, data []string) error {
	var err error
	if e.Part, err = e.part.parse(); err != nil {
		return err
	}
	if err := e.report.Beside("--record", e.Chat.Record).Check(slices.Concat(data, []string{e.Answers, e.Chat.Replay, e.Chat.KeyFile})...); err != nil {
		return err
	}
	e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
	found, err := e.Evaluate(ctx, data)
	return write(&e.report, found, err)
}
