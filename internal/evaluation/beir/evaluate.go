package beir

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
)

// Experiment says what is evaluated on a test collection, and how.
type Experiment struct {
	Retrievers []string // by name: bm25, okapi, hybrid, hybrid:MODEL, auto, METHOD:MODEL, or a model
	Runs       []string // files in TREC's format
	Measures   []string // by their names
	KeepSameID bool     // keep documents with the query's id; default: as the layout says
	Depth      int      // documents to retrieve for a query
	Parameters lexical.Parameters
	Hybrid     search.Hybrid
	RunOut     string // file to write the rankings to; several retrievers get one each
	Tests      compare.Tests
	Encoding   retrieve.Encoding
}

// Check refuses invalid experiments, and rankings that would replace a run or one of the other
// inputs. If neither retrievers nor runs are given, it adds the usual retrievers.
func (e *Experiment) Check(inputs ...string) error {
	switch {
	case e.Depth < 1 || e.Depth > math.MaxInt32: // ranks have 32 bits
		return fault.Errorf(fault.Query, "-k is %d, must be from 1 to %d", e.Depth, math.MaxInt32)
	case e.RunOut == "-":
		return fault.Errorf(fault.Query, "--run-out needs the name of a file: stdout is for the tables")
	case e.Hybrid.Weight != nil && !(*e.Hybrid.Weight >= 0 && *e.Hybrid.Weight <= 1):
		return fault.Errorf(fault.Query, "--words-weight is %g, must be from 0 (vectors alone) to 1 (words alone)", *e.Hybrid.Weight)
	}
	if len(e.Retrievers) == 0 && len(e.Runs) == 0 {
		e.Retrievers = []string{retrieve.BM25Name, model.Builtin, retrieve.HybridName, perspective.Auto}
	}
	if e.RunOut != "" && len(e.Retrievers) == 0 {
		return fault.Errorf(fault.Query, "--run-out writes the rankings of retrievers, and none is given: name one with --retriever")
	}
	seen := map[string]bool{}
	for _, name := range slices.Concat(e.Retrievers, e.Runs) {
		if name == "" {
			return fault.Errorf(fault.Query, "the name of a retriever or run is empty")
		}
		if seen[name] {
			return fault.Errorf(fault.Query, "%s is given twice", name)
		}
		seen[name] = true
	}
	if e.RunOut != "" {
		if err := runs.CheckPlaces(e.RunOut, len(e.Retrievers) > 1, e.Retrievers, slices.Concat(e.Runs, inputs)...); err != nil {
			return err
		}
	}
	return e.Tests.Check()
}

// Evaluate evaluates retrievers and runs on the test collection of a folder, and
// tests whether they differ.
func (e *Experiment) Evaluate(ctx context.Context, dir string, o Options) (*Figures, error) {
	measures, err := trec.ParseMeasures(e.Measures)
	if err != nil {
		return nil, fault.As(fault.Query, err)
	}
	if trec.NeedSubtopics(measures) {
		return nil, fault.Errorf(fault.Query, "a measure is over subtopics, and BEIR's judgements have none: write a run with --run-out and evaluate it with 'vantage eval trec'")
	}
	if err := file.CheckFolder(dir, "it must hold corpus.jsonl, queries.jsonl and qrels/test.tsv"); err != nil {
		return nil, err
	}
	set, err := Open(dir, o)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	if e.KeepSameID {
		set.SameID = Keep
	}
	if len(set.Queries) == 0 {
		return nil, fault.Errorf(fault.Input, "%s: no judgement is left, %s", set.Judgements, set.Part)
	}
	// Measures that the judgements do not allow are refused before the retrieval.
	if _, _, err := trec.CompareValues(set.Qrels, []*trec.Run{something(set)}, measures, trec.Options{}); err != nil {
		return nil, fault.As(fault.Query, err)
	}
	systems, err := e.systems(ctx, set)
	if err != nil {
		return nil, err
	}
	return e.figures(set, systems, measures)
}

// something is a run that finds one document for one judged query.
func something(set *Set) *trec.Run {
	run := trec.NewRun("", "")
	_ = run.Add(set.Qrels.Queries()[0], "", 0) // its only errors are about scores and long ids
	return run
}

// System is a retriever or a run under evaluation.
type System struct {
	Name    string             `json:"name"`
	About   string             `json:"about"`
	Dropped int                `json:"dropped,omitempty"` // dropped documents that had the query's id
	Missing int                `json:"missing"`           // queries without results; they count 0
	Means   map[string]float64 `json:"means"`

	run *trec.Run
}

// Figures are the results of an experiment.
type Figures struct {
	Dataset     string                 `json:"dataset"`
	Judgements  string                 `json:"judgements"`
	Part        string                 `json:"part,omitempty"` // which documents were considered; all if empty
	Documents   int                    `json:"documents"`
	Queries     int                    `json:"queries"`
	Retrieved   int                    `json:"retrieved"` // the most documents that a retriever returns for a query
	Systems     []*System              `json:"systems"`
	QueryIDs    []string               `json:"query_ids"`
	Values      map[string][][]float64 `json:"values"` // measure → system → query
	Comparisons []compare.Comparison   `json:"comparisons"`

	measures []string
	beyond   []string // measures that look at more documents than retrievers return
}

// systems reads the runs, indexes the documents, retrieves, and writes the rankings.
func (e *Experiment) systems(ctx context.Context, set *Set) ([]*System, error) {
	retrievers, err := e.newRetrievers(ctx)
	if err != nil {
		return nil, err
	}
	// Runs are read first, so that their faults are reported quickly.
	var given []*trec.Run
	for _, path := range e.Runs {
		run, err := inputs.Read(ctx, path, trec.ReadRun)
		if err != nil {
			return nil, err
		}
		given = append(given, run)
	}
	if err := retrievers.try(ctx); err != nil {
		return nil, err
	}
	systems := make([]*System, len(retrievers.list))
	err = retrievers.retrieve(ctx, e, set, func(i int, about string, run *trec.Run) error {
		name := retrievers.list[i].name
		systems[i] = &System{Name: name, About: about, run: run}
		if e.RunOut == "" {
			return nil
		}
		return runs.Write(e.RunOut, len(systems) > 1, run, name, e.Encoding.Console)
	})
	if err != nil {
		return nil, err
	}
	for i, run := range given {
		adopted, dropped, err := set.Adopt(run, e.Runs[i])
		if err == nil && adopted.Len() == 0 { // unlike a retriever that finds nothing, it is probably the wrong file
			err = &trec.LineError{File: e.Runs[i], Problem: trec.ErrNothingJudged.Error()}
		}
		if err != nil {
			return nil, fault.As(fault.Input, err)
		}
		systems = append(systems, &System{Name: e.Runs[i], About: "run " + human.OneLine(run.ID()), Dropped: dropped, run: adopted})
	}
	return systems, nil
}

// blameInput turns a reading error into a fault of kind input, unless the context was
// cancelled, or something does not answer or crashed.
func blameInput(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return err
	}
	if kind := fault.Of(err); kind == fault.Unavailable || kind == fault.Internal {
		return err
	}
	return fault.As(fault.Input, err)
}

// figures evaluates the systems and tests them against each other.
func (e *Experiment) figures(set *Set, systems []*System, measures []*trec.Measure) (*Figures, error) {
	f := &Figures{Dataset: set.Name, Judgements: set.Judgements, Part: set.Part, Documents: set.Documents, Queries: len(set.Queries),
		Retrieved: e.Depth, Systems: systems, Values: map[string][][]float64{}, Comparisons: []compare.Comparison{}}
	var runs []*trec.Run
	var names []string
	for _, s := range systems {
		s.Means = map[string]float64{}
		runs, names = append(runs, s.run), append(names, s.Name)
	}
	values, missing, err := compare.Values(set.Qrels, runs, measures)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	for i, s := range systems {
		if s.Missing = missing[i]; s.Missing > 0 {
			e.Encoding.Console.Warnf("%s has no results for %d of %d queries: they count 0", s.Name, s.Missing, f.Queries)
		}
		for _, v := range values {
			s.Means[v.Measure] = mean(v.Runs[i])
		}
	}
	for _, v := range values {
		f.measures = append(f.measures, v.Measure)
		if len(e.Retrievers) > 0 && e.Depth < min(cutoff(v.Measure), f.Documents) {
			f.beyond = append(f.beyond, v.Measure)
		}
		f.QueryIDs, f.Values[v.Measure] = v.Queries, v.Runs
		if len(systems) < 2 || len(v.Queries) < 2 {
			continue
		}
		c, err := e.Tests.Compare(names, v, missing)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Measure, err)
		}
		f.Comparisons = append(f.Comparisons, c)
	}
	return f, nil
}

var cutoffs = regexp.MustCompile(`(?:@|^(?:P|recall|ndcg_cut|map_cut|relative_P|success)_)(\d+)$`)

// cutoff is the number of documents that a measure looks at, by its name; 0 if that is all of them.
func cutoff(measure string) int {
	m := cutoffs.FindStringSubmatch(measure)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil { // more than any list is long
		return math.MaxInt
	}
	return n
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
