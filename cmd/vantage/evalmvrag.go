package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/mvrag"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
	domains "github.com/vantage-search/vantage/internal/mvrag"
)

func newEvalMVRAG() *cobra.Command {
	e := mvrag.Experiment{Retrievers: []string{named.Builtin}}
	var files report.Files
	cmd := &cobra.Command{
		Use:   "mvrag DATA --domain NAME|FILE",
		Short: "Evaluate retrieval from weighted professional perspectives (MVRAG)",
		Long: `Ranks by MVRAG ("Unlocking Multi-View Insights", Chen et al. 2024): a chat model
gives each perspective of a domain a weight for the query and rewrites the query for
those whose score is above θ. Each rewritten query retrieves ⌈K·w/Σw⌉ documents, and
all of these are ranked by cosine times weight. Recall@K, Precision@K and F1 are
printed beside those of the query as it is, and of MVRAG --without a perspective.

DATA is a folder in BEIR's layout; LeCaRDv2 with its folders query, label and
candidate; or PMC-Patients' folder PPR or PAR, with queries or PMC-Patients.json
beside it. A domain is law, medicine, biology, geography, literature,
political-science or physics, or a FILE of yours (docs/evaluate.md).

Without --chat-model, all perspectives weigh the same, queries are joined with their
descriptions, and the tables say so. The same command resumes a run that was stopped.

A retriever is static (the built-in encoder), sides (the bundled pack), another MODEL
or pack by its folder, or a MODEL by its name on the hub.

` + modelOptions,
		Example: `  vantage eval mvrag examples/debates --domain political-science --without each
  vantage eval mvrag LeCaRDv2/ --domain law --retriever bge-m3/ --chat-url http://localhost:8080/v1 --chat-model qwen
  vantage eval mvrag datasets/PPR --domain medicine --queries 90 --chat-model gpt-4o --answers 5 --json out.json`,
		Args:              oneArgument("DATA"),
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := files.Beside("--record", e.Chat.Record).Check(args[0], e.Domain, e.Chat.Replay, e.Chat.KeyFile); err != nil {
				return err
			}
			e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
			found, err := e.Evaluate(cmd.Context(), args[0])
			return write(&files, found, err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.Domain, "domain", "", "`NAME` of a domain, or a YAML file of yours")
	completeFlag(cmd, "domain", domains.Domains())
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "r", "`NAME` of a retriever: static, sides, or MODEL; may be repeated", named.Builtin, retrieve.BundledName)
	f.Float64Var(&e.Threshold, "threshold", domains.DefaultThreshold, "θ: a perspective counts if its score, from 0 to 1, is above this `SCORE`")
	f.IntVarP(&e.K, "k", "k", mvrag.DefaultK, "how many documents to retrieve for a query, and to measure")
	f.StringArrayVar(&e.Without, "without", nil, "`PERSPECTIVE` to leave out in one more row, or "+mvrag.Each+" for a row without each; may be repeated")
	f.IntVar(&e.Queries, "queries", 0, "`N` queries, drawn by --seed (default all)")
	f.IntVar(&e.Relevant, "relevant", 1, "`GRADE` from which a judged document is relevant")
	f.StringVar(&e.Split, "split", "test", "`NAME` of the queries and judgements, such as test or dev")
	f.IntVar(&e.Answers, "answers", 0, "also let the chat model answer each query from the best `N` documents, in --json")
	chatFlags(cmd, &e.Chat)
	testFlags(cmd, &e.Tests)
	reportFlags(cmd, &files)
	return cmd
}
