package beir

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/trec"
)

// The pack of a ColBERT ranks by MaxSim: its runs have the scores of the formula, written out
// in float64, exactly or as a collection stores the vectors.
func TestTokenPack(t *testing.T) {
	pack := late.Pack(t)
	e := late.Model(t, 1)
	texts := late.Texts(80, 1)
	set := map[string]string{"qrels/test.tsv": "query-id\tcorpus-id\tscore\n"}
	line := func(file string, id int, text string) {
		b, err := json.Marshal(map[string]string{"_id": fmt.Sprint(id), "text": text})
		if err != nil {
			t.Fatal(err)
		}
		set[file] += string(b) + "\n"
	}
	for i, text := range texts {
		line("corpus.jsonl", i, text)
	}
	queries := late.Texts(6, 2)
	for i, text := range queries {
		line("queries.jsonl", 1000+i, text)
		set["qrels/test.tsv"] += fmt.Sprintf("%d\t%d\t1\n", 1000+i, 9*i)
	}
	dir := t.TempDir()
	for name, text := range set {
		write(t, dir, name, text)
	}
	vectors := func(texts []string, role encoder.Role) []encoder.TokenVectors {
		made, err := e.EncodeTokens(t.Context(), texts, role)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	documents, asked := vectors(texts, encoder.Document), vectors(queries, encoder.Query)
	// Each vector of a query has length 1, and rounding to 8 bits moves a product by less than 0.01.
	for given, near := range map[string]float64{"": 1e-4, ",token-bits=8": 0.01} {
		out := filepath.Join(t.TempDir(), "out.run")
		x := Experiment{Retrievers: []string{pack + given}, Measures: []string{"R@10"}, Depth: 20, Parameters: lexical.DefaultParameters, RunOut: out,
			Tests: compare.Tests{Rounds: 10, Seed: 1}}
		if err := x.Check(); err != nil {
			t.Fatal(err)
		}
		f, err := x.Evaluate(context.Background(), dir, Options{})
		if err != nil || len(f.Systems) != 1 {
			t.Fatalf("%+v, %v", f, err)
		}
		file, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		run, err := trec.ReadRun(file, out)
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if err != nil || run.Len() != 20*len(queries) {
			t.Fatalf("%v, %v", run, err)
		}
		found := 0.0
		for i, q := range asked {
			least := math.Inf(1)
			in := map[string]bool{}
			names, scores, err := run.Ranking(fmt.Sprint(1000 + i))
			if err != nil {
				t.Fatal(err)
			}
			for rank, name := range names {
				var d int
				if _, err := fmt.Sscan(name, &d); err != nil {
					t.Fatal(err)
				}
				want := naive.MaxSim(q.Vectors, documents[d].Vectors, late.PackDim)
				if approx.Apart(float64(scores[rank]), want, near*float64(q.Rows)) {
					t.Errorf("%q, query %d, document %d: %v, want %v", given, i, d, scores[rank], want)
				}
				least, in[name] = min(least, want), true
				if rank < 10 && d == 9*i {
					found++
				}
			}
			for d, v := range documents { // nothing better is left out
				if s := naive.MaxSim(q.Vectors, v.Vectors, late.PackDim); !in[fmt.Sprint(d)] && s > least+2*near*float64(q.Rows) {
					t.Errorf("%q, query %d: document %d of score %v is missing, the last found has %v", given, i, d, s, least)
				}
			}
		}
		if got := f.Systems[0].Means["R@10"]; approx.Apart(got, found/float64(len(queries)), 1e-9) {
			t.Errorf("%q: R@10 is %v, and %v of %d queries have their document", given, got, found, len(queries))
		}
	}
}
