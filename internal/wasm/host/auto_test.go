package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// If no method is asked for, the kind of perspective decides, by the encoder's table or
// else the default one. The answer, the same natively and in the core, says what was
// chosen, and a query that asks for it by name gets the same.
func TestAuto(t *testing.T) {
	type chosen struct {
		kind, method     string
		lambda, strength float64
		words            float64 // weight in the fusion, 0 for none
	}
	place := text("Find something about Japan related to the argument: " + walked)
	side := text("arguments against")
	vector := []float32{31: 1}
	given := []search.Text{{Vector: vector}}
	filter, err := search.ParseFilter("third=1")
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]struct {
		lines []string
		asked map[string]search.Query
		want  map[string]chosen
	}{
		"default": {nil, map[string]search.Query{
			"stance": {Query: text(askAgainst)}, "auto": {Query: text(askAgainst), Method: "AUTO"}, "place": {Query: place},
			"nothing": {Query: text("the king")}, "by vector": {Query: search.Text{Vector: vector}}, "diversified": {Query: text("the king"), MMR: number(.5)},
			"vector and words": {Query: search.Text{Text: "the king", Vector: vector}}, "one row": {Query: text("the king"), K: 1, CosineRank: true},
			"analogy": {Query: text("Find a story that is an analogy to: " + walked), Root: new(text(walked)), Perspectives: []search.Text{text("an analogy")}}, "λ": {Query: text(askAgainst), Lambda: number(0.5)},
			"λ alone":   {Query: text("the king"), Lambda: number(0.5)},
			"strength":  {Query: text(askAgainst), Strength: number(1)},
			"root":      {Query: text("the king in snow"), Root: new(text("the king"))},
			"vector":    {Query: text(askAgainst), Root: new(text(walked)), Perspectives: given},
			"no root":   {Query: text(askAgainst), Perspectives: []search.Text{side}},
			"opposites": {Query: text("the man"), Root: new(text(walked)), Perspectives: []search.Text{text("in the night")}, Opposites: &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}},
			"opposites as vectors": {
				Query: search.Text{Vector: vector}, Root: &search.Text{Vector: vector},
				Opposites: &search.Opposites{Wanted: search.Text{Vector: []float32{9: 1}}, Other: search.Text{Vector: []float32{2, 0, 0, 1, 9: 0}}},
			},
			"two sides": {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{side, text("a claim that supports")}},
			"two kinds": {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{side, text("something about Japan")}},
			"filtered":  {Query: text("the king"), Filters: []search.Filter{filter}},
			"by ranks":  {Query: text(askFor), Hybrid: &search.Hybrid{}},
		}, map[string]chosen{
			"stance": {kind: "stance", method: "contrast", lambda: 1, strength: .4}, "auto": {kind: "stance", method: "contrast", lambda: 1, strength: .4},
			"place": {kind: "place", method: "tri-sum", lambda: 1}, "nothing": {method: "none", lambda: 1, words: .3}, "one row": {method: "none", lambda: 1, words: .3},
			"by vector": {method: "none", lambda: 1}, "diversified": {method: "none", lambda: 1}, "vector and words": {method: "none", lambda: 1, words: .3},
			"filtered": {method: "none", lambda: 1, words: .3}, "analogy": {kind: "analogy", method: "root", lambda: 1, words: .6},
			"λ": {method: "pap+", lambda: .5}, "λ alone": {method: "none", lambda: .5}, "strength": {kind: "stance", method: "contrast", lambda: 1, strength: 1},
			"root": {method: "none", lambda: 1, words: .3}, "vector": {kind: "free", method: "tri-sum", lambda: 1}, "no root": {kind: "stance", method: "none", lambda: 1},
			"opposites": {method: "contrast", lambda: 1, strength: .3}, "opposites as vectors": {method: "contrast", lambda: 1, strength: .3}, "two sides": {kind: "stance", method: "tri-sum", lambda: 1},
			"two kinds": {kind: "free", method: "tri-sum", lambda: 1}, "by ranks": {kind: "stance", method: "contrast", lambda: 1, strength: .4},
		}},
		"own": {[]string{"place pap -0.5 hybrid", "stance aspect 0.1"}, map[string]search.Query{
			"stance": {Query: text(askAgainst)}, "place": {Query: place}, "other": {Query: text("Find a forecast with regard to the claim: " + walked)},
			"nothing": {Query: text("the king")},
		}, map[string]chosen{
			"stance": {kind: "stance", method: "aspect", lambda: 1, strength: .1}, "place": {kind: "place", method: "pap", lambda: -.5, words: .3},
			"other": {kind: "time", method: "none", lambda: 1}, "nothing": {method: "none", lambda: 1},
		}},
	} {
		dir, texts := sidesCollection(t, sidesPackBy(t, table.lines), shard.I8)
		native, wasm := both(t, dir, WithInstances(1))
		for query, want := range table.want {
			q := table.asked[query]
			got, err := native.Search(t.Context(), q)
			inCore, wasmErr := wasm.Search(t.Context(), q)
			if a, b := marshal(t, got, err), marshal(t, inCore, wasmErr); err != nil || !bytes.Equal(a, b) {
				t.Fatalf("%s, %s: natively\n%s\nin the core\n%s", name, query, a, b)
			}
			if got.Kind != want.kind || got.Method != want.method || got.Lambda != float32(want.lambda) || got.Strength != float32(want.strength) {
				t.Errorf("%s, %s: kind %q, method %s, λ %g, strength %g, want %+v", name, query, got.Kind, got.Method, got.Lambda, got.Strength, want)
			}
			q.Method, q.Lambda, q.Strength = want.method, &want.lambda, &want.strength
			if want.words > 0 {
				q.Hybrid = &search.Hybrid{Fusion: "min-max", Weight: &want.words}
			}
			if (got.Hybrid != "") != (q.Hybrid != nil) {
				t.Errorf("%s, %s: fused by %q", name, query, got.Hybrid)
			}
			asked, err := native.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			asked.Kind = got.Kind
			if a, b := marshal(t, got, nil), marshal(t, asked, nil); !bytes.Equal(a, b) {
				t.Errorf("%s, %s: chosen\n%s\nasked for\n%s", name, query, a, b)
			}
		}
		if name == "default" {
			r, err := native.Rerank(t.Context(), search.Query{Query: text(askFor)}, texts)
			if err != nil || r.Method != "contrast" || r.Kind != "stance" {
				t.Errorf("reranked by %+v, %v", r, err)
			}
			r, err = native.Rerank(t.Context(), search.Query{Query: text("the king")}, texts)
			if err != nil || r.Method != "none" || r.Hybrid != "" {
				t.Errorf("without a perspective, reranked by %+v, %v", r, err)
			}
		}
	}
}

// A query that names opposites and no method is ranked by contrast, or says why it cannot be. So does one that sets λ, or
// names a method that does not compare them.
func TestOppositesAreCompared(t *testing.T) {
	const excluded = "opposites are compared by the method contrast, without lambda: leave out the opposites, or method and lambda"
	opposites := &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}
	dir, texts := sidesCollection(t, sidesPack(t), shard.I8)
	native, wasm := both(t, dir, WithInstances(1))
	plain, plainCore := both(t, debates(t, shard.I8), WithInstances(1))
	for name, c := range map[string]struct {
		native, wasm *search.Collection
		asked        search.Query
		says         string
	}{
		"no root":      {native, wasm, search.Query{Query: text("the man")}, "method contrast asks the root for each of two opposite sides"},
		"root, vector": {native, wasm, search.Query{Query: text("the man"), Root: &search.Text{Vector: make([]float32, 32)}}, "method contrast asks the root for each of two opposite sides"},
		"λ":            {native, wasm, search.Query{Query: text("the man"), Root: new(text(walked)), Lambda: new(.5)}, excluded},
		"none":         {native, wasm, search.Query{Query: text("the man"), Root: new(text(walked)), Method: "none"}, excluded},
		"words":        {native, wasm, search.Query{Query: text("the man"), Root: new(text(walked)), Method: "BM25"}, excluded},
		"unknown":      {native, wasm, search.Query{Query: text("the man"), Root: new(text(walked)), Method: "magic"}, "unknown method"},
		"no angles":    {plain, plainCore, search.Query{Query: text("the man"), Root: new(text(walked)), Method: "auto"}, "method contrast needs the angles of passages, and the collection has none"},
	} {
		c.asked.Opposites = opposites
		for _, collection := range []*search.Collection{c.native, c.wasm} {
			if r, err := collection.Search(t.Context(), c.asked); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
	}
	if r, err := native.Rerank(t.Context(), search.Query{Query: text("the man"), Opposites: opposites}, texts[:2]); fault.Of(err) != fault.Query {
		t.Errorf("reranked without a root: %+v, %v", r, err)
	}
	if r, err := native.Rerank(t.Context(), search.Query{Query: text("the man"), Root: new(text(walked)), Opposites: opposites, Method: "Contrast", Lambda: new(1.)}, texts[:2]); err != nil || r.Method != "contrast" && r.Method != "Contrast" {
		t.Errorf("reranked by contrast: %+v, %v", r, err)
	}
}

// A collection without angles never chooses a method that needs them, nor words without an
// inverted index.
func TestAutoWithoutAngles(t *testing.T) {
	native, _ := both(t, debates(t, shard.I8), WithInstances(1))
	for _, query := range []string{askFor, askAgainst} {
		if r, err := native.Search(t.Context(), search.Query{Query: text(query)}); err != nil || r.Method != "tri-sum" || r.Kind != "stance" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if r, err := native.Search(t.Context(), search.Query{Query: text("night trains")}); err != nil || r.Method != "none" || r.Hybrid != "" || r.Hits[0].Lexical != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// A malformed table is an error that names it, and queries that name a method still work.
func TestAutoBadTable(t *testing.T) {
	dir, _ := sidesCollection(t, sidesPackBy(t, []string{"stance magic 1"}), shard.I8)
	native, _ := both(t, dir, WithInstances(1))
	if _, err := native.Search(t.Context(), search.Query{Query: text(askFor)}); err == nil || !strings.Contains(err.Error(), `"stance magic 1": unknown method`) {
		t.Error(err)
	}
	if _, err := native.Search(t.Context(), search.Query{Query: text(askFor), Method: "pap+"}); err != nil {
		t.Error(err)
	}
}
