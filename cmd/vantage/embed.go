package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs/corpusflags"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/inputs/vectors"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
)

// embedding is a call of `vantage embed`.
type embedding struct {
	input, format, output string
	model                 string
	encoding              named.Settings
	role, prompt          string
	normalize             bool
	asJSON                bool
	fields                corpus.Options

	options encoder.Options
	open    model.Options
}

func newEmbed() *cobra.Command {
	e := &embedding{}
	cmd := &cobra.Command{
		Use:   "embed [FILE]",
		Short: "Turn texts into vectors",
		Long: `Writes the vectors of texts: one text a line, JSON lines with "text" (and "_id"),
or a corpus as vantage index reads it, whose documents are title and text. FILE's
name tells which (.jsonl, .ndjson and .json: JSON lines; tables, workbooks, .xml, .rss,
.atom and folders: a corpus; others: a text a line), unless --input-format does.
Without FILE, or for -, stdin is read as text.

The name of --output tells the format: .npy, .safetensors (tensor "vectors"; with
ids, these as lines of text in the tensor "id_text"), or .jsonl. Without it, JSON
lines go to stdout: {"_id", "vector", "tokens", "truncated"}, "_id" if there is one.

Vectors equal those of the model's own library, with its pooling, prompts and
normalisation. Without --role only the model's default prompt goes before a text.

A JSON line may have an "instruction" for its text alone, as INSTRUCTOR's texts do.
It replaces the prompt of --role or --prompt for this line; "" is no prompt at all.
It works with any model.`,
		Example: `  vantage embed examples/debates/queries.jsonl --role query
  vantage embed examples/debates/corpus.jsonl --input-format corpus --output debates.npy
  vantage embed examples/debates/queries.jsonl --output queries.safetensors --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := inputArgument(cmd, args, &e.input); err != nil {
				return err
			}
			return e.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd.Context()) },
	}
	f := cmd.Flags()
	modelFlag(cmd, &e.model, named.Builtin, "encoder: static (built in), the `DIR` of a model, or its name on the hub")
	f.StringVar(&e.input, "input", "", "`FILE` of texts, the same as the argument")
	choiceFlag(cmd, &e.format, "input-format", "what the input is (default by its name)", texts.Lines, texts.JSONLines, texts.Corpus)
	f.Lookup("input-format").DefValue = ""
	f.StringVarP(&e.output, "output", "o", "-", "`FILE` of vectors, .npy, .safetensors or .jsonl; - is stdout, as JSON lines")
	f.StringVar(&e.role, "role", "", "`NAME` of the texts' role, which picks the model's prompt: query, document (or passage, context), or another that it has")
	completeFlag(cmd, "role", []string{"query", "document", "passage", "context"})
	f.StringVar(&e.prompt, "prompt", "", "`TEXT` to put before every text that has no instruction of its own, in place of the model's prompts")
	encodingFlagsOf(cmd, &e.encoding)
	f.BoolVar(&e.normalize, "normalize", false, "whether vectors are given length 1 (default as the model says)")
	corpusflags.Reading(f, &e.fields)
	f.BoolVar(&e.asJSON, "json", false, "print a summary as JSON; needs --output")
	must(cmd.MarkFlagFilename("output", "npy", "safetensors", "jsonl"))
	return cmd
}

// check refuses calls that make no sense.
func (e *embedding) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if !changed("input-format") {
		e.format = ""
	}
	switch {
	case changed("role") && changed("prompt"):
		return usagef("--role and --prompt exclude each other: a role picks a prompt of the model's")
	case e.asJSON && e.output == "-":
		return usagef("--json prints its summary to stdout, where the vectors go: give --output FILE")
	case e.output == "":
		return usagef("--output is empty: name a file, or leave it out")
	}
	if err := vectors.CheckOutput(e.output); err != nil {
		return err
	}
	var err error
	if e.open, err = e.encoding.Options(); err != nil {
		return err
	}
	if changed("normalize") {
		e.open.Normalize = &e.normalize
	}
	e.options.Role = encoder.Role(e.role)
	if changed("prompt") {
		e.options.Prompt = &e.prompt
	}
	return nil
}

func (e *embedding) run(ctx context.Context) (err error) {
	in, err := texts.Open(e.input, e.format, e.fields)
	if err != nil {
		return err
	}
	if err := e.encoding.Device.Check(); err != nil {
		return err // before a model is fetched
	}
	place, err := named.Find(ctx, e.model, told())
	if err != nil {
		return err
	}
	opened, err := place.Open(ctx, e.open, e.encoding.Device)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	info := opened.Info()
	named.WarnOfAverages(opened, e.open, told())
	if e.options.Prompt == nil {
		place.WarnOfPrompts(info, told(), e.promptFor)
	}
	show := told().Progress()
	defer show.Stop()
	show.Least = progress.LineInterval
	show.Input = in.Progress
	r, err := vectors.Embed(ctx, opened, in, e.output, e.options, show)
	if err != nil {
		return err
	}
	show.End()
	if r.Truncated > 0 {
		told().Warnf("%d of %s longer than the %d tokens that the model reads: the rest of them is ignored", r.Truncated, human.Count(r.Texts, "text"), info.MaxLength)
	}
	if e.asJSON {
		return printJSON(r)
	}
	if e.output != "-" {
		instructed := ""
		if r.Instructed > 0 {
			instructed = fmt.Sprintf(", %d with an instruction of their own", r.Instructed)
		}
		fmt.Fprintf(stderr, "%s: %s%s, %d dimensions, by %s\n", e.output, human.Count(r.Texts, "text"), instructed, info.Dim, human.Escape(info.ID+"@"+info.Revision))
	}
	return nil
}

// promptFor says how to give the texts the prompt that the model wants. It is "" if it wants none.
func (e *embedding) promptFor(wants named.Prompts) string {
	of := map[string]string{"queries": wants.Query, "documents": wants.Document}
	switch role := encoder.Role(e.role); {
	case role == encoder.Query:
		delete(of, "documents")
	case role != encoder.NoRole:
		delete(of, "queries")
	}
	var says []string
	for _, texts := range []string{"queries", "documents"} {
		if of[texts] != "" {
			says = append(says, fmt.Sprintf("for %s add --prompt %s", texts, human.Value(of[texts])))
		}
	}
	return strings.Join(says, ", ")
}
