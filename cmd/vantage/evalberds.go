package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
)

// evaluatingBERDS is a call of `vantage eval berds`.
type evaluatingBERDS struct {
	berds.Experiment
	threshold float64
	detect    []string
	report    report.Files
}

func newEvalBERDS() *cobra.Command {
	e := &evaluatingBERDS{}
	e.Retrievers = []string{retrieve.BM25Name, named.Builtin}
	cmd := &cobra.Command{
		Use:   "berds DIR|FILE…",
		Short: "Evaluate how many perspectives of a question retrieval surfaces",
		Long: `Runs the experiments of "Open-World Evaluation for Retrieving Diverse
Perspectives" (BERDS): MRecall and Precision, MMR with its λ chosen on the
development split, query expansion merged round-robin, preference, sycophancy,
coverage and the retrievers' union, in the layout of the paper's tables.
Under our figures are the paper's, for its own corpora, which were not released.

On Perspectrum, each claim is a question, its perspectives are support and
opposition, and the corpus is the pool of perspectives. With --corpus, the questions
of Kialo, OpinionQA and Arguana are asked of a corpus of yours (anything that vantage
index reads), and --detect judges which perspectives the retrieved documents contain.

Files are recognised by their names: Perspectrum's perspective_pool*.json,
perspectrum_with_answers*.json and dataset_split*.json, which go together;
BERDS' questions with their expansions, *_query_exp*.jsonl; and its test of
perspective detection pers_det*.tsv. A DIR stands for the files in it.

RETRIEVER is one of
  bm25    lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75
  okapi   BM25 exactly as rank_bm25's Okapi
  static  cosine of the built-in encoder, English only (also called english)
  MODEL   cosine of another encoder: its folder, or its name on the hub

` + modelOptions + `

--detect sides judges by the bundled model of sides, --detect DIR by another pack,
--detect MODEL by a sequence classifier with NLI labels or a re-ranker, whose premise
is the document, and --detect chat by a prompt to --chat-model. It prints F1 and
accuracy on Perspectrum's test claims and on pers_det*.tsv; on the latter also with a
threshold chosen by leaving one question out. Judgements and the vectors of transformers
are kept in your cache, so that the same command resumes a run that was stopped.

Without --expansions, Perspectrum's claims are expanded by "supports the claim: …"
and "opposes the claim: …", which needs no language model. --expand adds columns of
queries expanded by perspectives that --chat-model writes, or by a static list.`,
		Example: `  vantage eval berds perspectrum/ --retriever bm25 --retriever static --json berds.json
  vantage eval berds perspectrum/ --expansions claims_query_exp.jsonl --latex tables.tex
  vantage eval berds perspectrum/ berds/ --detect sides
  vantage eval berds pers_det.test.tsv --detect sides --detect chat --chat-url http://localhost:8080/v1 --chat-model qwen
  vantage eval berds perspectrum/ --expand --chat-model gpt-4o-mini --chat-price 0.15,0.6 --record replies.jsonl
  vantage eval berds berds/ --corpus examples/debates/corpus.jsonl --detect sides`,
		Args: data("DIR or FILE is missing: name the folder that holds Perspectrum or BERDS' files"),
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd, args) },
	}
	f := cmd.Flags()
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "", "`RETRIEVER`, may be repeated", retrieve.BM25Name, retrieve.OkapiName, named.Builtin)
	f.StringVar(&e.Expansions, "expansions", "", "`FILE` of query expansions in BERDS' layout (JSON lines: org_q, the claim; question or text)")
	f.StringVar(&e.RunOut, "run-out", "", "write the test claims' rankings as TREC runs to `FILE`, with the retriever's name and -mmr or -expanded before the extension, and judgements as .qrels")
	f.StringArrayVar(&e.detect, "detect", nil, "`NAME` of what judges whether documents contain perspectives: sides, the DIR of a pack, a sequence classifier, or chat; may be repeated, and the first judges the documents of --corpus")
	completeFlag(cmd, "detect", []string{retrieve.BundledName, berds.ChatName})
	f.BoolVar(&e.Expand, "expand", false, "also expand queries by perspectives that the chat model writes, or by a static list without one")
	chatFlags(cmd, &e.Chat)
	f.Float64Var(&e.threshold, "threshold", 0, "least score by --detect at which a document contains a perspective (default: the most probable answer decides)")
	f.StringVar(&e.Corpus, "corpus", "", "`PATH` of a corpus to search for BERDS' questions")
	reportFlags(cmd, &e.report)
	return cmd
}

func (e *evaluatingBERDS) evaluate(cmd *cobra.Command, args []string) error {
	if err := e.report.Beside("--record", e.Chat.Record).Check(slices.Concat(args, []string{e.Corpus, e.Expansions, e.Chat.Replay, e.Chat.KeyFile})...); err != nil {
		return err
	}
	e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
	if cmd.Flags().Changed("threshold") {
		e.Threshold = &e.threshold
	}
	if len(e.detect) > 0 {
		e.Detect, e.AlsoDetect = e.detect[0], e.detect[1:]
	}
	found, err := e.Evaluate(cmd.Context(), args, cmd.Flags().Changed("retriever"))
	return write(&e.report, found, err)
}
