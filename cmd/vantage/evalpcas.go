package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/pcas"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
)

func newEvalPCAS() *cobra.Command {
	var e pcas.Experiment
	var files report.Files
	e.Retrievers = []string{named.Builtin, retrieve.BundledName}
	cmd := &cobra.Command{
		Use:   "pcas DATA",
		Short: "Evaluate the joint retrieval of documents and private contexts",
		Long: `Ranks documents together with what the user says about themselves ("How Can
Context Help?", Wan et al. 2023): PCAS, its baselines B1 to B3, and OR, which knows
the right context. Prints R@1, R@5 and MAP@5 of documents and R@1 of contexts. K and λ
of PCAS are chosen on the validation split by MAP@5.

DATA is a folder with OR-ShARC's files, whose contexts are drawn by --seed, or one in
BEIR's layout with qrels/dev.tsv, qrels/test.tsv and contexts.jsonl, a line for each
query: {"_id", "contexts": [texts], "right": number from 0}.

A retriever is static (the built-in encoder), sides (the bundled pack), another MODEL
or pack by its folder, or a MODEL by its name on the hub. Vectors are compared by their
cosine, whatever the model says, and those of a ColBERT by MaxSim; dot is refused.

` + modelOptions,
		Example: `  vantage eval pcas examples/benefits
  vantage eval pcas sharc/ --retriever ./context-encoder --query-model ./question-encoder --json -`,
		Args: oneArgument("DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := files.Check(args[0]); err != nil {
				return err
			}
			e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
			found, err := e.Evaluate(cmd.Context(), args[0])
			return write(&files, found, err)
		},
	}
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "", "`NAME` of a retriever: static, sides, or MODEL; may be repeated", named.Builtin, retrieve.BundledName)
	testFlags(cmd, &e.Tests)
	reportFlags(cmd, &files)
	return cmd
}
