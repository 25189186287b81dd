package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
)

// retrieverFlags name the retrievers of an evaluation and say how their models encode and
// compare. names are retrievers beside models. The given retrievers are the default.
func retrieverFlags(cmd *cobra.Command, retrievers *[]string, e *retrieve.Encoding, short, usage string, names ...string) {
	f := cmd.Flags()
	f.StringArrayVarP(retrievers, "retriever", short, *retrievers, usage)
	f.StringVar(&e.Pooling, "pooling", "", "how the token vectors of transformers become one: "+strings.Join(poolingNames, ", ")+" (default as each model says)")
	f.StringVar(&e.QueryModel, "query-model", "", "encoder of the queries if the model of --retriever encodes only documents, as with DPR's two: the `DIR` of a model, or its name on the hub")
	scoreFlag(cmd, &e.Score, "as each model says, or cosine")
	deviceFlagsOf(cmd, &e.Device)
	int8Flag(cmd, &e.Int8)
	completeFlag(cmd, "pooling", poolingNames)
	must(cmd.RegisterFlagCompletionFunc("retriever", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return completeRetriever(names, begun)
	}))
}

// data expects at least one argument; missing is the error if there is none.
func data(missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s", missing)
		}
		return nil
	}
}

// modelOptions is the part of help texts that explains settings for several models.
const modelOptions = `--pooling, --int8 and --device apply to all transformers, --score to all models,
--query-model to a single one. Each model's own settings follow its name after commas:
pooling=WAY, query-model=MODEL, score=cosine|dot, query-prefix=TEXT, document-prefix=TEXT,
and token-bits=8|4|2 of a ColBERT.`

// completeRetriever completes a retriever's name or, after a comma, an option.
func completeRetriever(names []string, begun string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexByte(begun, ',')
	if at < 0 {
		return names, cobra.ShellCompDirectiveDefault // of folders, too
	}
	var options []string
	for _, option := range retrieve.Completions(poolingNames) {
		options = append(options, begun[:at+1]+option)
	}
	return options, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// reportFlags say where the report of an evaluation is written.
func reportFlags(cmd *cobra.Command, r *report.Files) {
	f := cmd.Flags()
	f.StringVar(&r.JSON, "json", "", "write the figures as JSON to `FILE` (-: stdout, in place of the tables)")
	f.StringVar(&r.CSV, "csv", "", "write the tables' cells as CSV to `FILE` (-: stdout)")
	f.StringVar(&r.Markdown, "markdown", "", "write the tables in Markdown to `FILE` (-: stdout)")
	f.StringVar(&r.LaTeX, "latex", "", "write the tables in LaTeX to `FILE` (-: stdout)")
}

// chatModelFlags say which chat model is asked.
func chatModelFlags(cmd *cobra.Command, s *chat.Settings) {
	f := cmd.Flags()
	f.StringVar(&s.Model, "chat-model", "", "`NAME` of a chat model at --chat-url")
	f.StringVar(&s.URL, "chat-url", chat.DefaultURL, "base `URL` of any host that speaks OpenAI's API")
	f.StringVar(&s.KeyFile, "chat-key-file", "", "`FILE` with the host's key (default $"+chat.KeyVariable+")")
	f.StringVar(&s.Prompts, "chat-prompts", "", "`DIR` with prompts in place of ours, under their names")
	f.StringVar(&s.Replay, "replay", "", "take replies from a recorded `FILE` and ask no model")
	f.Var(positive{&s.MaxTokens}, "chat-max-tokens", fmt.Sprintf("`TOKENS` of a reply (default %d)", chat.DefaultMaxTokens))
}

// chatFlags say which chat model is asked, what may be spent, and what is kept.
func chatFlags(cmd *cobra.Command, s *chat.Settings) {
	chatModelFlags(cmd, s)
	f := cmd.Flags()
	f.Var(&s.Price, "chat-price", "`PROMPT,REPLY`: US dollars for a million tokens in prompts and in replies, to report the cost")
	f.Float64Var(&s.MaxCost, "chat-max-cost", 0, "US `DOLLARS` that one request may cost at most, by --chat-price (default no bound)")
	f.StringVar(&s.Record, "record", "", "write the chat model's replies to `FILE`, for --replay")
	f.BoolVar(&s.Anew, "no-chat-cache", false, "neither take nor keep replies in the user's cache")
	f.Var(positive{&s.Kept.Entries}, "chat-cache-entries", fmt.Sprintf("`N` replies in the user's cache at most (default %d)", chat.DefaultEntries))
	f.Var(positive{&s.Kept.Bytes}, "chat-cache-bytes", fmt.Sprintf("`BYTES` of replies in the user's cache at most (default %d)", chat.DefaultBytes))
}

// testFlags say how runs are tested against each other.
func testFlags(cmd *cobra.Command, t *compare.Tests) {
	f := cmd.Flags()
	f.IntVar(&t.Rounds, "rounds", 10000, "`N` rounds of the bootstrap and the randomisation test")
	f.Uint64Var(&t.Seed, "seed", 1, "`NUMBER` that seeds the random draws")
}

// partOptions are the conditions on the documents of an evaluation.
type partOptions struct{ only, without []string }

func partFlags(cmd *cobra.Command, o *partOptions) {
	f := cmd.Flags()
	f.StringArrayVar(&o.only, "only", nil, "`CONDITION` on the documents' metadata, such as kind=point; other documents and their judgements are left out; may be repeated")
	f.StringArrayVar(&o.without, "without", nil, "`CONDITION` on the metadata of documents to leave out with their judgements; may be repeated")
}

func (o *partOptions) parse() (part.Part, error) { return part.Parse(o.only, o.without) }

// write writes the report of an evaluation, unless there is none. An error beside a report says what could not be kept.
func write[R interface {
	comparable
	Tables() []report.Table
}](files *report.Files, found R, err error) error {
	var none R
	if found == none {
		return err
	}
	return errors.Join(files.Write(found, found.Tables(), os.Stdout), err)
}
