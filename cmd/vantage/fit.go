package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/inputs/corpusflags"
	"github.com/vantage-search/vantage/internal/recipes/fit"
)

func newFit() *cobra.Command {
	f := &fit.Job{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "fit CORPUS -o MODELDIR",
		Short: "Learn an encoder from a corpus",
		Long: `Learns a vocabulary and a vector for each of its tokens from the documents of
CORPUS (any kind that vantage index reads), in any language, and writes them as a
model of the same kind as the built-in one. Nothing is downloaded.`,
		Example: `  vantage fit examples/debates/corpus.jsonl -o model --dim 128 --vocab-size 4000
  vantage index examples/debates/corpus.jsonl -o debates --terms --model model`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("CORPUS")(cmd, args); err != nil {
				return err
			}
			if f.Corpus = args[0]; f.Output == "" {
				return usagef("the output folder is missing: give -o MODELDIR")
			}
			if f.Options.Dim < 1 || f.Options.VocabSize < 1 { // 0 would stand for the default
				return usagef("--dim and --vocab-size must be above 0")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Console = told()
			r, err := f.Run(cmd.Context())
			if err != nil {
				return err
			}
			for _, note := range r.Notes {
				told().Warnf("%s", note)
			}
			if asJSON {
				return printJSON(r)
			}
			return printText(r.Print)
		},
	}
	outputFlag(cmd, &f.Output, "`DIR` of the model (required)")
	cmd.Flags().IntVar(&f.Options.Dim, "dim", fit.DefaultDim, "dimensions of the vectors")
	cmd.Flags().IntVar(&f.Options.VocabSize, "vocab-size", fit.DefaultVocabSize, "tokens of the vocabulary, at most")
	corpusflags.Reading(cmd.Flags(), &f.Fields)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}
