package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/inspect"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/progress"
)

// inspecting is a call of `vantage inspect`.
type inspecting struct {
	where          string
	asJSON, verify bool
}

func newInspect() *cobra.Command {
	in := &inspecting{}
	cmd := &cobra.Command{
		Use:   "inspect DIR|URL",
		Short: "Tell what a collection holds, and check it",
		Long: `Tells what a collection (or the site that holds it) consists of: documents, model,
files, and the fields that can be filtered by with their values.

With --verify, every file is read, its length and hash compared with the
manifest, every vector and document decoded, and the encoder compared with the
vectors that the manifest records for its check texts. Each fault gets a line on
stderr, and the exit code is 3 if there is one.

A host at URL that sends nothing for 30 seconds is an error.`,
		Example: `  vantage inspect debates
  vantage inspect site --verify
  vantage inspect debates --json`,
		Args:              oneArgument("DIR or URL", &in.where),
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return in.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&in.asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&in.verify, "verify", false, "read and check every file")
	return cmd
}

func (in *inspecting) run(ctx context.Context) error {
	show := told().Progress()
	defer show.Stop()
	show.Least = progress.LineInterval
	c, err := open.Collection(ctx, in.where, vantage.OpenOptions{Lazy: true, Progress: show.Update})
	if err != nil {
		return err
	}
	defer c.Close()
	r, faults, err := inspect.Collection(ctx, c, in.verify)
	if err != nil {
		return err
	}
	if in.verify {
		show.End()
	}
	if in.asJSON {
		err = printJSON(r)
	} else {
		err = printText(r.Print)
	}
	if err != nil {
		return err
	}
	return faults
}
