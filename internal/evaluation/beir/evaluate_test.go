package beir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/search"
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
		"no rounds":       {Experiment{Depth: 1}, debates, fault.Query},
		"no measure":      {experiment("best"), debates, fault.Query},
		"subtopics":       {experiment("alpha_nDCG@10"), debates, fault.Query},
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
	if _, err := os.Stat("x"); err == nil {
		t.Error("a file was written")
	}
}

func experiment(measure string, retrievers ...string) Experiment {
	return Experiment{Retrievers: retrievers, Measures: []string{measure}, Depth: 1, Parameters: lexical.DefaultParameters, Tests: compare.Tests{Rounds: 1, Seed: 1}}
}
