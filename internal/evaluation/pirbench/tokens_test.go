package pirbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// The pack of a ColBERT has the methods that are sums of scores. The scores in its
// runs are those of a plain MaxSim in float64. Other methods are refused by name.
func TestTokenPack(t *testing.T) {
	pack, e := late.Pack(t), late.Model(t, 1)
	texts, asked := late.Texts(60, 1), late.Texts(7, 2)
	var corpus, queries strings.Builder
	qrels := "query-id\tcorpus-id\tscore\n"
	for i, text := range texts {
		fmt.Fprintf(&corpus, "{\"_id\": \"d%d\", \"text\": %q}\n", i, text)
	}
	for i, root := range asked {
		fmt.Fprintf(&queries, "{\"_id\": \"q%d\", \"text\": %q, \"root\": %q, \"perspective\": \"people help\", \"metadata\": {\"label\": \"support\"}}\n", i, "people help "+root, root)
		qrels += fmt.Sprintf("q%d\td%d\t1\n", i, 8*i)
	}
	dir := filepath.Join(t.TempDir(), "small")
	if err := os.MkdirAll(filepath.Join(dir, "qrels"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"corpus.jsonl": corpus.String(), "queries.jsonl": queries.String(), "qrels/test.tsv": qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read, err := pir.ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs := t.TempDir()
	x := Experiment{Retrievers: []string{pack}, Methods: []string{"all"}, Runs: runs}
	found, err := x.Evaluate(context.Background(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range *found.Report.Tasks.Get("small") {
		names = append(names, m.Name)
	}
	if want := []string{"query_cosine", "source_cosine", "additive", "additive_aug", "additive_tripple", "re-ranking", "re-ranking_aug"}; !slices.Equal(names, want) {
		t.Errorf("methods %q", names)
	}
	vectors := func(texts []string, role encoder.Role) []encoder.TokenVectors {
		made, err := e.EncodeTokens(t.Context(), texts, role)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	documents := vectors(read.Corpus, encoder.Document)
	for method, texts := range map[string][]string{"query_cosine": read.Queries, "source_cosine": read.Roots} {
		file, err := os.Open(filepath.Join(runs, "small."+method+".run"))
		if err != nil {
			t.Fatal(err)
		}
		run, err := trec.ReadRun(file, method)
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range vectors(texts, encoder.Query) {
			names, scores, err := run.Ranking(read.QueryID(i))
			if err != nil || len(names) == 0 {
				t.Fatal(names, err)
			}
			for rank, name := range names {
				d := slices.Index(read.TextIDs, name)
				if want := naive.MaxSim(q.Vectors, documents[d].Vectors, late.PackDim); approx.Apart(float64(scores[rank]), want, 1e-3) {
					t.Errorf("%s, query %d, document %d: %v, want %v", method, i, d, scores[rank], want)
				}
			}
		}
	}
	for _, method := range []string{"pap", "add", "auto"} {
		_, err := (&Experiment{Retrievers: []string{pack}, Methods: []string{method}}).Evaluate(context.Background(), []string{dir})
		if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "method "+method) {
			t.Errorf("%s: %v", method, err)
		}
	}
	_, err = (&Experiment{Retrievers: []string{pack}, Methods: []string{"none"}, Encoding: retrieve.Encoding{Score: "dot"}}).Evaluate(context.Background(), []string{dir})
	if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "leave the score out") {
		t.Error(err)
	}
}
