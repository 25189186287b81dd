package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/evaluation/judgements"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs/vectors"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/site"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// indexing is a call of `vantage index`.
type indexing struct {
	models                   []model.Encoder // open, to be closed when it ends
	corpus, output           string
	vectors, model           string
	queryModel               string
	modelID, quantize        string
	name, server             string
	queries, qrels           string
	fields                   corpus.Options
	site, idf, terms, asJSON bool
	modelGiven               bool // --model, rather than its default
	encoding                 encodingFlags
	judged                   *judgements.Judgements
	undo                     func() // of the folder beside the output's, if the run fails; or nil
}

func newIndex() *cobra.Command {
	in := &indexing{}
	cmd := &cobra.Command{
		Use:   "index CORPUS -o DIR",
		Short: "Turn a corpus into a collection of static files",
		Long: `Encodes the documents of CORPUS and writes them, with their vectors and the
encoder, as a collection: static files that search, the browser library and any
static host can use. CORPUS is a file of JSON lines (_id, title, text, metadata,
as in BEIR), a CSV file with a header, either also with .gz, or a folder of
Markdown or HTML pages.

DIR may hold an older collection: documents that have not changed are not
encoded again, and a run that is interrupted leaves the old one as it was. A run
that fails leaves nothing new. What one that was killed has left, in folders called
.vantage-staging, the next one removes: publish DIR after a run that was done.

With --site, DIR becomes a whole site: the page, the library, and the collection
in DIR/collection. The page's files are replaced by each such run, and those that
only an older page had are removed; your own files stay. If the page
has been changed by hand, update with: vantage index CORPUS -o DIR/collection
With --server, queries are encoded by that server (vantage serve --model), and in the
page, or by words alone, while it is out of reach.
With --queries and --qrels, BEIR's files, the page also measures how often each
method finds what a query asks for: Recall@k and p-Recall@k, by the label that
the queries' metadata may have.

The built-in model knows English only. For other languages learn a model with
vantage fit, or bring vectors of any encoder with --vectors, one row for each
document in the order of the corpus; such a collection carries no encoder, and
queries come as vectors. Where a model that vantage reads made them, name it with
--model too: it is checked against the vectors, and encodes the queries.

A transformer, such as BERT, MiniLM or E5, is named by its folder in HuggingFace's
layout, or by its name on the hub (NAME or NAME@REVISION with a slash in NAME),
from where it is fetched once. The collection cannot carry it: search it with the
same --model, or by words (--terms). Where queries have an encoder of their own, as
DPR's have, --query-model names it, and the collection is searched with that one. What is encoded is kept in .DIR.vantage-encoded beside DIR until
the collection stands: after an interruption the same command goes on from there.`,
		Example: `  vantage index examples/debates/corpus.jsonl -o debates --terms
  vantage index examples/debates/corpus.jsonl -o site --site --name Debates
  vantage index examples/debates/corpus.jsonl -o judged --site --queries examples/debates/queries.jsonl --qrels examples/debates/qrels/test.tsv
  vantage index examples/debates/corpus.jsonl -o exact --quantize f32 --idf`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("CORPUS")(cmd, args); err != nil {
				return err
			}
			in.corpus = args[0]
			return in.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return in.run(cmd.Context()) },
	}
	f := cmd.Flags()
	outputFlag(cmd, &in.output, "`DIR` of the collection, or with --site of the site (required)")
	f.StringVar(&in.vectors, "vectors", "", "`FILE` of vectors made elsewhere, .npy or .safetensors")
	f.StringVar(&in.modelID, "model-id", "", "`ID` or ID@REVISION of the encoder that made --vectors (default the file's name)")
	modelFlag(cmd, &in.model, named.Builtin, "encoder of the documents, or with --vectors of the queries: static (built in), the `DIR` of a model, or its name on the hub")
	f.StringVar(&in.queryModel, "query-model", "", "encoder of the queries where --model encodes only documents, as with DPR's two: the `DIR` of a model, or its name on the hub")
	encodingFlagsOf(cmd, &in.encoding)
	choiceFlag(cmd, &in.quantize, "quantize", "how vectors are stored", "int8", "f16", "f32")
	f.BoolVar(&in.site, "site", false, "write a page that searches the collection, too")
	f.StringVar(&in.server, "server", "", "`URL` of an encode server that the page asks, or ./ where its own host is one")
	f.StringVar(&in.queries, "queries", "", "JSON lines `FILE` of judged queries for the page to measure itself on: _id, text, root, perspective")
	f.StringVar(&in.qrels, "qrels", "", "`FILE` of their judgements: BEIR's (query-id, corpus-id, score between tabs) or TREC's; may be gzipped")
	f.BoolVar(&in.idf, "idf", false, "let tokens count by how rare they are in this corpus")
	f.BoolVar(&in.terms, "terms", false, "write an inverted index of the words, too (default with --site)")
	f.StringVar(&in.name, "name", "", "`TEXT` that names the collection to people")
	fieldFlags(cmd, &in.fields)
	f.BoolVar(&in.asJSON, "json", false, "print the report as JSON")
	must(cmd.MarkFlagFilename("vectors", "npy", "safetensors"))
	must(cmd.MarkFlagFilename("queries", "jsonl"))
	must(cmd.MarkFlagFilename("qrels", "tsv"))
	return cmd
}

// check refuses calls that make no sense.
func (in *indexing) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	in.modelGiven = changed("model")
	if in.site && !changed("terms") {
		in.terms = true // a page answers by words while the rest loads
	}
	switch {
	case in.output == "":
		return usagef("the output folder is missing: give -o DIR")
	case changed("model-id") && changed("model"):
		return usagef("--model-id and --model exclude each other: --model names the encoder of given vectors itself")
	case changed("vectors") && in.idf:
		return usagef("--idf weights the tokens of a model: it does nothing for --vectors")
	case changed("model-id") && !changed("vectors"):
		return usagef("--model-id names the encoder of --vectors, which are missing")
	case changed("vectors") && in.encoding.settings():
		return usagef("--pooling, --max-length, --int8 and --device say how documents are encoded: --vectors are encoded already")
	case changed("query-model") && !changed("model"):
		return usagef("--query-model names the encoder of the queries: name that of the documents with --model")
	case changed("queries") != changed("qrels"):
		return usagef("--queries and --qrels belong together: the queries, and which documents answer them")
	case changed("queries") && !in.site:
		return usagef("--queries and --qrels are for the page: give --site, too")
	case changed("server") && !in.site:
		return usagef("--server is for the page: give --site, too")
	case corpus.Holds(in.corpus, in.output):
		return usagef("the output folder %s lies in the corpus %s, and would be part of it the next time: choose another", in.output, in.corpus)
	}
	if changed("server") {
		if err := static.CheckServer(in.server); err != nil {
			return usagef("--server %s: %w", in.server, err)
		}
	}
	return nil
}

func (in *indexing) run(ctx context.Context) (err error) {
	c, err := corpus.Open(in.corpus, in.fields)
	if err != nil {
		return err
	}
	if in.queries != "" {
		if in.judged, err = judgements.Read(ctx, in.queries, in.qrels); err != nil {
			return err
		}
	}
	show := told().Progress()
	defer show.Stop()
	show.Input = c.Progress
	options := vantage.IndexOptions{Name: in.name, Generator: generator, IDF: in.idf, Words: in.terms, Quantize: in.quantize, Progress: show.Update, Workers: in.encoding.threads}
	if in.vectors != "" {
		if options.Vectors, err = vectors.Read(in.vectors, in.modelID); err != nil {
			return err
		}
	}
	if in.vectors == "" || in.modelGiven {
		defer func() {
			for _, m := range in.models {
				err = errors.Join(err, m.Close())
			}
		}()
		if err := in.openModel(ctx, &options); err != nil {
			return err
		}
	}
	r, err := in.write(ctx, c, options)
	if err != nil && in.undo != nil {
		in.undo()
	}
	if fault.Is[*collection.VectorsError](err) {
		err = fault.At(in.vectors, err)
	}
	if err != nil {
		show.Stop()
		if _, none := os.Stat(options.Journal); options.Journal != "" && none == nil {
			fmt.Fprintf(stderr, "vantage: what has been encoded is kept in %s: the same command goes on from there\n", human.Escape(options.Journal))
		}
		return err
	}
	show.End()
	in.warnings(c, r)
	if in.asJSON {
		return printJSON(r)
	}
	return printText(func(w io.Writer) error { return r.print(w, in) })
}

// openModel opens the encoder of the documents, or of the queries if vectors
// are given.
func (in *indexing) openModel(ctx context.Context, o *vantage.IndexOptions) error {
	place, err := named.Find(ctx, in.model, told())
	if err != nil {
		return err
	}
	if place.Static {
		if in.queryModel != "" {
			return usagef("--query-model goes with a transformer: %s is a static model, which encodes queries and documents alike", in.model)
		}
		if in.encoding.settings() {
			return usagef("--pooling, --max-length, --int8 and --device are for transformers: %s is a static model", in.model)
		}
		encoder, err := open.StaticEncoder(place)
		if err != nil {
			return err
		}
		o.Encoder = encoder
		return nil
	}
	if in.idf {
		return usagef("--idf weights the tokens of a static model: %s is a transformer", in.model)
	}
	asked, err := in.encoding.options()
	if err != nil {
		return err
	}
	documents, err := place.Open(ctx, asked, in.encoding.device)
	if err != nil {
		return err
	}
	in.models = append(in.models, documents)
	if _, tokens := documents.(model.TokenEncoder); tokens && asked.Pooling == "" {
		return usagef("%s gives a vector for each token (ColBERT), and a collection has one for each document: average them with --pooling mean, or choose another model", in.model)
	}
	o.Encoder = open.Encoder(documents)
	if in.queryModel != "" {
		queries, err := named.Open(ctx, in.queryModel, asked, in.encoding.device, told())
		if err != nil {
			return err
		}
		in.models = append(in.models, queries)
		if q, d := queries.Info().Dim, documents.Info().Dim; q != d {
			return fault.Errorf(fault.Input, "%s gives %d dimensions, %s %d: they do not belong together", in.queryModel, q, in.model, d)
		}
		o.QueryEncoder = open.Encoder(queries)
	} else if documents.Info().Architecture == "dpr" {
		return usagef("%s is one of DPR's two encoders: name the one of the questions, too: --query-model MODEL", in.model)
	}
	if in.vectors == "" {
		o.Journal, in.undo, err = collection.JournalPath(in.output)
	}
	return err
}

// write makes the collection and, where asked for, the site around it.
func (in *indexing) write(ctx context.Context, c *corpus.Corpus, o vantage.IndexOptions) (_ *indexReport, err error) {
	if !in.site {
		if _, err := os.Stat(filepath.Join(in.output, site.CollectionDir, manifest.FileName)); err == nil {
			return nil, usagef("%s is a site: give --site to renew it, or write to %s", in.output, filepath.Join(in.output, site.CollectionDir))
		}
		r, err := vantage.Index(ctx, open.Documents(c.Documents()), in.output, o)
		if err != nil {
			return nil, err
		}
		return &indexReport{Collection: in.output, Report: r}, nil
	}
	s, err := site.Open(ctx, in.output, static.Page{Server: in.server}, in.judged)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close(err != nil)) }()
	if s.Updates {
		if err := s.Place(); err != nil {
			return nil, err
		}
	}
	r, err := vantage.Index(ctx, open.Documents(in.judged.Watch(c.Documents())), s.Collection(), o)
	if err == nil && !s.Updates {
		err = s.Place()
	}
	report := &indexReport{Collection: s.Collection(), Site: in.output, Report: r}
	if in.judged != nil {
		report.JudgedQueries = len(in.judged.Queries)
	}
	return report, err
}

// manyUnknown is the least share of unknown documents at which the encoder is
// probably wrong for the corpus.
const manyUnknown = 0.05

// maxListed bounds the fields that warnings name one by one.
const maxListed = 10

func (in *indexing) warnings(c *corpus.Corpus, r *indexReport) {
	if r.MostlyUnknown > 0 && float64(r.MostlyUnknown) >= manyUnknown*float64(r.Encoded) {
		told().Warnf("%d of %s mostly unknown to the encoder %s (%s): they will be found badly; learn a model from the corpus with: vantage fit %s -o MODELDIR, and index with --model MODELDIR",
			r.MostlyUnknown, human.Count(r.Encoded, "document")+" encoded are", r.Model.ID, manifest.LanguageText(r.Model.Language), in.corpus)
	}
	if r.Truncated > 0 {
		told().Warnf("%s longer than the %d tokens that the model reads: what follows in them is not searched by vectors", human.Count(r.Truncated, "document")+" encoded "+human.Are(r.Truncated), r.Model.MaxLength)
	}
	if r.Empty > 0 {
		told().Warnf("%s with neither title nor text: such documents are never found", human.Count(r.Empty, "document"))
	}
	if n := c.Skipped(); n > 0 {
		told().Warnf("%s of the folder passed over: hidden ones and symbolic links are not read", human.Count(n, "entry"))
	}
	for i, field := range slices.Sorted(maps.Keys(r.LeftOut)) {
		if i == maxListed {
			told().Warnf("and %d more fields cannot be filtered by: --json lists them", len(r.LeftOut)-i)
			break
		}
		told().Warnf("field %q cannot be filtered by: %s", field, r.LeftOut[field])
	}
	in.judged.Warn(in.queries, in.qrels, told())
	for _, note := range r.Notes {
		told().Warnf("%s", note)
	}
}

func (r *indexReport) print(w io.Writer, in *indexing) error {
	resumed := ""
	if r.Resumed > 0 {
		resumed = fmt.Sprintf(", %d encoded before the interruption", r.Resumed)
	}
	fmt.Fprintf(w, "%s: %d encoded%s, %d unchanged, %d removed\n", human.Count(r.Documents, "document"), r.Encoded, resumed, r.Reused, r.Removed)
	fmt.Fprintf(w, "%s: %s (%d new, %d gone), %s; %s, %d dimensions, %s\n", r.Collection, human.Count(r.Files, "file"), r.FilesWritten, r.FilesRemoved,
		human.Bytes(r.Bytes), human.Escape(r.Model.ID), r.Model.Dim, in.quantize)
	if r.JudgedQueries > 0 {
		fmt.Fprintf(w, "%s: the page measures itself on %d judged queries\n", r.Site, r.JudgedQueries)
	}
	next := "search it with: vantage search " + in.output + " --query TEXT"
	if r.Model.Architecture != "" {
		next += " --model " + cmp.Or(in.queryModel, in.model)
	}
	if in.site {
		next = "look at it with: vantage serve " + in.output
	}
	_, err := fmt.Fprintln(w, next)
	return err
}
