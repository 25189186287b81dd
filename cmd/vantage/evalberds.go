package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/sides"
)

// evaluatingBERDS is a call of `vantage eval berds`.
type evaluatingBERDS struct {
	berds.Experiment
	detect string
	report report.Files
}

// detectSides is the detector by the bundled model of sides.
const detectSides = "sides"

func newEvalBERDS() *cobra.Command {
	e := &evaluatingBERDS{}
	e.Retrievers = []string{retrieve.BM25Name, named.Builtin}
	cmd := &cobra.Command{
		Use:   "berds DIR|FILE…",
		Short: "Evaluate how many perspectives of a question retrieval surfaces",
		Long: `Runs the experiments of "Open-World Evaluation for Retrieving Diverse
Perspectives" (BERDS) on Perspectrum, as BERDS' own corpora were not released: each
claim is a question, its perspectives are support and opposition, and the corpus
is the pool of perspectives. MRecall and Precision, MMR with its λ chosen on the
development split, query expansion merged round-robin, preference, sycophancy,
coverage and the retrievers' union are printed in the layout of the paper's
tables. The paper's figures, for its own corpora, are below ours.

Files are recognised by their names: Perspectrum's perspective_pool*.json,
perspectrum_with_answers*.json and dataset_split*.json, which go together;
BERDS' query expansions *_query_exp*.jsonl, which are counted; and its test of
perspective detection pers_det*.tsv. A DIR stands for the files in it.

RETRIEVER is one of
  bm25    lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75
  okapi   BM25 exactly as rank_bm25's Okapi
  static  cosine of the built-in encoder, English only (also called english)
  MODEL   cosine of another encoder: its folder, or its name on the hub

` + modelOptions + `

--detect sides tells support from opposition by the bundled model of sides, and
prints accuracy and F1: of Perspectrum's test claims, and of pers_det*.tsv.

Without --expansions, claims are expanded by "supports the claim: …" and
"opposes the claim: …", which needs no language model.`,
		Example: `  vantage eval berds perspectrum/ --retriever bm25 --retriever static --json berds.json
  vantage eval berds perspectrum/ --expansions claims_query_exp.jsonl --latex tables.tex
  vantage eval berds berds/
  vantage eval berds perspectrum/ berds/ --detect sides`,
		Args: data("DIR or FILE is missing: name the folder that holds Perspectrum or BERDS' files"),
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd, args) },
	}
	f := cmd.Flags()
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "", "`RETRIEVER`, may be repeated", retrieve.BM25Name, retrieve.OkapiName, named.Builtin)
	f.StringVar(&e.Expansions, "expansions", "", "`FILE` of query expansions in BERDS' layout (JSON lines: org_q, the claim; question or text)")
	f.StringVar(&e.RunOut, "run-out", "", "write the test claims' rankings as TREC runs to `FILE`, with the retriever's name and -mmr or -expanded before the extension, and judgements as .qrels")
	choiceFlag(cmd, &e.detect, "detect", "detect perspectives in Perspectrum's documents and in pers_det*.tsv: by the bundled model of sides", "none", detectSides)
	reportFlags(cmd, &e.report)
	return cmd
}

func (e *evaluatingBERDS) evaluate(cmd *cobra.Command, args []string) error {
	if err := e.report.Check(); err != nil {
		return err
	}
	e.Encoding.Console = told()
	if e.detect == detectSides {
		e.Detector = sides.Files()
	}
	found, err := e.Evaluate(cmd.Context(), args, cmd.Flags().Changed("retriever"))
	return write(&e.report, found, err)
}
