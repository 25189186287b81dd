package vantage_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/perspective"
)

// debatesOn opens the bundled corpus on an engine.
func debatesOn(t *testing.T, engine *vantage.Engine) *vantage.Collection {
	t.Helper()
	c, err := vantage.Open(t.Context(), debates, &vantage.OpenOptions{Engine: engine})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

var about = []vantage.Text{{Text: "I live in the countryside."}, {Text: "I am a nurse and work at night."}, {Text: "I own a car."}, {Text: "日本"}}

// Contexts order exactly the documents that the question finds, by λ·relevance + (1−λ)·fit
// as it is computed here from vectors, and both engines give the same bits.
func TestContextsOrderTheQuestionsHits(t *testing.T) {
	native := debatesOn(t, nil)
	engine, err := headless.New(t.Context(), headless.WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	wasm := debatesOn(t, engine)
	moved := 0
	for _, q := range []vantage.Query{
		{Query: vantage.Text{Text: "Should we have more night trains?"}, K: 7},
		{Query: vantage.Text{Text: "Should we have more night trains?"}, K: 20, Method: "none"},
		{Query: vantage.Text{Text: "Find a claim that opposes the argument: Cities should ban cars"}, K: 10},
		{Query: vantage.Text{Text: "working hours of hospitals"}, K: 5, Method: "none", Hybrid: &vantage.Hybrid{}},
	} {
		without, err := native.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Contexts = about
		for _, lambda := range []*float64{nil, new(0.25), new(0.9)} {
			q.ContextLambda = lambda
			got, err := native.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			weight := 0.6
			if lambda != nil {
				weight = *lambda
			}
			ordered(t, native, without, got, weight)
			if index(got.Hits[0]) != index(without.Hits[0]) {
				moved++
			}
			other, err := wasm.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := text(t, got), text(t, other); a != b {
				t.Errorf("native %s\nwasm   %s", a, b)
			}
		}
	}
	if moved < 3 {
		t.Errorf("contexts changed the first hit of %d of 12 answers: this compares too little", moved)
	}
}

// If a query is compared by the dot product, so are its contexts.
func TestContextsByDotProduct(t *testing.T) {
	dir := t.TempDir()
	rows := [][]float32{{3, 0, 0}, {0, 2, 0}, {.5, .5, 4}, {1, 1, 1}, {0, 0, 0}}
	vectors := &vantage.Vectors{Dim: 3, Model: vantage.Model{ID: "test", Dim: 3}}
	documents := func(yield func(vantage.Document, error) bool) {
		for i := range rows {
			if !yield(vantage.Document{ID: fmt.Sprint(i), Text: fmt.Sprint("text ", i)}, nil) {
				return
			}
		}
	}
	for _, row := range rows {
		vectors.Data = append(vectors.Data, row...)
	}
	if _, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Vectors: vectors, Quantize: "f32", Score: perspective.Dot}); err != nil {
		t.Fatal(err)
	}
	c, err := vantage.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	query, contexts := []float32{1, 2, .25}, [][]float32{{0, 1, 0}, {-1, 0, 2}}
	q := vantage.Query{Query: vantage.Text{Vector: query}, Method: "none", K: len(rows)}
	for _, v := range contexts {
		q.Contexts = append(q.Contexts, vantage.Text{Vector: v})
	}
	result, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	product := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	if result.Score != "dot" || len(result.Hits) != len(rows) {
		t.Fatalf("%+v", result)
	}
	for i, h := range result.Hits {
		row := rows[h.Index]
		fits := []float64{product(contexts[0], row), product(contexts[1], row)}
		want := .6*product(query, row) + .4*max(fits[0], fits[1])
		if approx.Apart(float64(h.Score), want, 1e-6) || approx.Apart(float64(h.Because.Fit), fits[h.Because.Context], 1e-6) {
			t.Errorf("document %d: score %v, want %v; %+v", h.Index, h.Score, want, h.Because)
		}
		if i > 0 && h.Score > result.Hits[i-1].Score {
			t.Errorf("hit %d is better than the one before", i)
		}
	}
}

func index(h vantage.Hit) int { return h.Index }

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ordered compares an answer with contexts with one without, in float64.
func ordered(t *testing.T, c *vantage.Collection, without, got *vantage.Result, lambda float64) {
	t.Helper()
	type pair struct {
		hit     vantage.Hit
		context int
		score   float64
	}
	var contexts []string
	for _, c := range about {
		contexts = append(contexts, c.Text)
	}
	asked := encode(t, c, contexts, vantage.RoleQuery)
	var want []pair
	for _, h := range without.Hits {
		relevance := float64(h.Score)
		if without.Hybrid != "" {
			relevance = float64(h.Explain.Cosine)
		}
		best := pair{h, -1, math.Inf(-1)}
		vector := encode(t, c, []string{strings.TrimSpace(h.Title + " " + h.Text)}, vantage.RoleDocument)[0]
		for i, a := range asked {
			if score := lambda*relevance + (1-lambda)*naive.Cosine(a.Vector, vector.Vector); score > best.score {
				best.context, best.score = i, score
			}
		}
		want = append(want, best)
	}
	slices.SortFunc(want, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	if len(got.Hits) != len(want) {
		t.Fatalf("%d hits, want %d", len(got.Hits), len(want))
	}
	const close = 0.004 // rows are rounded to 8 bits
	for i, h := range got.Hits {
		b := h.Because
		if b == nil || b.Text != about[b.Context].Text || h.Rank != i+1 {
			t.Fatalf("rank %d, because %+v", h.Rank, b)
		}
		if exact := float32(float64(lambda*float64(b.Relevance)) + float64((1-lambda)*float64(b.Fit))); h.Score != exact {
			t.Errorf("score %v of %+v, want %v", h.Score, b, exact)
		}
		at := slices.IndexFunc(want, func(p pair) bool { return p.hit.Index == h.Index })
		if at < 0 {
			t.Fatalf("document %d is not a hit of the question", h.Index)
		}
		if approx.Apart(want[at].score, float64(h.Score), close) || approx.Apart(want[i].score, float64(h.Score), close) {
			t.Errorf("rank %d: document %d has %v, want %v", i+1, h.Index, h.Score, want[at].score)
		}
		if i > 0 && h.Score > got.Hits[i-1].Score {
			t.Errorf("rank %d is better than rank %d", i+1, i)
		}
	}
}

func encode(t *testing.T, c *vantage.Collection, texts []string, role vantage.Role) []vantage.Encoding {
	t.Helper()
	encoded, err := c.Encode(t.Context(), texts, role)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// onServer is an encoder that sends texts to a server, as that of package client does.
type onServer struct {
	vantage.Encoder
	seen *[]string
}

func (onServer) Remote() bool { return true }

func (e onServer) Encode(ctx context.Context, texts []string, role vantage.Role) ([]vantage.Encoding, error) {
	*e.seen = append(*e.seen, texts...)
	return e.Encoder.Encode(ctx, texts, role)
}

func TestContextsRefused(t *testing.T) {
	c := debatesOn(t, nil)
	const secret = "I have a rare illness"
	question := vantage.Query{Query: vantage.Text{Text: "night trains"}, Contexts: []vantage.Text{{Text: secret}}}
	with := func(change func(q *vantage.Query)) vantage.Query {
		q := question
		q.Contexts = slices.Clone(q.Contexts)
		change(&q)
		return q
	}
	many := make([]vantage.Text, 65)
	for i := range many {
		many[i].Text = secret
	}
	for says, q := range map[string]vantage.Query{
		"number 1 has no text":   with(func(q *vantage.Query) { q.Contexts = append(q.Contexts, vantage.Text{Text: " "}) }),
		"there are 65":           with(func(q *vantage.Query) { q.Contexts = many }),
		"λ is 1":                 with(func(q *vantage.Query) { q.ContextLambda = new(1.0) }),
		"λ is -0.1":              with(func(q *vantage.Query) { q.ContextLambda = new(-0.1) }),
		"λ is NaN":               with(func(q *vantage.Query) { q.ContextLambda = new(math.NaN()) }),
		"there are none":         with(func(q *vantage.Query) { q.Contexts, q.ContextLambda = nil, new(0.5) }),
		"leave one out":          with(func(q *vantage.Query) { q.MMR = new(0.5) }),
		"bm25":                   with(func(q *vantage.Query) { q.Method = vantage.MethodWords }),
		"vector of 3 components": with(func(q *vantage.Query) { q.Contexts[0] = vantage.Text{Text: secret, Vector: make([]float32, 3)} }),
		"k is -5":                with(func(q *vantage.Query) { q.K = -5 }),
	} {
		_, err := c.Search(t.Context(), q)
		if err == nil || !strings.Contains(err.Error(), says) || !errors.Is(err, vantage.ErrQuery) {
			t.Errorf("%s: %v", says, err)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("an error repeats a context: %v", err)
		}
	}
	if _, err := c.Rerank(t.Context(), question, []string{"a"}); !errors.Is(err, vantage.ErrQuery) {
		t.Errorf("Rerank: %v", err)
	}
	var seen []string
	remote, err := vantage.Open(t.Context(), debates, &vantage.OpenOptions{Encoder: onServer{english.Encoder(), &seen}})
	if err != nil {
		t.Fatal(err)
	}
	defer remote.Close()
	if _, err := remote.Search(t.Context(), with(func(q *vantage.Query) { q.Contexts = nil })); err != nil {
		t.Fatal(err)
	}
	if _, err := remote.Search(t.Context(), question); !errors.Is(err, vantage.ErrUnsupported) || !strings.Contains(err.Error(), "on a server") {
		t.Errorf("a server: %v", err)
	}
	if !slices.Contains(seen, "night trains") || slices.Contains(seen, secret) {
		t.Errorf("the server saw %q", seen)
	}
}

// If the encoder that the collection carries is damaged, a query as a vector still ranks,
// and contexts as texts are an error, not a panic; a text is answered by words without them.
func TestContextsWithADamagedEncoder(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(debates)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "encoder", "*.bin")) // those of the static encoder, without its reader of queries
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if err := os.WriteFile(name, []byte("damaged"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := vantage.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	words, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "night trains"}, Contexts: about})
	if err != nil || words.Notice == "" || len(words.Hits) == 0 || words.Hits[0].Because != nil {
		t.Errorf("%+v: %v", words, err)
	}
	vector := make([]float32, 256)
	vector[0] = 1
	query := vantage.Query{Query: vantage.Text{Vector: vector}, Method: "none", Contexts: about}
	if _, err := c.Search(t.Context(), query); err == nil || strings.Contains(err.Error(), "nurse") {
		t.Errorf("contexts as texts: %v", err)
	}
	query.Contexts = []vantage.Text{{Vector: vector}}
	if r, err := c.Search(t.Context(), query); err != nil || r.Hits[0].Because == nil {
		t.Errorf("contexts as vectors: %v", err)
	}
}
