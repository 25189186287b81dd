package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/indexing"
	"github.com/vantage-search/vantage/internal/inputs/corpusflags"
	"github.com/vantage-search/vantage/internal/model/named"
)

// indexCall is a call of `vantage index`.
type indexCall struct {
	indexing.Job
	prompts []string
	asJSON  bool
}

func newIndex() *cobra.Command {
	in := &indexCall{}
	cmd := &cobra.Command{
		Use:   "index CORPUS -o DIR",
		Short: "Turn a corpus into a collection of static files",
		Long: `Encodes the documents of CORPUS and writes them, with their vectors and the
encoder, as a collection: static files that search, the browser library and any
static host can use. CORPUS is a file of JSON lines (_id, title, text, metadata,
as in BEIR), a CSV file with a header, either also with .gz, an .xlsx file, an RSS or
Atom file, a sitemap beside the pages that it names, or a folder of Markdown or HTML
pages, such as a site of Hugo, Jekyll, MkDocs, Docusaurus or Astro. Drafts, and pages
that ask not to be listed, are left out.

DIR may hold an older collection: documents that have not changed are not
encoded again, and a run that is interrupted leaves the old one as it was. A run
that fails leaves nothing new, except vectors that took long to make, and it says where
they are; if it updates a site, the new pages stay, too. A run that is killed may leave
folders called .vantage-staging, which the next run removes: publish DIR after a run has
succeeded.

With --site, DIR becomes a whole site: index.html, a search page with --name as its
title; lab.html, which compares methods; the library; and the collection in
DIR/collection. Each such run replaces the pages, and removes files that only older
ones had; your own files stay. So does theme.css, which is yours: colours and font of
the search page. A page that was changed by hand is replaced only with --force: instead,
give your whole search page as --template, or update the collection alone with
vantage index CORPUS -o DIR/collection
With --server, that server (vantage serve --model) encodes the queries. While it is out
of reach, the pages encode them themselves or rank by words alone.
With --queries and --qrels, BEIR's files, the lab also measures how often each
method finds what a query asks for: Recall@k and p-Recall@k, by the label that
the queries' metadata may have. Both pages offer a few of them, or --examples.

The collection carries its encoder, so that a page encodes queries by itself. Without
--encoder this is sides, a transformer that can tell which side a text is on: 14 MB, of
which a page loads 4 MB only when a query asks for a side. light is smaller and faster,
a table of word vectors of 4 MB, which cannot tell the sides apart. Or name the folder
of a pack that vantage model pack has made. An update with another encoder encodes all
documents again. A corpus in English also gets a small network that reads everyday
queries (5.4 MB).

The built-in encoders know English only. For other languages learn a model with
vantage fit, or bring vectors of any encoder with --vectors, one row for each
document in the order of the corpus; such a collection carries no encoder, and
queries come as vectors. If a model that vantage reads made them, name it with
--model, too: it is checked against the vectors, and encodes the queries.

A transformer, such as BERT, MiniLM or E5, is named by its folder in HuggingFace's
layout, or by its name on the hub (NAME or NAME@REVISION with a slash in NAME),
from where it is fetched once. The collection cannot carry it: search it with the
same --model, or by words (--terms). If queries have an encoder of their own, as
DPR's have, name it with --query-model, and search the collection with that one.
If its folder does not declare the prompts that it wants before texts, give them, for
E5 with --prompt "query=query: " --prompt "document=passage: ", in every update, too.
With a ColBERT, the collection keeps a vector of each token, and ranks by MaxSim.
Encoded documents are kept in .DIR.vantage-encoded beside DIR until the collection is
complete: after an interruption the same command goes on from there.`,
		Example: `  vantage index examples/debates/corpus.jsonl -o debates --terms
  vantage index examples/debates/corpus.jsonl -o site --site --name Debates --examples examples/debates/examples.txt
  vantage index examples/debates/corpus.jsonl -o judged --site --queries examples/debates/queries.jsonl --qrels examples/debates/qrels/test.tsv
  vantage index examples/debates/corpus.jsonl -o exact --quantize f32 --encoder light --idf`,
		Args: cobra.MatchAll(oneArgument("CORPUS", &in.Corpus), func(cmd *cobra.Command, _ []string) error { return in.check(cmd) }),
		RunE: func(cmd *cobra.Command, _ []string) error { return in.run(cmd.Context()) },
	}
	f := cmd.Flags()
	outputFlag(cmd, &in.Output, "`DIR` of the collection, or with --site of the site (required)")
	f.StringVar(&in.Vectors, "vectors", "", "`FILE` of vectors made elsewhere, .npy or .safetensors")
	f.StringVar(&in.VectorsID, "model-id", "", "`ID` or ID@REVISION of the encoder that made --vectors (default the file's name)")
	f.StringVar(&in.Encoder, "encoder", indexing.DefaultEncoder, "encoder that the collection carries: light, sides, or the `FOLDER` or pack.json of a pack")
	must(cmd.RegisterFlagCompletionFunc("encoder", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{indexing.Light + "\tthe built-in static encoder, English only", indexing.Sides + "\ta transformer that tells sides apart, English only"}, cobra.ShellCompDirectiveDefault
	}))
	modelFlag(cmd, &in.Model, "", "encoder of the documents in place of --encoder, or with --vectors of the queries: static (built in), the `DIR` of a model, or its name on the hub")
	f.StringVar(&in.QueryModel, "query-model", "", "encoder of the queries if --model encodes only documents, as with DPR's two: the `DIR` of a model, or its name on the hub")
	encodingFlagsOf(cmd, &in.Transformer)
	promptFlag(cmd, &in.prompts, "`ROLE=TEXT` that a transformer reads before texts of a role, query or document, in place of its folder's; the collection records it, and searches use it; may be repeated")
	scoreFlag(cmd, &in.Score, "as the model says, or cosine")
	choiceFlag(cmd, &in.Quantize, "quantize", "how vectors are stored", "int8", "f16", "f32")
	f.Var(tokenBits{&in.TokenBits}, "token-bits", "bits of each component of a token's vector, with a ColBERT as --model or a pack of one as --encoder: 8, 4 or 2 (default 4)")
	completeFlag(cmd, "token-bits", []string{"8", "4", "2"})
	in.SiteFlags(f)
	f.BoolVar(&in.IDF, "idf", false, "weight the tokens of a static encoder by their rarity in this corpus")
	f.BoolVar(&in.Words, "terms", false, "write an inverted index of the words, too (default with --site)")
	f.StringVar(&in.Name, "name", "", "`TEXT` that names the collection to people")
	corpusflags.Reading(f, &in.Fields)
	corpusflags.Linking(f, &in.Fields)
	f.BoolVar(&in.asJSON, "json", false, "print the report as JSON")
	must(errors.Join(cmd.MarkFlagFilename("vectors", "npy", "safetensors"), cmd.MarkFlagFilename("queries", "jsonl"), cmd.MarkFlagFilename("qrels", "tsv")))
	return cmd
}

// check refuses calls that make no sense.
func (in *indexCall) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if (in.Vectors != "" || changed("model")) && !changed("encoder") {
		in.Encoder = "" // the default is for documents that are to be encoded
	}
	if in.Site && !changed("terms") {
		in.Words = true // a page answers by words while the rest loads
	}
	switch {
	case in.Output == "":
		return usagef("the output folder is missing: give -o DIR")
	case changed("encoder") && changed("model"):
		return usagef("--encoder and --model exclude each other: the collection carries an encoder, or names a model")
	case changed("encoder") && changed("vectors"):
		return usagef("--encoder encodes documents: --vectors are encoded already; name the model that made them with --model")
	case changed("model-id") && changed("model"):
		return usagef("--model-id and --model exclude each other: --model names the encoder of given vectors itself")
	case changed("vectors") && in.IDF:
		return usagef("--idf weights the tokens of a model: it does nothing for --vectors")
	case changed("model-id") && !changed("vectors"):
		return usagef("--model-id names the encoder of --vectors, which are missing")
	case changed("vectors") && changed("device"):
		return usagef("--device says where documents are encoded: --vectors are encoded already")
	case changed("vectors") && !changed("model") && in.Transformer.Any():
		return usagef("--pooling, --max-length and --int8 say how the model of --vectors encodes: name it with --model")
	case changed("prompt") && !changed("model"):
		return usagef("--prompt goes before the texts of a transformer: name it with --model")
	case changed("query-model") && !changed("model"):
		return usagef("--query-model names the encoder of the queries: name that of the documents with --model")
	case corpus.Holds(in.Corpus, in.Output):
		return usagef("the output folder %s lies in the corpus %s, and would be part of it the next time: choose another, and copy it into the site afterwards", in.Output, in.Corpus)
	}
	var err error
	if in.Transformer.Prompts, err = named.ParseIndexPrompts(in.prompts); err != nil {
		return err
	}
	return in.CheckSite(changed)
}

func (in *indexCall) run(ctx context.Context) error {
	in.Generator, in.Console = generator, told()
	r, err := in.Run(ctx)
	if err != nil {
		return err
	}
	in.Warn(r)
	if in.asJSON {
		return printJSON(r)
	}
	return printText(func(w io.Writer) error { return in.print(w, r) })
}

func (in *indexCall) print(w io.Writer, r *indexing.Report) error {
	resumed := ""
	if r.Resumed > 0 {
		resumed = fmt.Sprintf(", %d encoded before the interruption", r.Resumed)
	}
	fmt.Fprintf(w, "%s: %d encoded%s, %d unchanged, %d removed\n", human.Count(r.Documents, "document"), r.Encoded, resumed, r.Reused, r.Removed)
	fmt.Fprintf(w, "%s: %s (%d new, %d gone), %s; encoder %s, %d dimensions, %s\n", r.Collection, human.Count(r.Files, "file"), r.FilesWritten, r.FilesRemoved,
		human.Bytes(r.Bytes), human.Escape(r.Model.ID), r.Model.Dim, r.Stored(in.Quantize))
	if r.JudgedQueries > 0 {
		fmt.Fprintf(w, "%s: the lab measures itself on %s; %v\n", r.Site, human.Count(r.JudgedQueries, "judged query"), r.Choice)
	}
	next := "search it with: vantage search " + human.Argument(in.Output) + " --query TEXT"
	external := r.Model.Kind == manifest.KindExternal
	switch {
	case in.Site:
		next = "look at it with: vantage serve " + human.Argument(in.Output)
	case external && in.Model == "" && in.Words:
		next += " --method bm25" // no encoder is known
	case external:
		next += " --model " + human.Argument(cmp.Or(in.QueryModel, in.Model, "MODEL"))
	}
	_, err := fmt.Fprintln(w, next)
	return err
}
