package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs/corpusflags"
	"github.com/vantage-search/vantage/internal/recipes/fit"
)

// fitting is a call of `vantage fit`.
type fitting struct {
	corpus, output string
	fields         corpus.Options
	dim, vocabSize int
	asJSON         bool
}

// fitReport is what `vantage fit --json` prints.
type fitReport struct {
	Directory string   `json:"directory"`
	ID        string   `json:"id"`
	Revision  string   `json:"revision"`
	Documents int      `json:"documents"`
	VocabSize int      `json:"vocab_size"`
	Dim       int      `json:"dim"`
	Bytes     int      `json:"bytes"`
	Notes     []string `json:"notes"`
}

func newFit() *cobra.Command {
	f := &fitting{}
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
			if f.corpus = args[0]; f.output == "" {
				return usagef("the output folder is missing: give -o MODELDIR")
			}
			if f.dim < 1 || f.vocabSize < 1 { // 0 would stand for the default
				return usagef("--dim and --vocab-size must be above 0")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context()) },
	}
	outputFlag(cmd, &f.output, "`DIR` of the model (required)")
	cmd.Flags().IntVar(&f.dim, "dim", fit.DefaultDim, "dimensions of the vectors")
	cmd.Flags().IntVar(&f.vocabSize, "vocab-size", fit.DefaultVocabSize, "tokens of the vocabulary, at most")
	corpusflags.Reading(cmd.Flags(), &f.fields)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (f *fitting) run(ctx context.Context) error {
	c, err := corpus.Open(f.corpus, f.fields)
	if err != nil {
		return err
	}
	show := told().Progress()
	defer show.Stop()
	show.Input = c.Progress
	model, err := fit.Documents(ctx, c, fit.Options{Dim: f.dim, VocabSize: f.vocabSize, Progress: show.Update})
	if err != nil {
		return err
	}
	if err := model.WriteDir(f.output); err != nil {
		return err
	}
	show.End()
	for _, note := range model.Notes {
		told().Warnf("%s", note)
	}
	r := fitReport{
		Directory: f.output, ID: model.ID, Revision: model.Revision, Documents: model.Documents, VocabSize: model.VocabSize, Dim: model.Dim,
		Bytes: len(model.Tokenizer) + len(model.Weights) + len(model.Config) + len(model.Card),
		Notes: append([]string{}, model.Notes...),
	}
	if f.asJSON {
		return printJSON(r)
	}
	return printText(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s tokens × %d dimensions from %s, %s\nindex with it: vantage index %s -o DIR --model %s\n",
			f.output, fmt.Sprint(r.VocabSize), r.Dim, human.Count(r.Documents, "document"), human.Bytes(int64(r.Bytes)), f.corpus, f.output)
		return err
	})
}
