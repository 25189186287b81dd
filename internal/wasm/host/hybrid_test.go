package host

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// worded indexes the bundled corpus with an inverted index in many files. It also
// returns an inverted index that is made directly.
func worded(t *testing.T) (dir string, direct *lexical.Index) {
	t.Helper()
	c, err := corpus.Open("../../../examples/debates/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	options := collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true, TermBytes: 2000}
	if _, err := collection.Write(context.Background(), dir, c.Documents(), options); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(context.Background(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if direct, err = lexical.New(lexical.DefaultParameters); err != nil {
		t.Fatal(err)
	}
	for d, err := range st.AllDocuments(context.Background()) {
		if err == nil {
			_, err = direct.Add(d.EncodedText())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, direct
}

func indexes(r *search.Result) (out []uint32) {
	for _, h := range r.Hits {
		out = append(out, uint32(h.Index))
	}
	return out
}

func TestHybrid(t *testing.T) {
	ctx := context.Background()
	dir, direct := worded(t)
	native, wasm := both(t, dir)
	const query = "Find a claim that opposes the argument: Night trains deserve public subsidy"
	byWords, err := direct.Search(lexical.Query{Text: query, K: 100})
	if err != nil {
		t.Fatal(err)
	}
	gated := search.Query{Query: text(query), Root: new(text("night trains")), Perspectives: []search.Text{text("money")}, Method: "rerank", K: 7, Hybrid: &search.Hybrid{}}
	one, err := native.Search(ctx, gated)
	other, otherErr := wasm.Search(ctx, gated)
	if a, b := marshal(t, one, err), marshal(t, other, otherErr); !bytes.Equal(a, b) {
		t.Errorf("gated: native and wasm differ:\n%s\n%s", a, b)
	}
	for _, fusion := range append(search.Fusions(), "") {
		for _, weight := range []*float64{nil, number(0), number(0.3), number(1)} {
			q := search.Query{Query: text(query), K: 7, CosineRank: true, Hybrid: &search.Hybrid{Fusion: fusion, Weight: weight}}
			got, err := native.Search(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			inWasm, err := wasm.Search(ctx, q)
			if a, b := marshal(t, got, nil), marshal(t, inWasm, err); !bytes.Equal(a, b) {
				t.Errorf("%s: native and wasm differ:\n%s\n%s", fusion, a, b)
			}
			if len(got.Hits) != 7 || got.Hybrid == "" {
				t.Fatalf("%s: %d hits of %q", fusion, len(got.Hits), got.Hybrid)
			}
			for i, h := range got.Hits {
				at := slices.IndexFunc(byWords, func(w lexical.Hit) bool { return int(w.Document) == h.Index })
				if h.Lexical.Rank != at+1 || at >= 0 && h.Lexical.Score != float32(byWords[at].Score) {
					t.Errorf("%s: hit %d: %+v, BM25 has it at %d", fusion, i, *h.Lexical, at+1)
				}
				if h.Text == "" || h.Explain.CosineRank == 0 || i > 0 && h.Score > got.Hits[i-1].Score {
					t.Errorf("%s: hit %d: %+v", fusion, i, h)
				}
			}
			switch {
			case weight == nil:
			case *weight == 0:
				plain, err := native.Search(ctx, search.Query{Query: text(query), K: 7})
				if err != nil || !slices.Equal(indexes(got), indexes(plain)) {
					t.Errorf("%s: vectors alone give %d, %d without fusion (%v)", fusion, indexes(got), indexes(plain), err)
				}
			case *weight == 1:
				for i, document := range indexes(got) {
					if document != byWords[i].Document {
						t.Errorf("%s: words alone give %d, BM25 %v", fusion, indexes(got), byWords[:7])
						break
					}
				}
			}
		}
	}
}

// More hits than 32 bits can count are wanted: both engines give all that there are.
func TestManyHits(t *testing.T) {
	dir, _ := worded(t)
	native, wasm := both(t, dir)
	for _, k := range []int{1<<32 + 2, math.MaxInt} {
		for name, q := range map[string]search.Query{
			"vectors": {Method: "none"},
			"words":   {Method: search.MethodWords},
			"hybrid":  {Hybrid: &search.Hybrid{}},
		} {
			q.Query, q.K = text("night trains"), k
			want, err := native.Search(t.Context(), q)
			if err != nil || len(want.Hits) < 3 {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := wasm.Search(t.Context(), q)
			if a, b := marshal(t, want, nil), marshal(t, got, err); !bytes.Equal(a, b) {
				t.Errorf("k = %d, %s: %d hits natively, which differ from wasm's (%v)", k, name, len(want.Hits), err)
			}
		}
	}
}

func TestHybridKeepsFilters(t *testing.T) {
	dir, _ := worded(t)
	native, _ := both(t, dir)
	filter, err := search.ParseFilter("stance=oppose")
	if err != nil {
		t.Fatal(err)
	}
	r, err := native.Search(context.Background(), search.Query{Query: text("night trains"), K: 300, Filters: []search.Filter{filter}, Hybrid: &search.Hybrid{}})
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := native.Search(context.Background(), search.Query{Query: text("night trains"), K: 1000, Filters: []search.Filter{filter}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) < 100 {
		t.Errorf("%d hits", len(r.Hits))
	}
	for _, document := range indexes(r) {
		if !slices.Contains(indexes(allowed), document) {
			t.Errorf("document %d does not pass the filter", document)
		}
	}
}

// Concurrent queries all find their words, regardless of which one loads a file.
func TestHybridTogether(t *testing.T) {
	dir, direct := worded(t)
	native, _ := both(t, dir)
	var group sync.WaitGroup
	for _, query := range []string{"night trains", "school uniforms", "homework", "four-day week", "bicycle helmets", "daylight saving"} {
		group.Go(func() {
			r, err := native.Search(context.Background(), search.Query{Query: text(query), K: 5, Hybrid: &search.Hybrid{Weight: number(1)}})
			want, _ := direct.Search(lexical.Query{Text: query, K: 1})
			if err != nil || len(want) == 0 || r.Hits[0].Index != int(want[0].Document) {
				t.Errorf("%q: %v, want %v", query, err, want)
			}
		})
	}
	group.Wait()
}

func TestHybridRefuses(t *testing.T) {
	ctx := context.Background()
	dir, _ := worded(t)
	native, _ := both(t, dir)
	for want, q := range map[string]search.Query{
		"mmr or hybrid":      {Query: text("x"), MMR: number(0.5), Hybrid: &search.Hybrid{}},
		"between 0":          {Query: text("x"), Hybrid: &search.Hybrid{Weight: number(1.5)}},
		`"best"`:             {Query: text("x"), Hybrid: &search.Hybrid{Fusion: "best"}},
		"has no text":        {Query: search.Text{Vector: make([]float32, 256)}, Hybrid: &search.Hybrid{}},
		"must be at least 1": {Query: text("x"), K: -1, Hybrid: &search.Hybrid{}},
	} {
		if _, err := native.Search(ctx, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := native.Rerank(ctx, search.Query{Query: text("x"), Hybrid: &search.Hybrid{}}, []string{"a"}); err == nil {
		t.Error("rerank takes hybrid")
	}
	plain, _ := both(t, debates(t, shard.I8))
	if _, err := plain.Search(ctx, search.Query{Query: text("x"), Hybrid: &search.Hybrid{}}); !errors.Is(err, search.ErrNoTerms) {
		t.Errorf("without an inverted index: %v", err)
	}
}

// Searches by words alone give the same answer natively, in wasm, and from an inverted
// index that is made directly.
func TestWordsAlone(t *testing.T) {
	ctx := context.Background()
	dir, direct := worded(t)
	native, wasm := both(t, dir)
	filter, err := search.ParseFilter("stance=oppose")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []search.Query{
		{Query: text("Night trains deserve public subsidy"), Method: search.MethodWords, K: 20},
		{Query: text("night trains"), Method: search.MethodWords, K: 5, Filters: []search.Filter{filter}},
		{Query: text("zyzzyva"), Method: search.MethodWords},
	} {
		got, err := native.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		inWasm, err := wasm.Search(ctx, q)
		if a, b := marshal(t, got, nil), marshal(t, inWasm, err); !bytes.Equal(a, b) {
			t.Errorf("native and wasm differ:\n%s\n%s", a, b)
		}
		if got.Notice != "" || got.Method != "bm25" || bytes.Contains(marshal(t, got, nil), []byte(`"explain"`)) {
			t.Errorf("%+v", got)
		}
		if len(q.Filters) > 0 {
			if len(got.Hits) != 5 {
				t.Errorf("%d hits pass the filter", len(got.Hits))
			}
			continue
		}
		want, err := direct.Search(lexical.Query{Text: q.Query.Text, K: 20})
		if err != nil || len(got.Hits) != min(len(want), got.K) {
			t.Fatalf("%d hits, want %d (%v)", len(got.Hits), len(want), err)
		}
		for i, h := range got.Hits {
			if uint32(h.Index) != want[i].Document || h.Score != float32(want[i].Score) || h.Lexical.Rank != i+1 {
				t.Errorf("hit %d: %+v, want %v", i, h, want[i])
			}
		}
	}
	for want, q := range map[string]search.Query{
		"leave hybrid": {Query: text("x"), Method: search.MethodWords, Hybrid: &search.Hybrid{}},
		"leave mmr":    {Query: text("x"), Method: search.MethodWords, MMR: number(0.5)},
		"has no text":  {Query: search.Text{Vector: make([]float32, 256)}, Method: search.MethodWords},
	} {
		if _, err := native.Search(ctx, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
