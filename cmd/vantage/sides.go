package main

import (
	"context"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/answers"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// opposing has the flags that `vantage sides` and `vantage other-side` share.
type opposing struct {
	where    string
	root     string
	k        int
	strength float64
	filters  []string
	engine   string
	asJSON   bool

	given *float64 // strength, if it is given
	kept  []vantage.Filter
}

func (o *opposing) flags(cmd *cobra.Command, root, number, strength string) {
	f := cmd.Flags()
	f.StringVar(&o.root, "root", "", root)
	f.IntVarP(&o.k, "k", "k", search.DefaultK, "`NUMBER` of documents wanted"+number)
	f.Float64Var(&o.strength, "strength", 0, strength)
	f.StringArrayVar(&o.filters, "filter", nil, "`CONDITION` on a field, such as year>=2000; may be given several times")
	choiceFlag(cmd, &o.engine, "engine", "what ranks: this program or the browser's WebAssembly core; the answers are the same", open.Native, open.Headless)
	f.BoolVar(&o.asJSON, "json", false, "print the answer as JSON")
}

// check refuses calls that make no sense. least is the least strength.
func (o *opposing) check(cmd *cobra.Command, least float64) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("root") && strings.TrimSpace(o.root) == "":
		return usagef("--root is empty: give a text")
	case o.k < 1 || o.k > maxK:
		return usagef("-k is %d, must be from 1 to %d", o.k, maxK)
	case !(math.Abs(o.strength) <= perspective.MaxStrength):
		return fault.As(fault.Query, &perspective.StrengthError{Strength: o.strength})
	case o.strength < least:
		return usagef("--strength is %g, must be from 0 to %g", o.strength, perspective.MaxStrength)
	}
	if changed("strength") {
		o.given = &o.strength
	}
	for _, text := range o.filters {
		f, err := vantage.ParseFilter(text)
		if err != nil {
			return fault.As(fault.Query, err)
		}
		o.kept = append(o.kept, f)
	}
	return nil
}

// ask opens the collection for a question.
func (o *opposing) ask(ctx context.Context, question func(c *open.Opened) error) error {
	show := told().Progress()
	defer show.Stop()
	show.Least = progress.LineInterval
	c, err := open.Searcher(ctx, o.where, open.Options{Engine: o.engine, Parallel: 1, Progress: show.Update, Console: told()})
	if err != nil {
		return err
	}
	defer c.Close()
	show.End()
	return question(c)
}

func newSides() *cobra.Command {
	o := &opposing{}
	cmd := &cobra.Command{
		Use:   "sides DIR|URL --root TEXT",
		Short: "Count the documents for and against a claim",
		Long: `Tells which documents of a collection (or of a site that holds one) are for a claim,
which are against it and which are on neither side, and prints the best of each
side. Only documents on the subject count: those whose vectors are near enough to
the claim's. The collection needs an encoder that tells sides apart (vantage index
--encoder sides).

A side comes with its probability. Documents for the claim are ordered by topic plus
side, those against it by topic minus side. A host at URL that sends nothing for 30
seconds is an error.`,
		Example: `  vantage sides debates --root "A four-day working week should become the norm"
  vantage sides debates --root "School uniforms should be compulsory" -k 3 --filter "stance=oppose"
  vantage sides debates --root "Night trains deserve public subsidy" --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("DIR or URL")(cmd, args); err != nil {
				return err
			}
			if !cmd.Flags().Changed("root") {
				return usagef("the claim is missing: give --root TEXT")
			}
			o.where = args[0]
			return o.check(cmd, -perspective.MaxStrength)
		},
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.ask(cmd.Context(), func(c *open.Opened) error {
				found, err := c.Sides(cmd.Context(), vantage.SidesQuery{Root: o.root, K: o.k, Strength: o.given, Filters: o.kept})
				if err != nil {
					return err
				}
				return printAnswer(o.asJSON, found, answers.Sides{Sides: found})
			})
		},
	}
	o.flags(cmd, "`TEXT` of the claim (required)", " of each side", "how much the side counts in the order of documents (default what the encoder recommends)")
	return cmd
}
