package berds

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// sampleFolder is a folder with the sample's files, and with others, which may replace
// them.
func sampleFolder(t *testing.T, others map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"perspective_pool_v1.0.json": samplePool, "perspectrum_with_answers_v1.0.json": sampleClaims, "dataset_split_v1.0.json": sampleSplits}
	for name, content := range others {
		files[name] = content
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An experiment finds its files by their names, runs every retriever, and writes their
// rankings.
func TestExperiment(t *testing.T) {
	dir := sampleFolder(t, map[string]string{"ours_query_exp.jsonl": `{"org_id": "1", "id": 1, "org_q": "Build the bridge", "text": "supports the bridge", "question": "which bridges last?"}`})
	out := filepath.Join(t.TempDir(), "out.run")
	var told strings.Builder
	e := Experiment{Retrievers: []string{"bm25", "okapi", "english"}, RunOut: out, Encoding: retrieve.Encoding{Console: console.New(&told)}}
	found, err := e.Evaluate(t.Context(), []string{dir}, true)
	if err != nil {
		t.Fatal(err)
	}
	if p := found.Perspectrum; p == nil || p.Documents != 3 || len(p.Retrievers) != 3 || p.Retrievers[2].Name != "static" || p.Test.All != 1 || p.Expansions.Source != "surface" {
		t.Errorf("%+v", found.Perspectrum)
	}
	if len(found.Expansions) != 1 || found.Expansions[0].Rows != 1 || found.Detection != nil || len(found.Tables()) < 5 {
		t.Errorf("%+v, %d tables", found, len(found.Tables()))
	}
	for _, name := range []string{"out.qrels", "out.static.run", "out.okapi-mmr.run", "out.static-expanded.run"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(out), name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	e = Experiment{Retrievers: []string{"bm25"}, Expansions: filepath.Join(dir, "ours_query_exp.jsonl")}
	if found, err = e.Evaluate(t.Context(), []string{dir}, false); err != nil || found.Perspectrum.Expansions.Source != "given" || found.Perspectrum.Expansions.Claims != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Invalid options, and files that do not belong together, are refused.
func TestExperimentRefused(t *testing.T) {
	whole := sampleFolder(t, nil)
	pool := filepath.Join(whole, "perspective_pool_v1.0.json")
	other := sampleFolder(t, map[string]string{"other_query_exp.jsonl": `{"id": 1, "org_q": "another question", "text": "x"}`})
	expansions := filepath.Join(other, "other_query_exp.jsonl")
	run := sampleFolder(t, map[string]string{"own_query_exp.bm25-mmr.jsonl": "", "own.qrels": "x"})
	for name, c := range map[string]struct {
		e     Experiment
		paths []string
		want  fault.Kind
	}{
		"stdout":                {Experiment{RunOut: "-"}, []string{whole}, fault.Query},
		"twice":                 {Experiment{Retrievers: []string{"static", "english"}}, []string{whole}, fault.Query},
		"one file":              {Experiment{Retrievers: []string{"a/b", "a:b"}, RunOut: "x"}, []string{whole}, fault.Query},
		"no place for runs":     {Experiment{Retrievers: []string{"bm25"}, RunOut: filepath.Join(whole, "gone", "x.run")}, []string{whole}, fault.Unavailable},
		"a run read":            {Experiment{Retrievers: []string{"bm25"}, RunOut: filepath.Join(run, "own_query_exp.jsonl")}, []string{run}, fault.Query},
		"judgements read":       {Experiment{Retrievers: []string{"bm25"}, Detect: "sides", Corpus: filepath.Join(run, "own.qrels"), RunOut: filepath.Join(run, "own.run")}, []string{expansions}, fault.Query},
		"one file, by ranking":  {Experiment{Retrievers: []string{"bm25", "bm25-mmr"}, RunOut: "x"}, []string{whole}, fault.Query},
		"a folder, no file":     {Experiment{RunOut: whole}, []string{filepath.Join(whole, "none")}, fault.Query},
		"options of words":      {Experiment{Retrievers: []string{"bm25,pooling=cls"}}, []string{whole}, fault.Query},
		"no claims to ask":      {Experiment{Retrievers: []string{"bm25"}, RunOut: "x"}, []string{expansions}, fault.Query},
		"no file":               {Experiment{}, []string{filepath.Join(whole, "none")}, fault.Input},
		"a folder without any":  {Experiment{}, []string{t.TempDir()}, fault.Input},
		"the pool alone":        {Experiment{}, []string{pool}, fault.Input},
		"two pools":             {Experiment{}, []string{whole, pool}, fault.Input},
		"a name of nothing":     {Experiment{}, []string{os.Args[0]}, fault.Input},
		"no model":              {Experiment{Retrievers: []string{"nomodel"}}, []string{whole}, fault.Input},
		"expansions of no test": {Experiment{Retrievers: []string{"bm25"}, Expansions: expansions}, []string{whole}, fault.Input},
	} {
		if _, err := c.e.Evaluate(t.Context(), c.paths, false); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Claims without any document count 0 in the printed figures, and so they do when the runs are
// evaluated with the judgements beside them.
func TestRunsHaveTheFigures(t *testing.T) {
	p := invented(3)
	for i := range p.Pool {
		p.IDs = append(p.IDs, fmt.Sprint("d", i))
	}
	var without []*Claim
	for i := range p.Claims {
		if c := &p.Claims[i]; c.Split == Test && len(without) < 3 {
			c.Documents = make([][]uint32, Perspectives)
			without = append(without, c)
		}
	}
	without[0].Text = "zebra" // BM25 finds nothing
	retrievers, vectors := retrieversOf(t, p)
	var written runSet
	e, err := Evaluate(t.Context(), p, Options{Retrievers: retrievers[:1], Similarity: vectors.Similarity, Progress: func(done, total int64) {},
		Ranked: func(retriever, ranking string, c *Claim, documents []uint32) error {
			return written.add(p, retriever, ranking, c, documents)
		}})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.run")
	if err := written.write(out, p, console.New(&strings.Builder{})); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(judgementsPlace(out))
	if err != nil {
		t.Fatal(err)
	}
	qrels, err := trec.ReadDiversityQrels(bytes.NewReader(text), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := trec.ParseMeasures([]string{"MRecall@5", "P@5"})
	if err != nil {
		t.Fatal(err)
	}
	all := &e.Retrievers[0].All
	for ranking, want := range map[string]Figures{AsRetrieved: all.Default, Diversified: all.MMR, Expanded: all.Expansion} {
		got, err := trec.Evaluate(qrels, written.runs[runName("bm25", ranking)], measures, trec.Options{Complete: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(qrels.Queries()); n != all.N || math.Abs(got.Averages[0]-want.MRecall[5])+math.Abs(got.Averages[1]-want.Precision[5]) > 1e-12 {
			t.Errorf("%q: %v over %d queries, want %+v over %d", ranking, got.Averages, n, want, all.N)
		}
	}
}

// What is compared by the dot product is not called a cosine.
func TestDescriptionByDot(t *testing.T) {
	e := Experiment{Retrievers: []string{"sides,score=dot", "sides"}, Encoding: retrieve.Encoding{Console: console.New(&strings.Builder{})}}
	found, err := e.Evaluate(t.Context(), []string{sampleFolder(t, nil)}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"vectors of ", "cosine of "} {
		if about := found.Perspectrum.Retrievers[i].About; !strings.HasPrefix(about, want) || strings.Contains(about, "by dot product") != (i == 0) {
			t.Errorf("%s: %s", e.Retrievers[i], about)
		}
	}
}
