package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/examples/debates"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs/frequencies"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/model/packer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func newModel() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Prepare models for the page",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelPack())
	return cmd
}

// packing is a call of `vantage model pack`.
type packing struct {
	model, output     string
	bits              string
	samples, tables   string
	corpora, prompts  []string
	frequencies       string
	vocabulary, from  int
	maxLength         int
	branch            string
	branchRounded     bool
	id, license, lang string
	asJSON            bool
	options           packer.Options
}

func newModelPack() *cobra.Command {
	p := &packing{}
	cmd := &cobra.Command{
		Use:   "pack MODEL --output PACK",
		Short: "Turn a BERT model into small files for the page",
		Long: `Writes a model of type bert (an encoder of sentence-transformers' such as
all-MiniLM-L6-v2, bge-small, e5-small or gte-small, or a cross-encoder) as a folder
of files of 1 MB at most, named after their hashes, with a manifest, pack.json.
MODEL is a folder or a name on the hub.

Weights have 4 bits, with a scale for 32 of them, or 8 bits. Those of 4 bits are
rounded so that the outputs of every layer on sample texts change little (GPTQ);
each layer compensates for the errors of the layers before it. The report shows the
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
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("MODEL")(cmd, args); err != nil {
				return err
			}
			p.model = args[0]
			return p.check()
		},
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context()) },
	}
	f := cmd.Flags()
	outputFlag(cmd, &p.output, "`DIR` of the pack (required)")
	choiceFlag(cmd, &p.bits, "bits", "bits of a weight", "4", "8")
	f.StringVar(&p.samples, "samples", "", "`FILE` of texts like those that will be encoded, in any form that vantage embed reads; for a cross-encoder, a tab may divide a text into a pair (default the bundled corpus)")
	f.Var(positive{&p.vocabulary}, "vocabulary", "`PIECES` of the vocabulary to keep (default all)")
	f.StringArrayVar(&p.corpora, "corpus", nil, "`FILE` of texts whose words the vocabulary should cover, in any form that vantage embed reads; may be repeated")
	f.StringVar(&p.frequencies, "frequencies", "", "`FILE` of words and how often they occur, such as \"bicycle 1204\", one a line, that the vocabulary should cover")
	f.Var(positive{&p.maxLength}, "max-length", "`TOKENS` of a text that the pack reads, at most what the model takes (default as the model says)")
	f.StringVar(&p.branch, "branch", "", "safetensors `FILE` of a second vector's layers, branch.0… and projection.weight, which leave the model's after --branch-from")
	f.Var(positive{&p.from}, "branch-from", "`LAYERS` of the model that the branch builds on")
	f.BoolVar(&p.branchRounded, "branch-rounded", false, "the branch was trained on layers whose weights were rounded to 4 bits value by value: round those that it builds on like that")
	f.StringArrayVar(&p.prompts, "prompt", nil, "`ROLE=TEXT` that goes before texts of a role, in place of the model's: query, document, or another; may be repeated")
	f.StringVar(&p.id, "id", "", "`NAME` of the pack (default the model's)")
	f.StringVar(&p.license, "license", "", "SPDX `IDENTIFIER` of the model's licence, such as Apache-2.0")
	f.StringVar(&p.lang, "language", "", "BCP 47 `TAG` of the texts that the model is for, such as en")
	f.StringVar(&p.tables, "tables", "", "JSON `FILE` of tables that travel in the pack: {\"numbers\": {NAME: [1.5]}, \"texts\": {NAME: [\"a\"]}}")
	f.BoolVar(&p.asJSON, "json", false, "print the report as JSON")
	return cmd
}

// check refuses calls that make no sense.
func (p *packing) check() error {
	switch {
	case p.output == "":
		return usagef("the output folder is missing: give -o PACK")
	case p.vocabulary == 0 && (p.corpora != nil || p.frequencies != ""):
		return usagef("--corpus and --frequencies say what to keep of a vocabulary: give --vocabulary PIECES")
	case p.vocabulary > 0 && p.corpora == nil && p.frequencies == "":
		return usagef("--vocabulary keeps what texts and words need: give --corpus, --frequencies, or both")
	case (p.branch == "") != (p.from == 0):
		return usagef("--branch and --branch-from belong together")
	case p.branchRounded && (p.branch == "" || p.bits == "8"):
		return usagef("--branch-rounded is for weights of 4 bits below a branch: give --branch, and leave --bits out")
	}
	p.options.Prompts = map[string]string{}
	for _, prompt := range p.prompts {
		role, text, ok := strings.Cut(prompt, "=")
		if !ok || role == "" {
			return usagef("--prompt is %q, must be ROLE=TEXT", prompt)
		}
		p.options.Prompts[role] = text
	}
	return nil
}

// maxTables bounds the file of --tables.
const maxTables = 1 << 20

// read reads the files that the flags name.
func (p *packing) read(ctx context.Context) (err error) {
	o := &p.options
	o.Bits = 4
	if p.bits == "8" {
		o.Bits = 8
	}
	o.Vocabulary, o.Branch, o.BranchFrom, o.BranchRounded, o.ID, o.License, o.Language = p.vocabulary, p.branch, p.from, p.branchRounded, p.id, p.license, p.lang
	if p.tables != "" {
		b, err := file.Read(p.tables, maxTables, "file of tables")
		if err != nil {
			return fault.At(p.tables, fault.As(fault.Input, fault.Unnamed(err)))
		}
		var t struct {
			Numbers map[string][]float64 `json:"numbers"`
			Texts   map[string][]string  `json:"texts"`
		}
		if err := unpack.JSON(b, &t); err != nil {
			return fault.At(p.tables, fault.As(fault.Input, err))
		}
		o.Numbers, o.Texts = t.Numbers, t.Texts
	}
	if p.corpora != nil {
		o.Corpus = func(yield func(string, error) bool) {
			for _, path := range p.corpora {
				for text, err := range texts.All(ctx, path) {
					if !yield(text, err) {
						return
					}
				}
			}
		}
	}
	if p.frequencies != "" {
		o.Frequencies = frequencies.Read(p.frequencies)
	}
	if p.samples == "" {
		o.Samples, err = debates.Texts()
		return err
	}
	for text, err := range texts.All(ctx, p.samples) {
		if err != nil {
			return err
		}
		if o.Samples = append(o.Samples, text); len(o.Samples) == packer.MaxSamples {
			told().Warnf("%s: more than %d texts: the rest is not looked at", p.samples, packer.MaxSamples)
			break
		}
	}
	return nil
}

func (p *packing) run(ctx context.Context) (err error) {
	if err := errors.Join(packer.CheckTarget(p.output), p.read(ctx)); err != nil {
		return err
	}
	found, err := named.Find(ctx, p.model, told())
	if err != nil {
		return err
	}
	source, err := found.OpenSource(ctx, model.Options{MaxLength: p.maxLength})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	show := told().Progress()
	defer show.Stop()
	p.options.Progress = show.Update
	result, err := packer.Pack(ctx, source, p.options)
	if err != nil {
		return err
	}
	if err := packer.Write(p.output, result.Files); err != nil {
		return err
	}
	show.End()
	if p.asJSON {
		return printJSON(result.Report)
	}
	return printText(func(w io.Writer) error { return result.Report.Print(w) })
}
