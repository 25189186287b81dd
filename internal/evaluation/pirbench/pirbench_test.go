package pirbench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

const debates = "../../../examples/debates"

// An experiment measures what it is asked for, and writes runs and the sweep.
func TestEvaluate(t *testing.T) {
	dir := t.TempDir()
	var told bytes.Buffer
	e := Experiment{
		Retrievers: []string{"bm25", "english"}, Methods: []string{"none", "pap"}, Sweep: "lambda=0:1:1", SweepTo: filepath.Join(dir, "sweep"),
		Runs: filepath.Join(dir, "runs"), Encoding: retrieve.Encoding{Console: console.New(&told)},
	}
	found, err := e.Evaluate(context.Background(), []string{debates})
	if err != nil {
		t.Fatal(err)
	}
	methods := found.Report.Tasks.Get("debates")
	if methods == nil || len(*methods) != 3 || (*methods)[0].Name != "bm25" || (*methods)[2].Name != "vec_projection" {
		t.Fatalf("%+v", found.Report.Tasks)
	}
	for _, m := range *methods {
		if m.Value.N == 0 || !(m.Value.Recall.Overall.At5 > 0) {
			t.Errorf("%s: %+v", m.Name, m.Value)
		}
	}
	if len(found.Tables()) == 0 {
		t.Error("no tables")
	}
	for _, name := range []string{"sweep.csv", "sweep.svg", "runs/debates.qrels", "runs/debates.bm25.run", "runs/debates.vec_projection.run", "runs/debates.root.qrels"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !strings.Contains(told.String(), "2 figures over λ") || !strings.Contains(told.String(), "5 runs, 2 files of judgements") {
		t.Errorf("told %q", told.String())
	}
}

// Invalid options and data are refused. A failed experiment leaves no new folder.
func TestRefused(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "sweep.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		e    Experiment
		data []string
		want fault.Kind
	}{
		"no retriever":        {Experiment{}, nil, fault.Query},
		"twice":               {Experiment{Retrievers: []string{"static", "english"}, Methods: []string{"all"}}, nil, fault.Query},
		"unknown method":      {Experiment{Retrievers: []string{"static"}, Methods: []string{"best"}}, nil, fault.Query},
		"no method":           {Experiment{Retrievers: []string{"static"}}, nil, fault.Query},
		"methods of words":    {Experiment{Retrievers: []string{"bm25"}, Methods: []string{"pap"}}, nil, fault.Query},
		"options of words":    {Experiment{Retrievers: []string{"bm25,pooling=cls"}, Methods: []string{"all"}}, nil, fault.Query},
		"no sweep":            {Experiment{Retrievers: []string{"static"}, Methods: []string{"all"}, Sweep: "lambda"}, nil, fault.Query},
		"a sweep to nowhere":  {Experiment{Retrievers: []string{"static"}, Methods: []string{"pap"}, Sweep: "lambda=0:1:1", SweepTo: filepath.Join(folder, "sweep")}, []string{dir + "/none"}, fault.Query},
		"a sweep of no λ":     {Experiment{Retrievers: []string{"static"}, Methods: []string{"none"}, Sweep: "lambda=0:1:1"}, nil, fault.Query},
		"no place for it":     {Experiment{Retrievers: []string{"static"}, Methods: []string{"all"}, Sweep: "lambda=0:1:1", SweepTo: dir + "/gone/sweep"}, []string{debates}, fault.Unavailable},
		"no vectors":          {Experiment{Retrievers: []string{"vectors:" + dir + "/none"}, Methods: []string{"all"}}, nil, fault.Input},
		"no data":             {Experiment{Retrievers: []string{"bm25"}, Methods: []string{"all"}}, []string{dir + "/none"}, fault.Input},
		"a task twice":        {Experiment{Retrievers: []string{"bm25"}, Methods: []string{"all"}}, []string{debates, debates}, fault.Input},
		"vectors of no tasks": {Experiment{Retrievers: []string{"vectors:" + dir}, Methods: []string{"all"}, Runs: filepath.Join(dir, "runs")}, []string{debates}, fault.Input},
	} {
		if _, err := c.e.Evaluate(context.Background(), c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("a folder of runs is left")
	}
}
