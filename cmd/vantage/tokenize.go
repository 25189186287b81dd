package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/model/named"
)

// tokenizing is a call of `vantage tokenize`.
type tokenizing struct {
	model, input, format string
	maxLength            int
}

func newTokenize() *cobra.Command {
	k := &tokenizing{}
	cmd := &cobra.Command{
		Use:   "tokenize [FILE]",
		Short: "Turn texts into the token ids of a model",
		Long: `Prints a line {"ids": [...], "truncated": false} for each text of FILE, which is
JSON lines with "text", or a text on each line if its name ends in .txt. Without
FILE, or for -, stdin is read as JSON lines. The "instruction" of a line goes before
its text, as in vantage embed.

Special tokens are included. Texts are neither cut nor padded, whatever the
tokenizer's file says, unless --max-length is given. The model's folder need only
have the tokenizer (tokenizer.json, vocab.txt, or vocab.json with merges.txt).`,
		Example: `  vantage tokenize examples/debates/queries.jsonl
  vantage tokenize examples/debates/queries.jsonl --max-length 16`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := inputArgument(cmd, args, &k.input); err != nil {
				return err
			}
			if !cmd.Flags().Changed("input-format") {
				k.format = texts.JSONLines
				if strings.ToLower(filepath.Ext(strings.TrimSuffix(k.input, ".gz"))) == ".txt" {
					k.format = texts.Lines
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return k.run(cmd.Context()) },
	}
	f := cmd.Flags()
	modelFlag(cmd, &k.model, named.Builtin, "tokenizer: static (that of the built-in model), the `DIR` of a model, or its name on the hub")
	f.StringVar(&k.input, "input", "", "`FILE` of texts, the same as the argument")
	choiceFlag(cmd, &k.format, "input-format", "what the input is (default by its name)", texts.JSONLines, texts.Lines)
	f.Lookup("input-format").DefValue = ""
	f.Var(positive{&k.maxLength}, "max-length", "`TOKENS` at most, special ones included (default any number)")
	return cmd
}

func (k *tokenizing) run(ctx context.Context) error {
	in, err := texts.Open(k.input, k.format, corpus.Options{})
	if err != nil {
		return err
	}
	tokens, err := named.Tokenizer(ctx, k.model, told())
	if err != nil {
		return err
	}
	return printText(func(w io.Writer) error { return in.Tokenize(ctx, w, tokens, k.maxLength) })
}
