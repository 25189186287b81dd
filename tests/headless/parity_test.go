// Package headless_test compares the wazero host and Node.js with the native engine, bit
// for bit, and runs the example that imports the host from another module.
package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/host"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

func write(t *testing.T, documents iter.Seq2[store.Document, error], dtype shard.DType) string {
	t.Helper()
	dir := t.TempDir()
	// Tiny shards, so that most collections have several.
	options := collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Reader: reader.Files, DType: dtype, ShardBytes: 30_000, BlockDocuments: 40}
	if _, err := collection.Write(context.Background(), dir, documents, options); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compare runs the same queries on both engines and reports differences in
// their JSON.
func compare(t *testing.T, dir string, queries []search.Query) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(ctx, st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	engine, err := host.New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	wasm, err := engine.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	for i, q := range queries {
		want, got := answer(native.Search(ctx, q)), answer(wasm.Search(ctx, q))
		if !bytes.Equal(want, got) {
			t.Errorf("query %d, %q, %s:\nnative %s\nwasm   %s", i, q.Query.Text, q.Method, want, got)
		}
	}
	t.Logf("%d queries", len(queries))
}

func answer(r *search.Result, err error) []byte {
	if err != nil {
		return []byte("error: " + err.Error())
	}
	b, err := json.Marshal(r)
	if err != nil {
		return []byte("error: " + err.Error())
	}
	return b
}

func text(s string) search.Text { return search.Text{Text: s} }

func number(x float64) *float64 { return &x }

func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for line := range bytes.Lines(b) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// debatesQueries returns queries over the bundled corpus with many options, and
// invalid ones.
func debatesQueries(t *testing.T) []search.Query {
	t.Helper()
	type query struct{ Text, Root, Perspective string }
	queries := readLines[query](t, "../../examples/debates/queries.jsonl")
	var asked []search.Query
	for i, q := range queries {
		asked = append(asked, search.Query{Query: text(q.Text)})      // split by the search
		method := perspective.Methods()[i%len(perspective.Methods())] // those with angles are refused alike
		root := text(q.Root)
		full := search.Query{Query: text(q.Text), Root: &root, Perspectives: []search.Text{text(q.Perspective)}, Method: method.Name, K: 1200}
		if i%3 == 0 {
			full.Perspectives = append(full.Perspectives, text("people who live in the countryside"), text(q.Text))
		}
		if i%4 == 0 {
			full.MMR, full.K = number(0.25*float64(i%5)), 30
		}
		if i%5 == 0 {
			full.Lambda = number(float64(i%7) - 3)
		}
		if i%2 == 1 {
			full.Score = perspective.Dot
		}
		if i%6 == 0 {
			full.Filters = []search.Filter{{Field: "stance", Values: []string{"support", "context"}}}
		}
		asked = append(asked, full)
	}
	root := text("homework")
	for name, q := range map[string]search.Query{
		"root alone":         {Query: text("homework in primary schools"), Root: &root},
		"unknown method":     {Query: text("x"), Method: "best"},
		"unknown score":      {Query: text("x"), Score: "maxsim"},
		"missing vectors":    {Query: text("plain words"), Method: "pap+"},
		"another dimension":  {Query: search.Text{Vector: make([]float32, 3)}},
		"an empty query":     {Query: text("")},
		"unknown field":      {Query: text("x"), Filters: []search.Filter{{Field: "colour", Values: []string{"red"}}}},
		"another subject":    {Query: text("How do I bleed a radiator in a boat on the Nile?")},
		"another root":       {Query: text("Find a claim that opposes the argument: Saturn has rings")},
		"a keyword":          {Query: text("telemedicine")},
		"nothing passes":     {Query: text("trains"), Filters: []search.Filter{{Field: "stance", Values: []string{"none of them"}}}},
		"mmr out of range":   {Query: text("trains"), MMR: number(2)},
		"λ out of range":     {Query: text("Find a claim that opposes the argument: trains"), Lambda: number(99)},
		"k is -1":            {Query: text("trains"), K: -1},
		"a range of strings": {Query: text("trains"), Filters: []search.Filter{{Field: "stance", Low: new(1.), High: new(2.)}}},
	} {
		t.Logf("query %d: %s", len(asked), name)
		asked = append(asked, q)
	}
	return asked
}

// writeDebates makes a collection of the bundled corpus.
func writeDebates(t *testing.T, dtype shard.DType) string {
	t.Helper()
	c, err := corpus.Open("../../examples/debates/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, c.Documents(), dtype)
}

func TestDebates(t *testing.T) {
	asked := debatesQueries(t)
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		t.Run(string(dtype), func(t *testing.T) {
			compare(t, writeDebates(t, dtype), asked)
		})
	}
}

// PIR's six demo tasks, with every method on every tenth query.
func TestPIR(t *testing.T) {
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		t.Run(task.Name, func(t *testing.T) {
			documents := func(yield func(store.Document, error) bool) {
				for i, text := range task.Corpus {
					if !yield(store.Document{ID: fmt.Sprint(i), Text: text}, nil) {
						return
					}
				}
			}
			var asked []search.Query
			for i := 0; i < len(task.Queries); i += 10 {
				root := text(task.Roots[i])
				for _, method := range perspective.Methods() {
					q := search.Query{Query: text(task.Queries[i]), Root: &root, Method: method.Name, K: 20}
					if task.OwnPerspectives() {
						q.Perspectives = []search.Text{text(task.Perspectives[i])}
					}
					asked = append(asked, q)
				}
			}
			compare(t, write(t, documents, shard.I8), asked)
		})
	}
}

// A range with one bound is open on the other side, in both engines.
func TestRanges(t *testing.T) {
	documents := func(yield func(store.Document, error) bool) {
		for i := range 40 {
			d := store.Document{ID: fmt.Sprint(i), Text: fmt.Sprint("train number ", i), Metadata: map[string]any{"year": float64(1990 + i)}}
			if i == 39 {
				d.Metadata = nil // meets no condition
			}
			if !yield(d, nil) {
				return
			}
		}
	}
	dir := write(t, documents, shard.I8)
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	var asked []search.Query
	for _, c := range []struct {
		low, high *float64
		hits      int
	}{{number(2000), nil, 29}, {nil, number(2000), 11}, {number(2000), number(2010), 11}, {number(math.Inf(-1)), nil, 39}, {number(2000), number(math.Inf(1)), 29}, {nil, number(-1), 0}, {number(2010), number(2000), -1}} {
		q := search.Query{Query: text("trains"), K: 100, Filters: []search.Filter{{Field: "year", Low: c.low, High: c.high}}}
		got := -1
		if r, err := native.Search(t.Context(), q); err == nil {
			got = len(r.Hits)
		}
		if got != c.hits {
			t.Errorf("case %d: %d hits, want %d", len(asked), got, c.hits)
		}
		asked = append(asked, q)
	}
	compare(t, dir, asked)
}
