package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/trec"
)

// evaluatingBEIR is a call of `vantage eval beir`.
type evaluatingBEIR struct {
	dir        string
	runs       []string
	measures   []string
	options    beir.Options
	keepSameID bool
	k          int
	parameters lexical.Parameters
	fusion     string
	weight     float64
	runOut     string
	tests      tests
	report     reportFlags
	retrieverFlags
}

func newEvalBEIR() *cobra.Command {
	e := &evaluatingBEIR{}
	cmd := &cobra.Command{
		Use:   "beir DIR",
		Short: "Evaluate retrievers and runs on a BEIR folder",
		Long: `Ranks the documents of a test collection for its queries and evaluates the
rankings: nDCG@10 and recall, over all judged queries, and tests whether the
retrievers differ.

DIR is in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv. A document
whose id is the query's is dropped, as BEIR does. Or it is a plain folder as
Cranfield's often are: docs.jsonl, queries.jsonl, qrels.txt with TREC judgements;
there documents and queries are numbered apart, and nothing is dropped.

Retrievers: bm25 (the one of vantage search --hybrid), okapi (BM25 as the Python
package rank_bm25 has it), static (the built-in encoder), another MODEL by its
folder or its name on the hub, and hybrid or hybrid:MODEL, which fuses an encoder
with bm25. Runs made elsewhere join in with --run. Without either: bm25, static
and hybrid.

` + modelOptions + `
Models are in memory one after the other.

Measures are named as for 'vantage eval trec', and so are its conventions for
equal scores. Where a retriever gives equal scores, the document that comes first in the
corpus is first; runs are written with such scores a smallest step apart, so that
they evaluate to the same figures anywhere.`,
		Example: `  vantage eval beir examples/debates
  vantage eval beir scifact -r bm25 -r hybrid -m nDCG@10 -m R@100 --run-out scifact.run
  vantage eval beir scifact -r ./context-encoder --query-model ./question-encoder
  vantage eval beir scifact -r bm25 -r ./minilm -r ./bert,pooling=cls -r hybrid:./bert,pooling=cls
  vantage eval beir scifact -r bm25 --run dense.run --json scifact.json --latex scifact.tex
  vantage eval beir cranfield --run other-bm25.run --qrels cranfield/qrels_graded.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("DIR")(cmd, args); err != nil {
				return err
			}
			e.dir = args[0]
			return e.check(cmd)
		},
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return e.evaluate(cmd.Context()) },
	}
	f := cmd.Flags()
	e.register(cmd, "r", "`NAME` of a retriever: bm25, okapi, static, MODEL, hybrid, hybrid:MODEL; may be repeated", bm25Name, okapiName, builtinName, hybridName)
	f.StringArrayVar(&e.runs, "run", nil, "`FILE` of a TREC run to evaluate; may be repeated")
	f.StringArrayVarP(&e.measures, "measure", "m", []string{"nDCG@10", "R@100"}, "`MEASURE` to evaluate and test by; may be repeated")
	completeFlag(cmd, "measure", measureNames)
	f.StringVar(&e.options.Split, "split", "", "`NAME` of the judgements in qrels (default \""+beir.DefaultSplit+"\")")
	f.StringVar(&e.options.Qrels, "qrels", "", "`FILE` of other judgements, BEIR's or TREC's")
	f.BoolVar(&e.keepSameID, "keep-same-id", false, "do not drop documents whose id is the query's")
	f.IntVarP(&e.k, "k", "k", beir.DefaultDepth, "how many documents to retrieve for a query")
	f.Float64Var(&e.parameters.K1, "k1", lexical.DefaultParameters.K1, "of bm25: how slowly more occurrences count less")
	f.Float64Var(&e.parameters.B, "b", lexical.DefaultParameters.B, "of bm25: how much a document's length counts against it, from 0 to 1")
	choiceFlag(cmd, &e.fusion, "fusion", "of hybrid: by reciprocal ranks, or by the sum of scores normalised so", search.Fusions()...)
	f.Float64Var(&e.weight, "words-weight", .5, "of hybrid: what bm25 counts, the encoder having the rest: from 0 to 1")
	f.StringVar(&e.runOut, "run-out", "", "write the rankings as TREC runs to `FILE`, of several retrievers to FILE with their names before its ending")
	e.tests.register(cmd)
	e.report.register(cmd)
	return cmd
}

func (e *evaluatingBEIR) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case e.k < 1 || e.k > maxK:
		return usagef("-k is %d, must be from 1 to %d", e.k, maxK)
	case changed("split") && changed("qrels"):
		return usagef("--split and --qrels both say which judgements: leave one out")
	case changed("split") && (e.options.Split == "" || e.options.Split != filepath.Base(e.options.Split)):
		return usagef("--split %q: it is the name of a file in qrels without .tsv, such as test or dev", e.options.Split)
	case e.runOut == "-":
		return usagef("--run-out needs the name of a file: stdout is for the tables")
	case !(e.weight >= 0 && e.weight <= 1):
		return usagef("--words-weight is %g, must be from 0 (vectors alone) to 1 (words alone)", e.weight)
	}
	if len(e.retrievers) == 0 && len(e.runs) == 0 {
		e.retrievers = []string{bm25Name, builtinName, hybridName}
	}
	if changed("run-out") && len(e.retrievers) == 0 {
		return usagef("--run-out writes what retrievers rank, and there is none: name one with --retriever")
	}
	seen := map[string]bool{}
	for _, name := range append(append([]string{}, e.retrievers...), e.runs...) {
		if name == "" {
			return usagef("the name of a retriever or run is empty")
		}
		if seen[name] {
			return usagef("%s is there twice", name)
		}
		seen[name] = true
	}
	if e.runOut != "" {
		if err := checkTags(e.retrievers); err != nil {
			return err
		}
	}
	if err := e.tests.check(); err != nil {
		return err
	}
	return e.report.check()
}

// beirSystem is a retriever or a run under evaluation.
type beirSystem struct {
	Name    string             `json:"name"`
	About   string             `json:"about"`
	Dropped int                `json:"dropped,omitempty"` // documents of a run with the query's id
	Missing int                `json:"missing"`           // queries without results, which count 0
	Means   map[string]float64 `json:"means"`

	run *trec.Run
}

// beirFigures are what --json writes.
type beirFigures struct {
	Dataset     string                 `json:"dataset"`
	Judgements  string                 `json:"judgements"`
	Documents   int                    `json:"documents"`
	Queries     int                    `json:"queries"`
	Retrieved   int                    `json:"retrieved"` // at most, by the retrievers
	Systems     []*beirSystem          `json:"systems"`
	QueryIDs    []string               `json:"query_ids"`
	Values      map[string][][]float64 `json:"values"` // by measure: of each system, of each query
	Comparisons []comparison           `json:"comparisons"`

	measures []string
}

func (e *evaluatingBEIR) evaluate(ctx context.Context) error {
	measures, err := trec.ParseMeasures(e.measures)
	if err != nil {
		return &usageError{err}
	}
	if trec.NeedSubtopics(measures) {
		return usagef("a measure is over subtopics, and BEIR's judgements have none: write a run with --run-out and evaluate it with 'vantage eval trec'")
	}
	if err := checkFolder(e.dir, "it shall hold corpus.jsonl, queries.jsonl and qrels/test.tsv"); err != nil {
		return err
	}
	set, err := beir.Open(e.dir, e.options)
	if err != nil {
		return &inputError{err}
	}
	if e.keepSameID {
		set.SameID = beir.Keep
	}
	systems, err := e.systems(ctx, set)
	if err != nil {
		return err
	}
	figures, err := e.figures(set, systems, measures)
	if err != nil {
		return err
	}
	return e.report.write(figures, figures.tables())
}

// systems indexes, retrieves, reads runs, and writes what was retrieved.
func (e *evaluatingBEIR) systems(ctx context.Context, set *beir.Set) ([]*beirSystem, error) {
	retrievers, err := e.newRetrievers(ctx)
	if err != nil {
		return nil, err
	}
	// Runs are read first: what is wrong with them is found in no time.
	var runs []*trec.Run
	for _, path := range e.runs {
		run, err := readFile(ctx, path, trec.ReadRun)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	if err := try(ctx, retrievers.models); err != nil {
		return nil, err
	}
	systems := make([]*beirSystem, len(retrievers.list))
	err = retrievers.retrieve(ctx, e, set, func(i int, about string, run *trec.Run) error {
		name := retrievers.list[i].name
		systems[i] = &beirSystem{Name: name, About: about, run: run}
		if e.runOut == "" {
			return nil
		}
		return writeRun(e.runOut, len(systems) > 1, run, name)
	})
	if err != nil {
		return nil, err
	}
	for i, run := range runs {
		adopted, dropped, err := set.Adopt(run, e.runs[i])
		if err != nil {
			return nil, &inputError{err}
		}
		systems = append(systems, &beirSystem{Name: e.runs[i], About: "run " + oneLine(run.ID()), Dropped: dropped, run: adopted})
	}
	return systems, nil
}

// blameInput makes an error of reading one of the input, unless it was the end
// of the context.
func blameInput(ctx context.Context, err error) error {
	if interrupted(ctx, err) {
		return err
	}
	return &inputError{err}
}

// figures evaluates the systems and tests them against each other.
func (e *evaluatingBEIR) figures(set *beir.Set, systems []*beirSystem, measures []*trec.Measure) (*beirFigures, error) {
	f := &beirFigures{Dataset: set.Name, Judgements: set.Judgements, Documents: set.Documents, Queries: len(set.Queries),
		Retrieved: e.k, Systems: systems, Values: map[string][][]float64{}, Comparisons: []comparison{}}
	var runs []*trec.Run
	var names []string
	for _, s := range systems {
		s.Means = map[string]float64{}
		runs, names = append(runs, s.run), append(names, s.Name)
	}
	values, missing, err := trec.CompareValues(set.Qrels, runs, measures, trec.Options{Complete: true})
	if err != nil {
		return nil, &inputError{err}
	}
	for i, s := range systems {
		if s.Missing = missing[i]; s.Missing > 0 {
			warn(stderr, "%s has no results for %d of %d queries: they count 0", s.Name, s.Missing, f.Queries)
		}
		for _, v := range values {
			s.Means[v.Measure] = mean(v.Runs[i])
		}
	}
	for _, v := range values {
		f.measures = append(f.measures, v.Measure)
		f.QueryIDs, f.Values[v.Measure] = v.Queries, v.Runs
		if len(systems) < 2 || len(v.Queries) < 2 {
			continue
		}
		c, err := e.tests.compare(names, v, missing)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Measure, err)
		}
		f.Comparisons = append(f.Comparisons, c)
	}
	return f, nil
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return math.NaN()
	}
	return sum / float64(len(values))
}
