package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model/hub"
	"github.com/vantage-search/vantage/internal/model/named"
)

// pulling is a call of `vantage pull`.
type pulling struct {
	name, revision string
	asJSON         bool
}

func newPull() *cobra.Command {
	p := &pulling{}
	cmd := &cobra.Command{
		Use:   "pull NAME[@REVISION]",
		Short: "Download a model from the HuggingFace hub, and check it",
		Long: `Downloads what loading a model needs (configuration, tokenizer, weights; never
ONNX, OpenVINO, TensorFlow or Flax copies) and prints the folder that has it. A
REVISION is a branch (main by default), a tag, or a commit.

Every file has to have the size and hash that the hub states before it becomes
visible. After an interruption, the same command continues where it stopped. Files
that are there already are checked; damaged ones are downloaded again. A commit
that is there completely needs no network. A hub that sends nothing for 30 seconds
is an error.

The cache is that of Python's huggingface_hub, and so are the settings:
  HF_TOKEN        for private and gated models (else the file that hf auth login wrote)
  HF_HOME, HF_HUB_CACHE
                  where models are kept (~/.cache/huggingface/hub)
  HF_ENDPOINT     another hub
  HF_HUB_OFFLINE  1: use only what is there, without the network`,
		Example: `  vantage pull sentence-transformers/all-MiniLM-L6-v2
  vantage pull princeton-nlp/sup-simcse-bert-base-uncased@main --json
  vantage pull intfloat/e5-small-v2@refs/pr/1`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("NAME")(cmd, args); err != nil {
				return err
			}
			p.name, p.revision = hub.Split(args[0])
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&p.asJSON, "json", false, "print JSON: the commit, the folder, and every file with its SHA-256")
	return cmd
}

func (p *pulling) run(ctx context.Context) error {
	snapshot, err := named.Pull(ctx, p.name, p.revision, true, told())
	if err != nil {
		return err
	}
	if !p.asJSON {
		return printText(func(w io.Writer) error {
			_, err := fmt.Fprintln(w, snapshot.Dir)
			return err
		})
	}
	report, err := snapshot.Report(ctx, p.name, p.revision)
	if err != nil {
		return err
	}
	return printJSON(report)
}
