package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/sides"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// evaluatingSides is a call of `vantage eval sides`.
type evaluatingSides struct {
	sides.Experiment
	report report.Files
}

func newEvalSides() *cobra.Command {
	e := &evaluatingSides{}
	cmd := &cobra.Command{
		Use:   "sides --model PACK DATA…",
		Short: "Evaluate how well a model tells support from opposition",
		Long: `Measures whether a model tells texts that are for a claim from those that are
against it. PACK has an angle branch (vantage model pack --branch). Each claim is
asked for and against: "` + sides.Supporting + `…" and
"` + sides.Opposing + `…". The difference of the two
angles gives every text a score, which is above 0 if the text is for the claim.

Prints the share of pairs of a text for and a text against the same claim that are in
the right order, the share of texts whose score has the right sign, how far the
probabilities of the sides are off (expected calibration error), and the share of
questions whose first hit among all texts is right, if they are ranked by the cosine of
claim and text plus β times the score. Also prints how often the first hit of a search
for a text's other side is about the same claim and on the other side. Intervals are
bootstrap intervals of 95 % over the claims, and each β is tested against β = 0.

DATA by --format:
  perspectrum    DIR of Perspectrum's pool, claims and splits; claims of --split with
                 perspectives on both sides
  climate-fever  FILE of JSON lines: claim_id, claim, evidences with evidence and
                 evidence_label
  healthver      FILE of CSV with a header: id, evidence, claim, label
  scifact        CLAIMS CORPUS, files of JSON lines; a text is the title of an abstract
                 with its sentences

A pack may bring constants of its own for the probabilities: a table of numbers named
"` + sides.Table + `" with the width of two classes, and the width and the level of three
(vantage model pack --tables). In "` + stance.SubjectTable + `", it may bring the least cosine of
a text on the subject.`,
		Example: `  vantage eval sides --model pack perspectrum/ --split dev
  vantage eval sides --model pack climate-fever.jsonl --format climate-fever --json -
  vantage eval sides --model pack claims_dev.jsonl corpus.jsonl --format scifact`,
		Args: cobra.MatchAll(data("DATA is missing: name the folder or the file of a data set"), func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("split") && e.Format != sides.Perspectrum {
				return usagef("--split is for Perspectrum: leave it out with --format %s, and name the file of the split", e.Format)
			}
			return e.report.Check(args...)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.Console = told()
			found, err := e.Evaluate(cmd.Context(), args)
			return write(&e.report, found, err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.Pack, "model", "", "`DIR` of the model's pack (required)")
	must(cmd.MarkFlagDirname("model"))
	choiceFlag(cmd, &e.Format, "format", "what DATA is", sides.Perspectrum, sides.ClimateFEVER, sides.HealthVer, sides.SciFact)
	choiceFlag(cmd, &e.Split, "split", "which claims of Perspectrum", berds.Test, berds.Development)
	testFlags(cmd, &e.Tests)
	reportFlags(cmd, &e.report)
	return cmd
}
