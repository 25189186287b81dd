package indexing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// A ColBERT folder becomes a collection that is ranked by MaxSim, and is searched with the
// same folder.
func TestColBERT(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	colbert := filepath.Join(dir, "colbert")
	if err := modeltest.WriteColBERT(colbert, 1, 16); err != nil {
		t.Fatal(err)
	}
	for asked, bits := range map[int]int{0: DefaultTokenBits, 8: 8, 2: 2} {
		output := filepath.Join(t.TempDir(), "c")
		r, err := (&Job{Corpus: c, Output: output, Model: colbert, TokenBits: asked}).Run(t.Context())
		if err != nil || r.Documents != 3 || r.TokenBits != bits || r.Tokens == 0 || !strings.Contains(r.Stored("int8"), "token vectors of") {
			t.Fatalf("%+v, %v", r, err)
		}
		opened, err := open.Searcher(t.Context(), output, open.Options{Engine: open.Native, Model: colbert})
		if err != nil {
			t.Fatal(err)
		}
		result, err := opened.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "red"}})
		if err != nil || result.Score != "maxsim" || len(result.Hits) != 3 || opened.About.TokenBits != bits {
			t.Errorf("%+v, %v", result, err)
		}
		if faults, err := opened.Verify(t.Context()); err != nil || len(faults) > 0 {
			t.Errorf("%v, %v", faults, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A search of vectors of tokens has one default ranking, so judged queries choose none, however much better
// words alone find what is relevant.
func TestNoChoiceOfColBERT(t *testing.T) {
	dir := t.TempDir()
	colbert := filepath.Join(dir, "colbert")
	if err := modeltest.WriteColBERT(colbert, 1, 16); err != nil {
		t.Fatal(err)
	}
	var documents, queries, qrels strings.Builder
	qrels.WriteString("query-id\tcorpus-id\tscore\n")
	for i := range 60 {
		fmt.Fprintf(&documents, `{"_id":"%d","text":"the red cat sat on mat number%d"}`+"\n", i, i)
		fmt.Fprintf(&queries, `{"_id":"q%d","text":"number%d"}`+"\n", i, i)
		fmt.Fprintf(&qrels, "q%d\t%d\t1\n", i, i)
	}
	j := Job{Corpus: filepath.Join(dir, "corpus.jsonl"), Output: filepath.Join(dir, "site"), Model: colbert, Site: true, Words: true,
		Queries: filepath.Join(dir, "queries.jsonl"), Qrels: filepath.Join(dir, "qrels.tsv")}
	for path, content := range map[string]string{j.Corpus: documents.String(), j.Queries: queries.String(), j.Qrels: qrels.String()} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := j.Run(t.Context())
	if err != nil || r.JudgedQueries != 60 || r.Choice != nil || !strings.Contains(r.Choice.String(), "vectors of tokens") {
		t.Fatalf("%+v, %v", r, err)
	}
	content, err := os.ReadFile(filepath.Join(r.Collection, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := manifest.Parse(content); err != nil || m.Auto != nil {
		t.Errorf("the manifest has %+v (%v)", m.Auto, err)
	}
}

// With the pack of a ColBERT as --encoder, the collection carries the pack and can be
// searched without a model.
func TestPackOfColBERT(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	folder := latePack(t, dir, quantized.Late)
	for asked, bits := range map[int]int{0: DefaultTokenBits, 8: 8} {
		output := filepath.Join(t.TempDir(), "c")
		r, err := (&Job{Corpus: c, Output: output, Encoder: folder, TokenBits: asked}).Run(t.Context())
		if err != nil || r.Documents != 3 || r.TokenBits != bits || r.Tokens == 0 || r.Model.Kind != "pack" {
			t.Fatalf("%+v, %v", r, err)
		}
		opened, err := open.Searcher(t.Context(), output, open.Options{Engine: open.Native})
		if err != nil {
			t.Fatal(err)
		}
		result, err := opened.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "red"}})
		if err != nil || result.Score != "maxsim" || len(result.Hits) != 3 || opened.About.TokenBits != bits || result.Notice != "" {
			t.Errorf("%+v, %v", result, err)
		}
		if faults, err := opened.Verify(t.Context()); err != nil || len(faults) > 0 {
			t.Errorf("%v, %v", faults, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
	whole := quantized.Late
	whole.Tokens = 0
	for says, j := range map[string]Job{
		"leave --score out": {Encoder: folder, Score: "dot"},
		"--token-bits goes with a ColBERT: the pack " + Sides: {Encoder: Sides, TokenBits: 4},
		"has one vector for a whole text":                     {Encoder: latePack(t, filepath.Join(dir, "whole"), whole), TokenBits: 4},
		"3 bits":                                              {Encoder: folder, TokenBits: 3},
	} {
		j.Corpus, j.Output = c, filepath.Join(dir, "refused")
		_, err := j.Run(t.Context())
		if kind := fault.Of(err); kind != fault.Query && kind != fault.Input || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if _, none := os.Stat(j.Output); none == nil {
			t.Errorf("%s: something was written", says)
		}
	}
}

// latePack writes a pack of random weights below a folder, and returns its own.
func latePack(t *testing.T, dir string, c transformer.QuantizedConfig) string {
	t.Helper()
	files, err := quantized.FS(c, 1)
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "pack"), files)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "pack")
}

func TestColBERTRefusals(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	static, bert, _ := modelsIn(t, dir)
	colbert, headless := filepath.Join(dir, "colbert"), filepath.Join(dir, "headless")
	if err := modeltest.WriteColBERT(colbert, 1, 16); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteColBERT(headless, 1, 0); err != nil {
		t.Fatal(err)
	}
	for says, j := range map[string]Job{
		"is a ColBERT folder without its projection (linear.weight)": {Model: headless},
		"three bits": {Model: colbert, TokenBits: 3},
		"--token-bits goes with a ColBERT: " + bert:   {Model: bert, TokenBits: 4},
		"--token-bits goes with a ColBERT: " + static: {Model: static, TokenBits: 4},
		"--pooling averages":                          {Model: colbert, TokenBits: 4, Transformer: named.Settings{Pooling: "mean"}},
		"leave --score out":                           {Model: colbert, Score: "dot"},
		"leave --query-model out":                     {Model: colbert, QueryModel: bert},
	} {
		j.Corpus, j.Output = c, filepath.Join(dir, "c")
		_, err := j.Run(t.Context())
		if kind := fault.Of(err); kind != fault.Query && kind != fault.Input || !strings.Contains(err.Error(), strings.Replace(says, "three", "3", 1)) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, err := (&Job{Corpus: c, Output: filepath.Join(dir, "mean"), Model: colbert, Transformer: named.Settings{Pooling: "mean"}}).Run(t.Context()); err != nil {
		t.Errorf("averaged: %v", err)
	}
}
