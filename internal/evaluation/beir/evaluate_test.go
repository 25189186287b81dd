package beir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

const debates = "../../../examples/debates"

// A run that an experiment writes gives the same figures as the retriever that made it,
// and every system is tested against every other.
func TestExperiment(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.run")
	e := Experiment{Retrievers: []string{retrieve.BM25Name, retrieve.OkapiName, retrieve.HybridName}, Measures: []string{"nDCG@10", "R@100"}, Depth: 100,
		Parameters: lexical.DefaultParameters, RunOut: out, Tests: compare.Tests{Rounds: 10, Seed: 1}}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	half := .5
	e.Hybrid.Weight = &half
	first, err := e.Evaluate(context.Background(), debates, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Systems) != 3 || len(first.Comparisons) != 2 || len(first.Comparisons[0].Pairs) != 3 || len(first.Tables()) != 3 {
		t.Fatalf("%+v", first)
	}
	e.Retrievers, e.RunOut, e.Runs = nil, "", []string{filepath.Join(filepath.Dir(out), "out.bm25.run"), filepath.Join(filepath.Dir(out), "out.okapi.run"), filepath.Join(filepath.Dir(out), "out.hybrid.run")}
	again, err := e.Evaluate(context.Background(), debates, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range first.Systems {
		for measure, want := range s.Means {
			if got := again.Systems[i].Means[measure]; got != want {
				t.Errorf("%s of %s: %v, its written run has %v", measure, s.Name, want, got)
			}
		}
	}
}

// A table says which measures look at more documents than the retrievers returned. Runs have as
// many as they have.
func TestBeyondDepth(t *testing.T) {
	e := experiment("nDCG@10", retrieve.BM25Name)
	e.Measures, e.Depth, e.RunOut = []string{"P@5", "nDCG@10", "recall.5,10", "F1@100", "map", "iprec_at_recall"}, 5, filepath.Join(t.TempDir(), "out.run")
	notes := func() string {
		t.Helper()
		f, err := e.Evaluate(context.Background(), debates, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(f.Tables()[0].Notes, "\n")
	}
	if got := notes(); !strings.HasSuffix(got, "\nrecall_10, nDCG@10, F1@100: retrievers returned 5 documents for a query (-k), and what is beyond counts as not found") {
		t.Error(got)
	}
	e.Retrievers, e.Runs, e.RunOut = nil, []string{e.RunOut}, ""
	if got := notes(); strings.Contains(got, "returned") {
		t.Error(got)
	}
	dir := tiny(t, "queries.jsonl", "{\"_id\": \"a\", \"text\": \"Katzen\"}\n{\"_id\": \"q\", \"text\": \"Hunde\"}\n{\"_id\": \"z\", \"text\": \"Fische\"}\n")
	all := experiment("nDCG@10", retrieve.OkapiName) // all of the documents
	all.Depth = 5
	if f, err := all.Evaluate(context.Background(), dir, Options{}); err != nil || f.Documents > 5 || len(f.Tables()[0].Notes) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// A fusion that is not described is the one of searches.
func TestDefaultFusion(t *testing.T) {
	half := .5
	var systems []*System
	for _, how := range []search.Hybrid{{}, {Fusion: search.ReciprocalRank, Weight: &half}} {
		r := evaluated(t, nil, nil, func(e *Experiment) { e.Retrievers, e.Hybrid = []string{retrieve.HybridName}, how })
		systems = append(systems, r.Systems...)
	}
	if !reflect.DeepEqual(systems[0], systems[1]) {
		t.Errorf("%+v\n%+v", systems[0], systems[1])
	}
}

// A part of the documents is evaluated as if the others did not exist. That holds for
// runs, too.
func TestPart(t *testing.T) {
	all, only, without := evaluated(t, nil, nil), evaluated(t, []string{"kind=point"}, nil), evaluated(t, nil, []string{"kind=point"})
	if all.Documents != 1157 || only.Documents != 576 || without.Documents != 581 || all.Queries != 203 || only.Queries != 147 || without.Queries != 203 {
		t.Errorf("%d, %d and %d documents; %d, %d and %d queries", all.Documents, only.Documents, without.Documents, all.Queries, only.Queries, without.Queries)
	}
	// This is the figure of docs/evaluate.md for the passages.
	if got := without.Systems[0].Means["nDCG@10"]; approx.Apart(got, .4919, .00005) {
		t.Errorf("nDCG@10 of passages alone: %v", got)
	}
	if caption := without.Tables()[0].Caption; !strings.HasPrefix(caption, "debates, qrels/test.tsv, without kind=point: 203 queries, 581 documents") {
		t.Error(caption)
	}
	// A run over all documents is evaluated over those of the part.
	out := filepath.Join(t.TempDir(), "out.run")
	evaluated(t, nil, nil, func(e *Experiment) { e.RunOut = out })
	run := evaluated(t, []string{"kind=point"}, nil, func(e *Experiment) { e.Retrievers, e.Runs = nil, []string{out} })
	if got := run.Systems[0]; got.Missing != 0 || got.Dropped != 0 || !(got.Means["nDCG@10"] > all.Systems[0].Means["nDCG@10"]/2) {
		t.Errorf("%+v", got)
	}
	p, err := part.Parse([]string{"colour=red"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := experiment("nDCG@10", retrieve.BM25Name)
	if _, err := e.Evaluate(context.Background(), debates, Options{Part: p}); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "colour") {
		t.Error(err)
	}
}

func evaluated(t *testing.T, only, without []string, changes ...func(*Experiment)) *Figures {
	t.Helper()
	p, err := part.Parse(only, without)
	if err != nil {
		t.Fatal(err)
	}
	e := Experiment{Retrievers: []string{retrieve.BM25Name}, Measures: []string{"nDCG@10"}, Depth: 1157, Parameters: lexical.DefaultParameters, Tests: compare.Tests{Rounds: 10, Seed: 1}}
	for _, change := range changes {
		change(&e)
	}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	f, err := e.Evaluate(context.Background(), debates, Options{Part: p})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestExperimentRefused(t *testing.T) {
	heavy := 1.5
	for name, c := range map[string]struct {
		e    Experiment
		dir  string
		want fault.Kind
	}{
		"depth 0":         {Experiment{}, debates, fault.Query},
		"stdout":          {Experiment{Depth: 1, RunOut: "-"}, debates, fault.Query},
		"weight":          {Experiment{Depth: 1, Hybrid: search.Hybrid{Weight: &heavy}}, debates, fault.Query},
		"no retriever":    {Experiment{Depth: 1, Runs: []string{"a"}, RunOut: "x"}, debates, fault.Query},
		"twice":           {Experiment{Depth: 1, Runs: []string{"a", "a"}}, debates, fault.Query},
		"one file":        {Experiment{Depth: 1, Retrievers: []string{"a/b", "a:b"}, RunOut: "x"}, debates, fault.Query},
		"a folder":        {Experiment{Depth: 1, RunOut: debates}, "none", fault.Query},
		"no rounds":       {Experiment{Depth: 1}, debates, fault.Query},
		"no measure":      {experiment("best"), debates, fault.Query},
		"subtopics":       {experiment("alpha_nDCG@10"), debates, fault.Query},
		"no value each":   {experiment("num_q", "bm25"), debates, fault.Query},
		"no place":        {Experiment{Depth: 1, Retrievers: []string{"bm25"}, RunOut: "none/x"}, debates, fault.Unavailable},
		"no folder":       {experiment("map"), "none", fault.Input},
		"fused with bm25": {experiment("map", "hybrid:bm25"), debates, fault.Query},
		"no model":        {experiment("map", "nomodel"), debates, fault.Input},
	} {
		err := c.e.Check()
		if err == nil {
			_, err = c.e.Evaluate(context.Background(), c.dir, Options{})
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := experiment("map", "bm25")
	if e.RunOut = filepath.Join(t.TempDir(), "none", "x"); e.Check() == nil {
		t.Error("a file in no folder")
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a file was written")
	}
}

// Words of another language find nothing. The other retrievers are evaluated all the same.
func TestNothingFound(t *testing.T) {
	dir := tiny(t, "queries.jsonl", "{\"_id\": \"a\", \"text\": \"Katzen\"}\n{\"_id\": \"q\", \"text\": \"Hunde\"}\n{\"_id\": \"z\", \"text\": \"Fische\"}\n")
	e := experiment("P@1", retrieve.OkapiName, retrieve.BM25Name)
	f, err := e.Evaluate(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if okapi, bm25 := f.Systems[0], f.Systems[1]; okapi.Missing != 0 || okapi.Means["P@1"] == 0 || bm25.Missing != 3 || bm25.Means["P@1"] != 0 {
		t.Errorf("%+v, %+v", okapi, bm25)
	}
	if p := f.Comparisons[0].Pairs[0]; p.A != retrieve.OkapiName || p.Better != 0 || p.Worse == 0 || f.Comparisons[0].Runs[1].Missing != 3 {
		t.Errorf("%+v", f.Comparisons[0])
	}
	e = experiment("P@1", retrieve.BM25Name)
	if f, err = e.Evaluate(context.Background(), dir, Options{}); err != nil || f.Systems[0].Missing != 3 || len(f.Values["P@1"][0]) != 3 {
		t.Errorf("alone: %+v, %v", f, err)
	}
}

// Judgements that do not fit are refused before anything is retrieved.
func TestRefusedEarly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.run")
	e := experiment("ERR@10", retrieve.BM25Name)
	e.RunOut = out
	if _, err := e.Evaluate(context.Background(), tiny(t, "qrels/test.tsv", strings.Replace(tinyQrels, "\t2\n", "\t5\n", 1)), Options{}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "grades up to 4") {
		t.Error(err)
	}
	p, err := part.Parse([]string{"kind=none"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e = experiment("map", retrieve.BM25Name)
	e.RunOut = out
	corpus := tinyCorpus + "{\"_id\": \"d\", \"text\": \"x\", \"metadata\": {\"kind\": \"none\"}}\n"
	if _, err := e.Evaluate(context.Background(), tiny(t, "corpus.jsonl", corpus), Options{Part: p}); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "no judgement is left, only kind=none") {
		t.Error(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("it was retrieved")
	}
}

func experiment(measure string, retrievers ...string) Experiment {
	return Experiment{Retrievers: retrievers, Measures: []string{measure}, Depth: 1, Parameters: lexical.DefaultParameters, Tests: compare.Tests{Rounds: 1, Seed: 1}}
}
