package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/packing"
)

func newModel() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Prepare models for pages",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelPack())
	return cmd
}

// packingCall is a call of `vantage model pack`.
type packingCall struct {
	packing.Job
	bits    string
	prompts []string
	asJSON  bool
}

func newModelPack() *cobra.Command {
	p := &packingCall{}
	cmd := &cobra.Command{
		Use:   "pack MODEL --output PACK",
		Short: "Turn a BERT model into small files for pages",
		Long: `Writes a model of type bert (an encoder of sentence-transformers' such as
all-MiniLM-L6-v2, bge-small, e5-small or gte-small, a cross-encoder, or a ColBERT)
as a folder of files of 1 MB at most, named after their hashes, with a manifest,
pack.json. MODEL is a folder or a name on the hub.

Weights have 4 bits, with a scale for 32 of them, or 8 bits. Those of 4 bits are
rounded so that the outputs of every layer on sample texts change little (GPTQ);
each layer compensates for the errors of the layers before it. Layers that were
rounded like that while they were trained stay as they are. The report shows the
cost: cosines between the model's vectors and the pack's, on the sample texts and on
held-out texts, those of plain rounding, and the error after each layer. Give
--samples texts like those that you will encode; the default is the bundled corpus,
English debates.

--vocabulary keeps the pieces that --corpus and --frequencies need most. A word
whose piece is removed is spelt with shorter ones, so nothing becomes unknown.`,
		Example: `  vantage pull sentence-transformers/all-MiniLM-L6-v2
  vantage model pack sentence-transformers/all-MiniLM-L6-v2 -o pack
  vantage model pack BAAI/bge-small-en-v1.5 -o pack --vocabulary 16000 --corpus corpus.jsonl
  vantage model pack intfloat/e5-small-v2 -o pack --bits 8 --prompt "query=query: " --prompt "document=passage: "`,
		Args:              cobra.MatchAll(oneArgument("MODEL", &p.Model), func(*cobra.Command, []string) error { return p.check() }),
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context()) },
	}
	f := cmd.Flags()
	outputFlag(cmd, &p.Output, "`DIR` of the pack (required)")
	choiceFlag(cmd, &p.bits, "bits", "bits of a weight", "4", "8")
	f.StringVar(&p.Samples, "samples", "", "`FILE` of texts like those that will be encoded, in any form that vantage embed reads; for a cross-encoder, a tab may divide a text into a pair (default the bundled corpus)")
	f.Var(positive{&p.Options.Vocabulary}, "vocabulary", "`PIECES` of the vocabulary to keep (default all)")
	f.StringArrayVar(&p.Corpora, "corpus", nil, "`FILE` of texts whose words the vocabulary should cover, in any form that vantage embed reads; may be repeated")
	f.StringVar(&p.Frequencies, "frequencies", "", "`FILE` of words and how often they occur, such as \"bicycle 1204\", one a line, that the vocabulary should cover")
	f.Var(positive{&p.MaxLength}, "max-length", "`TOKENS` of a text that the pack reads, at most what the model takes (default as the model says)")
	f.StringVar(&p.Options.Branch, "branch", "", "safetensors `FILE` of a second vector's layers, branch.0… and projection.weight, which leave the model's after --branch-from")
	f.Var(positive{&p.Options.BranchFrom}, "branch-from", "`LAYERS` of the model that the branch builds on")
	f.BoolVar(&p.Options.BranchRounded, "branch-rounded", false, "the branch was trained on layers whose weights were rounded to 4 bits value by value: round those that it builds on like that")
	promptFlag(cmd, &p.prompts, "`ROLE=TEXT` that goes before texts of a role, in place of the model's: query, document, or another; may be repeated")
	f.StringVar(&p.Options.Reader, "reader", "", "safetensors `FILE` of a reader of queries, as internal/recipes/reader makes it")
	f.StringVar(&p.Options.ID, "id", "", "`NAME` of the pack (default the model's)")
	f.StringVar(&p.Options.License, "license", "", "SPDX `IDENTIFIER` of the model's licence, such as Apache-2.0")
	f.StringVar(&p.Options.Language, "language", "", "BCP 47 `TAG` of the texts that the model is for, such as en")
	f.StringVar(&p.Tables, "tables", "", "JSON `FILE` of tables that travel in the pack: {\"numbers\": {NAME: [1.5]}, \"texts\": {NAME: [\"a\"]}}")
	f.BoolVar(&p.asJSON, "json", false, "print the report as JSON")
	return cmd
}

// check refuses calls that make no sense.
func (p *packingCall) check() error {
	switch {
	case p.Output == "":
		return usagef("the output folder is missing: give -o PACK")
	case p.Options.Vocabulary == 0 && (p.Corpora != nil || p.Frequencies != ""):
		return usagef("--corpus and --frequencies say what to keep of a vocabulary: give --vocabulary PIECES")
	case p.Options.Vocabulary > 0 && p.Corpora == nil && p.Frequencies == "":
		return usagef("--vocabulary keeps what texts and words need: give --corpus, --frequencies, or both")
	case (p.Options.Branch == "") != (p.Options.BranchFrom == 0):
		return usagef("--branch and --branch-from belong together")
	case p.Options.BranchRounded && (p.Options.Branch == "" || p.bits == "8"):
		return usagef("--branch-rounded is for weights of 4 bits below a branch: give --branch, and leave --bits out")
	}
	var err error
	p.Options.Prompts, err = named.ParsePrompts(p.prompts)
	return err
}

func (p *packingCall) run(ctx context.Context) error {
	p.Options.Bits = 4
	if p.bits == "8" {
		p.Options.Bits = 8
	}
	p.Console = told()
	report, err := p.Run(ctx)
	if err != nil {
		return err
	}
	if p.asJSON {
		return printJSON(report)
	}
	return printText(report.Print)
}
