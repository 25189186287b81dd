package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// question is a query in both forms.
type question struct {
	name string
	page map[string]any
	goes search.Query
}

func ptr[T any](v T) *T { return &v }

const oppose = "Find a claim that opposes the argument: Night trains deserve public subsidy"

func questions() []question {
	text := func(s string) search.Text { return search.Text{Text: s} }
	root := "Night trains deserve public subsidy"
	out := []question{
		{"wording alone", map[string]any{"query": oppose}, search.Query{Query: text(oppose)}},
		{"auto by name", map[string]any{"query": "what a parent would say about this: " + root, "method": "AUTO"}, search.Query{Query: text("what a parent would say about this: " + root)}},
		{"plain words", map[string]any{"query": "trains at night"}, search.Query{Query: text("trains at night")}},
		{"root alone", map[string]any{"query": oppose, "root": root}, search.Query{Query: text(oppose), Root: ptr(text(root))}},
		{
			"several perspectives, λ and k",
			map[string]any{"query": oppose, "root": root, "perspectives": []string{"a claim that opposes", "a passenger's view"}, "lambda": 0.7, "k": 25},
			search.Query{Query: text(oppose), Root: ptr(text(root)), Perspectives: []search.Text{text("a claim that opposes"), text("a passenger's view")}, Lambda: ptr(0.7), K: 25},
		},
		{"diversified", map[string]any{"query": oppose, "mmr": 0.5, "k": 20}, search.Query{Query: text(oppose), MMR: ptr(0.5), K: 20}},
		{"more than there are", map[string]any{"query": oppose, "k": 100000}, search.Query{Query: text(oppose), K: 100000}},
		{
			"filtered",
			map[string]any{"query": oppose, "filter": map[string]any{"stance": "oppose", "kind": []string{"anecdote", "expert", "no such kind"}}},
			search.Query{Query: text(oppose), Filters: []search.Filter{{Field: "stance", Values: []string{"oppose"}}, {Field: "kind", Values: []string{"anecdote", "expert", "no such kind"}}}},
		},
		{
			"filtered to nothing",
			map[string]any{"query": oppose, "filter": map[string]any{"stance": "undecided"}},
			search.Query{Query: text(oppose), Filters: []search.Filter{{Field: "stance", Values: []string{"undecided"}}}},
		},
	}
	for i := range out { // all of these, and below each method once, with complete explanations
		out[i].page["cosineRank"], out[i].goes.CosineRank = true, true
	}
	for _, m := range perspective.Methods() {
		if m.Angles > 0 {
			continue // see sidesQuestions
		}
		for _, lambda := range []float64{1, -0.3} {
			out = append(out, question{
				fmt.Sprintf("%s λ=%g", m.Name, lambda),
				map[string]any{"query": oppose, "method": m.Name, "lambda": lambda, "cosineRank": lambda == 1},
				search.Query{Query: text(oppose), Method: m.Name, Lambda: ptr(lambda), CosineRank: lambda == 1},
			})
		}
	}
	return out
}

// dotQuestions are asked by every method without angles, by vectors of any length, of a collection
// that is compared by dot products, and by cosines if they say so.
func dotQuestions(dim int) []question {
	rng := rand.New(rand.NewPCG(3, 1))
	vector := func(size float32) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = size * float32(rng.NormFloat64())
		}
		return v
	}
	var out []question
	for _, m := range perspective.Methods() {
		if m.Angles > 0 {
			continue
		}
		for _, score := range []perspective.Score{"", perspective.Cosine, perspective.Dot} {
			q, r, p := vector(7), vector(0.01), vector(300)
			page := map[string]any{"query": q, "root": r, "perspectives": []any{p}, "method": m.Name, "lambda": 0.6, "cosineRank": true}
			if score != "" {
				page["score"] = score
			}
			goes := search.Query{Query: search.Text{Vector: q}, Root: &search.Text{Vector: r}, Perspectives: []search.Text{{Vector: p}}, Method: m.Name, Score: score, Lambda: ptr(0.6), CosineRank: true}
			if m.Name == "vec_projection" {
				page["mmr"], goes.MMR = 0.4, ptr(0.4)
			}
			out = append(out, question{fmt.Sprintf("%s by %q", m.Name, score), page, goes})
		}
	}
	return append(out,
		question{"a score that is none", map[string]any{"query": vector(1), "score": "maxsim"}, search.Query{Query: search.Text{Vector: vector(1)}, Score: "maxsim"}},
		question{"a query that is too long", map[string]any{"query": vector(1e30), "method": "none"}, search.Query{Query: search.Text{Vector: vector(1e30)}, Method: "none"}},
	)
}

// ask runs the questions in the page and returns the JSON of each result.
const ask = `async (collection, queries, options) => {
	const { Vantage } = await import('/lib/index.js');
	const vantage = await Vantage.open(collection, options);
	await vantage.ready;
	const out = [];
	for (const query of queries) {
		try {
			const { method, kind, lambda, strength, side, score, k, encoder, hybrid, notice, close, hits, coverage } = await vantage.search(query);
			if (coverage.rows !== coverage.total) throw new Error('only ' + coverage.rows + ' rows of ' + coverage.total);
			out.push(JSON.stringify({ method, kind, lambda, strength, side, score, k, encoder, hybrid, notice, close, hits }));
		} catch (error) {
			out.push(error.code + ': ' + error.message);
		}
	}
	vantage.close();
	return out;
}`

// bare serves a folder under the strict policy, and a blank page for the test's
// scripts.
func bare(dir string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", withSources(folder(dir)))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/{$}", harness.Blank)
	return harness.WithPolicy(mux)
}

// compare runs the same queries in the page, the Go packages and the headless
// host, and expects the same bytes.
func compare(t *testing.T, dir string, questions []question, options map[string]any) {
	t.Helper()
	expect(t, dir, questions).compare(t, options)
}

// expectation has the answers of the Go packages and the headless host.
type expectation struct {
	dir       string
	questions []question
	answers   map[string][]string // of each engine; "": it refuses the query
	hits      int
}

func expect(t *testing.T, dir string, questions []question) *expectation {
	t.Helper()
	collection := filepath.Join(dir, "collection")
	e := &expectation{dir, questions, map[string][]string{}, 0}
	for name, engine := range map[string]*search.Collection{"native": native(t, collection), "headless": headlessly(t, collection)} {
		for _, q := range questions {
			answer := ""
			if result, err := engine.Search(context.Background(), q.goes); err == nil {
				answer, e.hits = encoded(t, result), e.hits+len(result.Hits)
			}
			e.answers[name] = append(e.answers[name], answer)
		}
	}
	if e.hits < 5*len(questions) {
		t.Errorf("%d questions have only %d hits: the test compares too little", len(questions), e.hits)
	}
	return e
}

// compare runs the queries in a page that opens the collection with the
// options.
func (e *expectation) compare(t *testing.T, options map[string]any) {
	t.Helper()
	page := open(t, serve(t, bare(e.dir)).URL("/"))
	e.equals(t, call[[]string](t, page, ask, "/collection/", e.queries(), options))
}

// queries returns the questions in the form that pages write.
func (e *expectation) queries() []map[string]any {
	queries := make([]map[string]any, len(e.questions))
	for i, q := range e.questions {
		queries[i] = q.page
	}
	return queries
}

// equals fails the test unless the page's answers have the same bytes.
func (e *expectation) equals(t *testing.T, got []string) {
	t.Helper()
	if len(got) != len(e.questions) {
		t.Fatalf("%d answers to %d questions", len(got), len(e.questions))
	}
	for i, q := range e.questions {
		for name, answers := range e.answers {
			switch want := answers[i]; {
			case want == "" && !strings.HasPrefix(got[i], "query: "):
				t.Errorf("%s:\n  page %.600s\n  %s refuses it", q.name, got[i], name)
			case want != "" && got[i] != want:
				t.Errorf("%s:\n  page %.600s\n  %s %.600s", q.name, got[i], name, want)
			}
		}
	}
}

// encoded returns a result as JSON, without escapes for HTML.
func encoded(t *testing.T, result *search.Result) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// The page gives the same answers as the command and the headless host, to the
// last digit.
func TestSearchEqualsGo(t *testing.T) {
	t.Parallel()
	want := expect(t, debates(t), questions())
	t.Run("in a worker", func(t *testing.T) { want.compare(t, map[string]any{"worker": true}) })
	t.Run("in the page", func(t *testing.T) { want.compare(t, map[string]any{"worker": false}) })
}

func TestSearchEqualsGoForEveryRowType(t *testing.T) {
	t.Parallel()
	for _, dtype := range []shard.DType{shard.F32, shard.F16} {
		t.Run(string(dtype), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "collection"), debatesFile, dtype)
			if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
				t.Fatal(err)
			}
			compare(t, dir, questions()[:6], nil)
		})
	}
}

// A collection that is compared by dot products has rows of any length. The page, the Go
// packages and the headless host give the same bits for every type of rows.
func TestSearchByDotProductEqualsGo(t *testing.T) {
	t.Parallel()
	const dim, n = 20, 150
	rng := rand.New(rand.NewPCG(4, 1))
	rows := make([]float32, dim*n)
	for i := range n {
		size := float32(math.Pow(10, 6*rng.Float64()-3))
		if i%40 == 0 {
			size = 0
		}
		for j := range dim {
			rows[i*dim+j] = size * float32(rng.NormFloat64())
		}
	}
	documents := func(yield func(store.Document, error) bool) {
		for i := range n {
			if !yield(store.Document{ID: strconv.Itoa(i), Text: "text"}, nil) {
				return
			}
		}
	}
	for _, dtype := range []shard.DType{shard.F32, shard.F16, shard.I8} {
		t.Run(string(dtype), func(t *testing.T) {
			dir := t.TempDir()
			options := collection.Options{Rows: collection.Given{Model: manifest.Model{ID: "vectors"}, Dim: dim, Data: rows}, DType: dtype, Score: manifest.ScoreDot}
			if _, err := collection.Write(context.Background(), filepath.Join(dir, "collection"), documents, options); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
				t.Fatal(err)
			}
			compare(t, dir, dotQuestions(dim), nil)
		})
	}
}
