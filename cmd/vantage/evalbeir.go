package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// evaluatingBEIR is a call of `vantage eval beir`.
type evaluatingBEIR struct {
	dir     string
	options beir.Options
	beir.Experiment
	part   partOptions
	fusion string
	weight float64
	report report.Files
}

func newEvalBEIR() *cobra.Command {
	e := &evaluatingBEIR{}
	cmd := &cobra.Command{
		Use:   "beir DIR",
		Short: "Evaluate retrievers and runs on a BEIR folder",
		Long: `Ranks the documents of a test collection for its queries and evaluates the
rankings: nDCG@10 and recall, over all judged queries, and tests whether the
retrievers differ.

DIR is in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv. A document
whose id is the query's is dropped, as BEIR does. DIR may also be a plain folder,
as is common for Cranfield: docs.jsonl, queries.jsonl, qrels.txt with TREC judgements;
there documents and queries are numbered separately, and nothing is dropped.

Retrievers: bm25 (the one of vantage search --hybrid), okapi (BM25 as the Python
package rank_bm25 computes it), static (the built-in encoder), sides (the bundled pack),
another MODEL or pack by its folder, a MODEL by its name on the hub, and hybrid or
hybrid:MODEL, which fuses an encoder with bm25. METHOD:MODEL ranks by a scoring method,
such as pap+:sides, with the root and the perspective that queries.jsonl has or the
wording says. auto:MODEL takes for each query what a search takes if no method is asked
for; auto is auto:sides. Runs made elsewhere join in with --run. Without either: bm25,
static, hybrid and auto.

` + modelOptions + `

Measures are named as for 'vantage eval trec'.`,
		Example: `  vantage eval beir examples/debates
  vantage eval beir examples/debates --only kind=point
  vantage eval beir examples/debates -r sides -r pap+:sides -r hybrid:sides -r auto
  vantage eval beir scifact -r bm25 -r hybrid -m nDCG@10 -m R@100 --run-out scifact.run
  vantage eval beir scifact -r bm25 -r ./minilm -r ./bert,pooling=cls -r hybrid:./bert,pooling=cls
  vantage eval beir scifact -r bm25 --run dense.run --json scifact.json --latex scifact.tex
  vantage eval beir cranfield --run other-bm25.run --qrels cranfield/qrels_graded.txt`,
		Args:              cobra.MatchAll(oneArgument("DIR", &e.dir), func(cmd *cobra.Command, _ []string) error { return e.check(cmd) }),
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return e.evaluate(cmd.Context()) },
	}
	f := cmd.Flags()
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "r", "`NAME` of a retriever: bm25, okapi, static, sides, MODEL, hybrid, hybrid:MODEL, auto, METHOD:MODEL; may be repeated", retrieve.BM25Name, retrieve.OkapiName, named.Builtin, retrieve.BundledName, retrieve.HybridName, perspective.Auto)
	f.StringArrayVar(&e.Runs, "run", nil, "`FILE` of a TREC run to evaluate; may be repeated")
	f.StringArrayVarP(&e.Measures, "measure", "m", []string{"nDCG@10", "R@100"}, "`MEASURE` to evaluate and test by; may be repeated")
	completeFlag(cmd, "measure", measureNames)
	f.StringVar(&e.options.Split, "split", "", "`NAME` of the judgements in qrels (default \""+beir.DefaultSplit+"\")")
	f.StringVar(&e.options.Qrels, "qrels", "", "`FILE` of other judgements, BEIR's or TREC's")
	partFlags(cmd, &e.part)
	f.BoolVar(&e.KeepSameID, "keep-same-id", false, "do not drop documents whose id is the query's")
	f.IntVarP(&e.Depth, "k", "k", beir.DefaultDepth, "how many documents to retrieve for a query")
	f.Float64Var(&e.Parameters.K1, "k1", lexical.DefaultParameters.K1, "of bm25: how slowly repeated occurrences of a word saturate")
	f.Float64Var(&e.Parameters.B, "b", lexical.DefaultParameters.B, "of bm25: how much scores are normalised by document length, from 0 to 1")
	choiceFlag(cmd, &e.fusion, "fusion", "of hybrid: by reciprocal ranks, or by the sum of scores that are first normalised by the named rule", search.Fusions()...)
	f.Float64Var(&e.weight, "words-weight", search.DefaultWeight, "of hybrid: weight of bm25, from 0 to 1; the encoder has the rest")
	f.StringVar(&e.RunOut, "run-out", "", "write the rankings as a TREC run to `FILE`; for several retrievers, one file each, with its name before the extension")
	testFlags(cmd, &e.Tests)
	reportFlags(cmd, &e.report)
	return cmd
}

// check refuses calls that make no sense.
func (e *evaluatingBEIR) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("split") && changed("qrels"):
		return usagef("--split and --qrels both say which judgements: leave one out")
	case changed("split") && (e.options.Split == "" || e.options.Split != filepath.Base(e.options.Split)):
		return usagef("--split %q: it is the name of a file in qrels without .tsv, such as test or dev", e.options.Split)
	}
	e.Hybrid, e.Encoding.Console, e.Encoding.Keep = search.Hybrid{Fusion: e.fusion, Weight: &e.weight}, told(), retrieve.KeptFolder()
	if err := e.Check(e.options.Qrels, e.dir); err != nil {
		return err
	}
	if err := e.checkTaken(changed); err != nil {
		return err
	}
	var err error
	if e.options.Part, err = e.part.parse(); err != nil {
		return err
	}
	return e.report.Beside("--run-out", e.RunOut).Check(slices.Concat(e.Runs, []string{e.options.Qrels, e.dir})...)
}

// checkTaken refuses flags that no retriever of the call takes. Otherwise the same figures would
// seem to be those of other settings.
func (e *evaluatingBEIR) checkTaken(changed func(flag string) bool) error {
	var parameters, hybrid bool
	for _, name := range e.Retrievers {
		p, h := beir.Takes(name)
		parameters, hybrid = parameters || p, hybrid || h
	}
	for _, flag := range []string{"k1", "b"} {
		if changed(flag) && !parameters {
			return usagef("--%s is a parameter of bm25, and no retriever ranks by it: leave it out, or add -r bm25", flag)
		}
	}
	for _, flag := range []string{"fusion", "words-weight"} {
		if changed(flag) && !hybrid {
			return usagef("--%s belongs to hybrid, and no retriever is one: leave it out, or add -r hybrid", flag)
		}
	}
	return nil
}

func (e *evaluatingBEIR) evaluate(ctx context.Context) error {
	figures, err := e.Evaluate(ctx, e.dir, e.options)
	return write(&e.report, figures, err)
}
