package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/methods"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
)

func newBenchMethods() *cobra.Command {
	e := &methods.Experiment{}
	var files report.Files
	cmd := &cobra.Command{
		Use:   "methods DATA...",
		Short: "Choose the method of the default ranking for each kind of perspective",
		Long: `Ranks judged queries by every candidate, a scoring method at a strength, alone or
fused with BM25, and prints for each kind of perspective (stance, leaning, time, topic,
place, analogy, converse, evidence, audience, free words, none) the candidates'
` + methods.Measure + ` and the one chosen, with its margin over the plain cosine. The best candidate
is chosen if it is significantly better than the plain cosine. Otherwise, and for kinds
without data, the safest method is chosen.

DATA is the demo file of PIR, a task's folder (as for vantage eval pir), or the folder
of Perspectrum, from which --split picks the claims. --roots odd takes every second root of the
tasks, so that figures can be reported on the others.

The JSON has the choices as lines under "auto". A pack brings them as the table of
texts "auto" (vantage model pack --tables).`,
		Example: `  vantage bench methods perspectrum/ examples/debates --roots odd
  vantage bench methods examples/debates --model ./pack --json choices.json`,
		Args: cobra.MatchAll(data("DATA is missing: name a task's folder, a demo file of PIR, or the folder of Perspectrum"),
			func(_ *cobra.Command, args []string) error { return files.Check(args...) }),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.Encoding.Console = told()
			figures, err := e.Evaluate(cmd.Context(), args)
			return write(&files, figures, err)
		},
	}
	modelFlag(cmd, &e.Model, retrieve.BundledName, "encoder: sides (bundled), static (built in), or the `DIR` of a pack or another model")
	choiceFlag(cmd, &e.Roots, "roots", "which roots of the tasks: all, or every second one from the first (odd) or the second (even) on", pir.AllRoots, pir.OddRoots, pir.EvenRoots)
	choiceFlag(cmd, &e.Split, "split", "which claims of Perspectrum", berds.Development, berds.Test)
	testFlags(cmd, &e.Tests)
	reportFlags(cmd, &files)
	return cmd
}
