package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/answers"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/open"
)

func newOtherSide() *cobra.Command {
	o := &opposing{}
	var id string
	cmd := &cobra.Command{
		Use:   "other-side DIR|URL ID",
		Short: "Find the other side of a document",
		Long: `Finds documents of a collection (or of a site that holds one) that are near a
document in topic and on the other side. With --root, the other side is that of the
claim, and only documents on its subject are found. Without it, the documents that are
near in topic and far in angle come first.

ID is the document's, as vantage search prints it. If that is between quotation
marks, with \t for a tab, write it in bash as $'a\tb'. The collection needs an encoder
that tells sides apart (vantage index --encoder sides). A host at URL that sends nothing
for 30 seconds is an error.`,
		Example: `  vantage other-side debates four-day-week-03 --root "A four-day working week should become the norm"
  vantage other-side debates four-day-week-03 -k 3 --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("DIR or URL and the document's ID are expected, not %s", human.Count(len(args), "argument"))
			}
			if args[0] == "" {
				return usagef("DIR or URL is empty")
			}
			o.where, id = args[0], args[1]
			return o.check(cmd, 0)
		},
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.ask(cmd.Context(), func(c *open.Opened) error {
				index, err := c.FindDocument(cmd.Context(), id)
				if err != nil {
					return err
				}
				found, err := c.OtherSide(cmd.Context(), vantage.OtherSideQuery{Document: index, Root: o.root, K: o.k, Strength: o.given, Filters: o.kept})
				if err != nil {
					return err
				}
				return printAnswer(o.asJSON, found, answers.OtherSide{OtherSide: found})
			})
		},
	}
	o.flags(cmd, "`TEXT` of the claim that the documents are about", "", "how much the side counts, from 0 on (default 0.8 with --root, 0.5 without)")
	return cmd
}
