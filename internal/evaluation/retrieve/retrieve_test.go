package retrieve

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

var corpus = []string{"a bridge over the river", "the ferry", "", "ferry and bridge and ferry"}

func filled(t *testing.T) (words Index, vectors *Dense) {
	t.Helper()
	words, err := NewBM25(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if vectors, err = NewDense(encoder); err != nil {
		t.Fatal(err)
	}
	for _, x := range []Index{words, vectors} {
		done := 0
		if err := Fill(context.Background(), x, corpus, func(n int) { done = n }); err != nil || done != len(corpus) {
			t.Fatalf("%d documents, %v", done, err)
		}
	}
	return words, vectors
}

func rank(t *testing.T, r Retriever, query string, k int) []lexical.Hit {
	t.Helper()
	hits, err := r.Rank(context.Background(), Query{Text: query}, k)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// A document that consists of the query's words is the nearest one. Documents without a
// known token are last, with a score of 0. A query without a known token has no
// direction and finds nothing.
func TestDense(t *testing.T) {
	_, vectors := filled(t)
	hits := rank(t, vectors, "the ferry", 10)
	if len(hits) != 4 || hits[0].Document != 1 || approx.Apart(hits[0].Score, 1, 1e-6) || hits[3].Document != 2 || hits[3].Score != 0 {
		t.Errorf("%v", hits)
	}
	if hits := rank(t, vectors, "\u2603", 5); len(hits) != 0 {
		t.Errorf("%v", hits)
	}
	if s := vectors.Similarity(1, 1); approx.Apart(float64(s), 1, 1e-6) || vectors.Similarity(1, 2) != 0 {
		t.Errorf("similarity of a document to itself %v, to an empty one %v", s, vectors.Similarity(1, 2))
	}
}

// Options follow a model's name, and flags stand in for those that are missing.
func TestScores(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says, given, flag string
		want              perspective.Score
		fails             string
	}{
		{"", "", "", perspective.Cosine, ""}, {"dot", "", "", perspective.Dot, ""}, {"dot", "", "cosine", perspective.Cosine, ""},
		{"cosine", ",score=dot", "cosine", perspective.Dot, ""}, {"", ",pooling=max,score=Dot", "", perspective.Dot, ""},
		{"manhattan", ",score=dot", "", perspective.Dot, ""}, {"manhattan", "", "", "", `score "manhattan" is not one of cosine, dot`},
		{"", ",score=maxsim", "", "", "score maxsim compares the vectors of tokens"}, {"", ",token-bits=4", "", "", "leave token-bits out"}, {"", ",token-bits=3", "", "", `is "3", must be 8, 4 or 2`}, {"", ",score=dot,score=dot", "", "", "given twice"},
		{"", ",score=", "", "", "empty"},
	} {
		if err := modeltest.WriteJSON(dir, map[string]any{"config_sentence_transformers.json": map[string]any{"similarity_fn_name": c.says}}); err != nil {
			t.Fatal(err)
		}
		encoding := Encoding{Score: perspective.Score(c.flag)}
		spec, err := ParseSpec("--retriever", dir+c.given)
		var m *Model
		if err == nil {
			m, err = encoding.Find(t.Context(), spec)
		}
		if err == nil {
			err = encoding.Bind(t.Context(), []*Model{m})
		}
		if err == nil {
			err = Try(t.Context(), []*Model{m})
		}
		if c.fails != "" {
			if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(c, err)
		}
		vectors, encoder, err := m.Index(t.Context(), func(x Index) error { return Fill(t.Context(), x, corpus[:2], func(int) {}) })
		if err != nil {
			t.Fatal(err)
		}
		if vectors.(*Dense).score != c.want || strings.Contains(m.About(), "by dot product") != (c.want == perspective.Dot) {
			t.Errorf("%v: compared by %q, %s", c, vectors.(*Dense).score, m.About())
		}
		if err := encoder.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A prefix is read before the texts of its role, in place of the model's own prompt.
func TestPrefixes(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	spec, err := ParseSpec("--retriever", dir+",query-prefix=find: ,document-prefix=read: ")
	if err != nil || spec.QueryPrefix != "find: " || spec.DocumentPrefix != "read: " || spec.Name != dir {
		t.Fatalf("%+v, %v", spec, err)
	}
	var encoding Encoding
	m, err := encoding.Find(t.Context(), spec)
	if err == nil {
		err = encoding.Bind(t.Context(), []*Model{m})
	}
	if err != nil {
		t.Fatal(err)
	}
	documents, queries, close, err := m.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer close()
	bare, err := model.Open(t.Context(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	for _, c := range []struct {
		by     model.Encoder
		role   encoder.Role
		prefix string
	}{{queries, encoder.Query, "find: "}, {documents, encoder.Document, "read: "}} {
		got, err := c.by.Encode(t.Context(), []string{"the ferry"}, encoder.Options{Role: c.role})
		if err != nil {
			t.Fatal(err)
		}
		none := ""
		want, err := bare.Encode(t.Context(), []string{c.prefix + "the ferry"}, encoder.Options{Prompt: &none})
		if err != nil || !slices.Equal(got[0].Vector, want[0].Vector) {
			t.Errorf("%s: the prefix is not read (%v)", c.role, err)
		}
	}
	if about := m.About(); !strings.Contains(about, `queries after "find: "`) || !strings.Contains(about, `documents after "read: "`) {
		t.Error(about)
	}
	plain, err := encoding.Find(t.Context(), Spec{Flag: "--retriever", Given: dir, Name: dir})
	if err == nil {
		err = errors.Join(encoding.Bind(t.Context(), []*Model{plain}), Try(t.Context(), []*Model{plain}))
	}
	if err != nil {
		t.Fatal(err)
	}
	for want, models := range map[string][]*Model{
		dir + " " + dir + ",query-prefix=find: ,document-prefix=read: ": {plain, m}, // they differ only in their prefixes
		filepath.Base(dir) + " BM25":                                    {m, nil},
	} {
		if got := strings.Join(Labels(models), " "); got != want {
			t.Errorf("the names %s, want %s", got, want)
		}
	}
	spec, err = ParseSpec("--retriever", "static,query-prefix=find: ")
	if err == nil {
		m, err = encoding.Find(t.Context(), spec)
	}
	if err == nil {
		err = encoding.Bind(t.Context(), []*Model{m})
	}
	if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "prefixes need a transformer") {
		t.Errorf("a prefix of a static model: %v", err)
	}
}

// Given vectors are ranked by the method that they name. A query without vectors is an
// error if there is no encoder.
func TestVectors(t *testing.T) {
	x, err := NewVectors(2, []float32{1, 0, 0, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	plain := &perspective.Query{Query: []float32{1, 0}, Method: "none"}
	hits, err := x.Rank(ctx, Query{Text: "passed over", Vectors: plain}, 2)
	if err != nil || len(hits) != 2 || hits[0].Document != 0 || hits[0].Score != 1 || hits[1].Document != 2 {
		t.Errorf("%v, %v", hits, err)
	}
	projected := &perspective.Query{Query: []float32{1, 1}, Root: []float32{1, 0}, Perspectives: [][]float32{{0, 1}}, Method: "pap", Lambda: 1}
	hits, err = x.Rank(ctx, Query{Vectors: projected}, 1)
	want, wantErr := ranking.Search(x.index, &ranking.Request{Query: *projected, K: 1})
	if err != nil || wantErr != nil || len(hits) != 1 || int(hits[0].Document) != want[0].Row || hits[0].Score != float64(want[0].Score) {
		t.Errorf("%v (%v), want %v (%v)", hits, err, want, wantErr)
	}
	if _, err := x.Rank(ctx, Query{Vectors: &perspective.Query{Query: []float32{0, 0}, Method: "none"}}, 1); !errors.Is(err, fault.Query) {
		t.Errorf("a vector without a direction: %v", err)
	}
	if hits, err := x.Rank(ctx, Query{Text: "a"}, 1); err == nil {
		t.Errorf("a text without an encoder: %v", hits)
	}
}

// Another encoder for queries must give vectors of the same length as the documents'
// vectors.
func TestEncodeQueries(t *testing.T) {
	_, vectors := filled(t)
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	other, err := model.Open(context.Background(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := vectors.EncodeQueries(other); err == nil || !strings.Contains(err.Error(), "queries have 32 dimensions") {
		t.Error(err)
	}
	if hits := rank(t, vectors, "the ferry", 1); hits[0].Document != 1 {
		t.Errorf("%v", hits)
	}
}

// The hybrid is the fusion of both rankings, computed here by hand: ranks from 1, k =
// 60, weights of one half.
func TestHybrid(t *testing.T) {
	words, vectors := filled(t)
	want := map[uint32]float64{}
	for _, r := range []Retriever{vectors, words} {
		for i, h := range rank(t, r, "ferry", 100) {
			want[h.Document] += .5 / float64(60+i+1)
		}
	}
	hits := rank(t, NewHybrid(vectors, words, search.Hybrid{}), "ferry", 3)
	if len(hits) != 3 {
		t.Fatalf("%v", hits)
	}
	for i, h := range hits {
		if approx.Apart(h.Score, want[h.Document], 1e-15) || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("document %d has %v, want %v", h.Document, h.Score, want[h.Document])
		}
	}
	if _, err := NewHybrid(vectors, words, search.Hybrid{Fusion: "best"}).Rank(context.Background(), Query{Text: "ferry"}, 3); err == nil {
		t.Error("an unknown fusion was taken")
	}
}

// Okapi ranks as lexical.Okapi does, and answers a repeated query alike.
func TestOkapi(t *testing.T) {
	o := NewOkapi()
	if err := Fill(context.Background(), o, corpus, nil); err != nil {
		t.Fatal(err)
	}
	want := lexical.NewOkapi(corpus).Rank("ferry bridge")
	for range 2 {
		hits := rank(t, o, "ferry bridge", 3)
		for i := range 3 {
			if hits[i] != want[i] {
				t.Errorf("%v, want %v", hits, want)
			}
		}
	}
}

func TestFillStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Fill(ctx, NewOkapi(), corpus, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Errors name the flag that a model was given with.
func TestErrorsNameTheFlag(t *testing.T) {
	for _, given := range []string{"opt,bits=4", "opt,pooling=", "opt,score=dot,score=dot", "opt,score=near", "opt,token-bits=3", ",score=dot"} {
		for _, flag := range []string{"--reranker", "--model"} {
			if _, err := ParseSpec(flag, given); !errors.Is(err, fault.Query) || !strings.HasPrefix(err.Error(), flag+" ") || strings.Contains(err.Error(), "--retriever") {
				t.Errorf("%s %s: %v", flag, given, err)
			}
		}
	}
	spec, err := ParseSpec("--reranker", "static,pooling=cls")
	if err != nil {
		t.Fatal(err)
	}
	var encoding Encoding
	m, err := encoding.Find(t.Context(), spec)
	if err == nil {
		err = encoding.Bind(t.Context(), []*Model{m})
	}
	if err == nil || !strings.HasPrefix(err.Error(), "--reranker static,pooling=cls: pooling, query-model and prefixes need a transformer") {
		t.Error(err)
	}
	if err := spec.Bare(); err == nil || !strings.HasPrefix(err.Error(), "--reranker ") {
		t.Error(err)
	}
	if other := (Spec{Flag: "--retriever", Given: "static,pooling=cls", Name: "static", Pooling: "cls"}); !spec.Same(other) {
		t.Errorf("%+v and %+v differ", spec, other)
	}
}

// The built-in model has two names, and is one retriever.
func TestCheckNames(t *testing.T) {
	names := []string{"bm25", "english", "model,pooling=cls", "model"}
	if err := CheckNames(names); err != nil || names[1] != model.Builtin {
		t.Errorf("%q: %v", names, err)
	}
	for _, names := range [][]string{{"bm25", "bm25"}, {"english", "sides", model.Builtin}} {
		if err := CheckNames(names); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "--retriever "+names[0]+" is given twice") {
			t.Errorf("%q: %v", names, err)
		}
	}
}

// A disk that is full while vectors are kept is no reason to stop.
func TestKeepOnFullDisk(t *testing.T) {
	opened, err := model.Open(t.Context(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	k := Keep(t.TempDir(), opened, "the model", console.New(&said)).(*keeping)
	if err := k.kept.Close(); err != nil { // as if nothing could be written
		t.Fatal(err)
	}
	for _, text := range []string{"a ferry", "a bridge"} {
		if out, err := k.Encode(t.Context(), []string{text}, encoder.Options{}); err != nil || len(out) != 1 || len(out[0].Vector) == 0 {
			t.Errorf("%v, %v", out, err)
		}
	}
	if strings.Count(said.String(), "vectors of the model are not kept from here on") != 1 {
		t.Errorf("it says %q", said.String())
	}
}

// A perspective that is given without a root is ranked by, and not read anew from the wording.
func TestMethodWithoutRoot(t *testing.T) {
	_, vectors := filled(t)
	ranked := func(q Query) []lexical.Hit {
		t.Helper()
		hits, err := vectors.By("pap", nil).Rank(t.Context(), q, len(corpus)) // which takes no root
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	const text, side = "the river", "ferry"
	got := ranked(Query{Text: text, Perspective: side})
	if plain := ranked(Query{Text: text}); slices.Equal(got, plain) {
		t.Errorf("the perspective does not count: %v", got)
	}
	if want := ranked(Query{Text: text, Root: text, Perspective: side}); !slices.Equal(got, want) {
		t.Errorf("%v, with a root %v", got, want)
	}
}
