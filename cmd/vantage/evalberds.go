package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// evaluatingBERDS is a call of `vantage eval berds`.
type evaluatingBERDS struct {
	expansions string
	runOut     string
	report     reportFlags
	retrieverFlags
}

// berdsReport is what --json writes; what was not among the files is left out.
type berdsReport struct {
	Perspectrum *berds.Evaluation           `json:"perspectrum,omitempty"`
	Expansions  []berds.ExpansionStatistics `json:"expansion_files,omitempty"`
	Detection   *berds.DetectionStatistics  `json:"detection,omitempty"`
}

func newEvalBERDS() *cobra.Command {
	e := &evaluatingBERDS{retrieverFlags: retrieverFlags{retrievers: []string{bm25Name, builtinName}}}
	cmd := &cobra.Command{
		Use:   "berds DIR|FILE…",
		Short: "Evaluate how many perspectives of a question retrieval surfaces",
		Long: `Runs the experiments of "Open-World Evaluation for Retrieving Diverse
Perspectives" (BERDS) on Perspectrum, as BERDS' own corpora were not released: a
question is a claim, its perspectives are to support and to oppose it, the corpus
is the pool of perspectives. MRecall and Precision, MMR with its λ chosen on the
development split, query expansion merged round-robin, preference, sycophancy,
coverage and the retrievers' union are printed as the paper's tables are laid
out, the paper's figures with their own corpora below ours.

Files are told by their names: Perspectrum's perspective_pool*.json,
perspectrum_with_answers*.json and dataset_split*.json, which go together;
BERDS' query expansions *_query_exp*.jsonl, which are counted; and its test of
perspective detection pers_det*.tsv. A DIR stands for those in it.

RETRIEVER is one of
  bm25    lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75
  okapi   BM25 exactly as rank_bm25's Okapi
  static  cosine of the built-in encoder, English only (also called english)
  MODEL   cosine of another encoder: its folder, or its name on the hub

` + modelOptions + `

Without --expansions, claims are expanded by "supports the claim: …" and
"opposes the claim: …", which needs no language model.`,
		Example: `  vantage eval berds perspectrum/ --retriever bm25 --retriever static --json berds.json
  vantage eval berds perspectrum/ --expansions claims_query_exp.jsonl --latex tables.tex
  vantage eval berds berds/`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("DIR or FILE is missing: name the folder that holds Perspectrum or BERDS' files")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.evaluate(cmd, args) },
	}
	f := cmd.Flags()
	e.register(cmd, "", "`RETRIEVER`, may be repeated", bm25Name, okapiName, builtinName)
	f.StringVar(&e.expansions, "expansions", "", "`FILE` of query expansions in BERDS' layout (JSON lines: org_q, the claim; question or text)")
	f.StringVar(&e.runOut, "run-out", "", "write the test claims' rankings as TREC runs to `FILE`, with the retriever's name and -mmr or -expanded before its ending, and judgements as .qrels")
	e.report.register(cmd)
	return cmd
}

func (e *evaluatingBERDS) evaluate(cmd *cobra.Command, args []string) error {
	if err := e.report.check(); err != nil {
		return err
	}
	if e.runOut == "-" {
		return usagef("--run-out needs the name of a file: stdout is for the tables")
	}
	for i, name := range e.retrievers {
		if name == "english" {
			e.retrievers[i] = builtinName
		}
		if slices.Contains(e.retrievers[:i], e.retrievers[i]) {
			return usagef("--retriever %s is given twice", e.retrievers[i])
		}
	}
	if e.runOut != "" {
		if err := checkTags(e.retrievers); err != nil {
			return err
		}
	}
	files, err := findBERDS(args)
	if err != nil {
		return err
	}
	if files.claims == "" && (cmd.Flags().Changed("retriever") || e.pooling != "" || e.queryModel != "" || e.expansions != "" || e.runOut != "") {
		return usagef("--retriever with its models, --expansions and --run-out are for Perspectrum's files, and none is given")
	}
	ctx := cmd.Context()
	var out berdsReport
	var tables []report.Table
	if files.claims != "" {
		if out.Perspectrum, err = e.perspectrum(ctx, files); err != nil {
			return err
		}
		tables = out.Perspectrum.Tables()
	}
	for _, path := range files.expansions {
		expansions, err := readFile(ctx, path, berds.ReadExpansions)
		if err != nil {
			return err
		}
		out.Expansions = append(out.Expansions, berds.Describe(filepath.Base(path), expansions))
	}
	if len(out.Expansions) > 0 {
		tables = append(tables, berds.ExpansionTable(out.Expansions))
	}
	if files.detection != "" {
		judgements, err := readFile(ctx, files.detection, berds.ReadDetection)
		if err != nil {
			return err
		}
		s := berds.DescribeDetection(filepath.Base(files.detection), judgements)
		out.Detection = &s
		tables = append(tables, berds.DetectionTable(s))
	}
	return e.report.write(out, tables)
}

// perspectrum runs the experiments.
func (e *evaluatingBERDS) perspectrum(ctx context.Context, files *berdsFiles) (_ *berds.Evaluation, err error) {
	data, err := files.read(ctx)
	if err != nil {
		return nil, err
	}
	show := newProgress()
	defer show.stop()
	o := berds.Options{Progress: func(done, total int64) { show.update("search", done, total) }}
	if e.expansions != "" {
		if o.Expansions, err = e.readExpansions(ctx, data); err != nil {
			return nil, err
		}
	}
	fill := func(x retrieve.Index) error {
		return retrieve.Fill(ctx, x, data.Pool, func(done int) { show.update("index", int64(done), int64(len(data.Pool))) })
	}
	encoded := func(encoder model.Encoder) (*retrieve.Dense, error) {
		vectors, err := retrieve.NewDense(encoder)
		if err != nil {
			return nil, err
		}
		return vectors, fill(vectors)
	}
	standard, err := openModel(ctx, builtinName, model.Options{}, e.device)
	if err != nil {
		return nil, err
	}
	similarity, err := encoded(standard)
	if err != nil {
		return nil, err
	}
	o.Similarity = similarity.Similarity
	models, err := e.models(ctx)
	if err != nil {
		return nil, err
	}
	for i, name := range e.retrievers {
		named := berds.Named{Name: name}
		switch {
		case name == bm25Name:
			named.Description = "BM25 of lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75"
			var words retrieve.Index
			if words, err = retrieve.NewBM25(lexical.DefaultParameters); err == nil {
				named.Retriever, err = words, fill(words)
			}
		case name == okapiName:
			named.Description = "BM25 as rank_bm25's Okapi, split at single spaces"
			words := retrieve.NewOkapi()
			named.Retriever, err = words, fill(words)
		case models[i] == nil:
			named.Retriever, named.Description = similarity, "cosine of "+titleOf(standard.Info())
		default:
			var encoder model.Encoder
			if named.Retriever, encoder, err = models[i].index(ctx, fill); err == nil {
				defer func() { err = errors.Join(err, encoder.Close()) }()
			}
			named.Description = "cosine of " + models[i].about()
		}
		if err != nil {
			return nil, err
		}
		o.Retrievers = append(o.Retrievers, named)
	}
	var runs berdsRuns
	if e.runOut != "" {
		o.Ranked = func(retriever, ranking string, c *berds.Claim, documents []uint32) error {
			return runs.add(data, retriever, ranking, c, documents)
		}
	}
	evaluation, err := berds.Evaluate(ctx, data, o)
	if err == berds.ErrSplits {
		return nil, inputf("%s: %w", files.splits, err)
	}
	if err != nil {
		return nil, err
	}
	show.end()
	return evaluation, runs.write(e.runOut, data)
}

// models finds the models of the retrievers and tries them: by their places among
// the retrievers, nil for words and for the built-in model, which is open anyway.
func (e *evaluatingBERDS) models(ctx context.Context) ([]*evalModel, error) {
	models := make([]*evalModel, len(e.retrievers))
	var all []*evalModel
	for i, name := range e.retrievers {
		spec, err := parseModelSpec(name)
		if err != nil {
			return nil, err
		}
		if spec.name == bm25Name || spec.name == okapiName || name == builtinName {
			if err := spec.bare(); err != nil {
				return nil, err
			}
			continue
		}
		if models[i], err = e.find(ctx, spec); err != nil {
			return nil, err
		}
		all = append(all, models[i])
	}
	if err := e.bind(ctx, all); err != nil {
		return nil, err
	}
	return models, try(ctx, all)
}

// readExpansions reads the queries that expand claims; they have to be of some
// test claim, and it is told where some have none.
func (e *evaluatingBERDS) readExpansions(ctx context.Context, data *berds.Perspectrum) (map[string][]string, error) {
	expansions, err := readFile(ctx, e.expansions, berds.ReadExpansions)
	if err != nil {
		return nil, err
	}
	queries := berds.Queries(expansions)
	test := data.Split(berds.Test)
	missing := 0
	for _, claim := range test {
		if len(queries[strings.TrimSpace(claim.Text)]) == 0 {
			missing++
		}
	}
	switch missing {
	case 0:
	case len(test):
		return nil, inputf("%s: no expansion is of a test claim: org_q must be the claim's text", e.expansions)
	default:
		warn(stderr, "%s has no expansions for %d of %d test claims: they keep their unexpanded rankings", e.expansions, missing, len(test))
	}
	return queries, nil
}
