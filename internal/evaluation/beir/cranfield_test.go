package beir

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/trec"
)

// averages evaluates a run over all judged queries.
func averages(t *testing.T, s *Set, run *trec.Run, names ...string) []float64 {
	t.Helper()
	measures, err := trec.ParseMeasures(names)
	if err != nil {
		t.Fatal(err)
	}
	e, err := trec.Evaluate(s.Qrels, run, measures, trec.Options{Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	return e.Averages
}

func readRun(t *testing.T, path string) *trec.Run {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := trec.ReadRun(f, path)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestCranfieldRun evaluates another implementation's BM25 run on Cranfield, compares
// the figures with those of trec_eval 9.0.8, and compares our BM25 with that run.
func TestCranfieldRun(t *testing.T) {
	dir, reference := shared.Path(t, "data/cranfield"), shared.Path(t, "data/trec")
	set, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := retrieve.NewBM25(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := set.Index(ctx, []retrieve.Index{ours}, nil); err != nil {
		t.Fatal(err)
	}
	if set.Documents != 1400 || len(set.Queries) != 225 || set.SameID != Keep {
		t.Fatalf("%d documents, %d queries, same id %d", set.Documents, len(set.Queries), set.SameID)
	}
	theirs, dropped, err := set.Adopt(readRun(t, filepath.Join(reference, "run.txt")), "run.txt")
	if err != nil || dropped != 0 {
		t.Fatalf("%d dropped, %v", dropped, err)
	}
	expected, err := os.ReadFile(filepath.Join(reference, "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for ours, name := range map[string]string{"nDCG@10": "ndcg_cut_10", "AP": "map", "R@100": "recall_100"} {
		want := regexp.MustCompile(`(?m)^` + name + `\s+all\s+(\S+)$`).FindSubmatch(expected)
		if got := strconv.FormatFloat(averages(t, set, theirs, ours)[0], 'f', 4, 64); got != string(want[1]) {
			t.Errorf("%s is %s, trec_eval printed %s", ours, got, want[1])
		}
	}
	run, empty, err := set.Retrieve(ctx, ours, "bm25", 100, nil)
	if err != nil || empty != 0 {
		t.Fatalf("%d queries without results, %v", empty, err)
	}
	same, first := 0, 0
	for _, q := range set.Queries {
		a, scores, err := run.Ranking(q.ID)
		if err != nil {
			t.Fatal(err)
		}
		b, reference, err := theirs.Ranking(q.ID)
		if err != nil {
			t.Fatal(err)
		}
		score := map[string]float32{}
		for i := range b {
			score[b[i]] = reference[i]
		}
		equal := len(a) == len(b)
		for i := range a {
			equal = equal && i < len(b) && a[i] == b[i]
			// Their scores contain the constant factor k1 + 1, which Lucene has left
			// out since version 8.
			if s, listed := score[a[i]]; listed && approx.Apart(float64(s/scores[i]), 2.2, 1e-5) {
				t.Errorf("query %s, document %s: scores %v and %v", q.ID, a[i], scores[i], s)
			}
		}
		if equal {
			same++
		}
		if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			first++
		}
	}
	// In one query, two documents' scores differ only by rounding.
	if same < 224 || first != 225 {
		t.Errorf("%d rankings and %d first documents of 225 are the same", same, first)
	}
	if mine, their := averages(t, set, run, "nDCG@10")[0], averages(t, set, theirs, "nDCG@10")[0]; approx.Apart(mine, their, 1e-4) {
		t.Errorf("nDCG@10 of the two implementations of BM25: %v and %v", mine, their)
	}
}

// asBEIR writes Cranfield in BEIR's layout, with ids that documents and queries do not share.
func asBEIR(t *testing.T, dir string) string {
	t.Helper()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	out := t.TempDir()
	write(t, out, "corpus.jsonl", strings.ReplaceAll(read("docs.jsonl"), `{"id": "`, `{"_id": "d`))
	write(t, out, "queries.jsonl", strings.ReplaceAll(read("queries.jsonl"), `{"id": "`, `{"_id": "q`))
	var b strings.Builder
	b.WriteString("query-id\tcorpus-id\tscore\n")
	for line := range strings.Lines(read("qrels.txt")) {
		f := strings.Fields(line)
		b.WriteString("q" + f[0] + "\td" + f[2] + "\t" + f[3] + "\n")
	}
	write(t, out, "qrels/test.tsv", b.String())
	return out
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCranfieldLayouts checks for every retriever that the plain folder and the BEIR
// folder give the same figures, and that a run gives the same figures after it was
// written and read.
func TestCranfieldLayouts(t *testing.T) {
	dir := shared.Path(t, "data/cranfield")
	figures := map[string][]float64{}
	for _, folder := range []string{dir, asBEIR(t, dir)} {
		set, err := Open(folder, Options{})
		if err != nil {
			t.Fatal(err)
		}
		words, err := retrieve.NewBM25(lexical.DefaultParameters)
		if err != nil {
			t.Fatal(err)
		}
		encoder, err := model.Open(context.Background(), model.Builtin, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		vectors, err := retrieve.NewDense(encoder)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		okapi := retrieve.NewOkapi()
		if err := set.Index(ctx, []retrieve.Index{words, vectors, okapi}, nil); err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]retrieve.Retriever{"bm25": words, "static": vectors, "okapi": okapi, "hybrid": retrieve.NewHybrid(vectors, words, search.Hybrid{})} {
			run, empty, err := set.Retrieve(ctx, r, name, 1000, nil)
			if err != nil || empty > 0 {
				t.Fatalf("%s: %d queries without results, %v", name, empty, err)
			}
			got := averages(t, set, run)
			file := filepath.Join(t.TempDir(), "run")
			var text []byte
			for _, q := range set.Queries {
				documents, scores, err := run.Ranking(q.ID)
				if err != nil {
					t.Fatal(err)
				}
				text = trec.AppendRanking(text, q.ID, documents, scores, name)
			}
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Fatal(err)
			}
			back := averages(t, set, readRun(t, file))
			for i := range got {
				if got[i] != back[i] {
					t.Errorf("%s: value %d is %v, after reading the run back %v", name, i, got[i], back[i])
				}
				if want := figures[name]; want != nil && got[i] != want[i] {
					t.Errorf("%s: value %d is %v in one layout and %v in the other", name, i, want[i], got[i])
				}
			}
			figures[name] = got
			t.Logf("%s: nDCG@10 %.4f, R@100 %.4f", name, averages(t, set, run, "nDCG@10")[0], averages(t, set, run, "R@100")[0])
		}
	}
}
