package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// If no method is asked for, the kind of perspective decides, by the encoder's table or
// else the default one. The answer says what was chosen, and it is the one that asking
// for just that gives, natively and in the core.
func TestAuto(t *testing.T) {
	type chosen struct {
		kind, method     string
		lambda, strength float64
	}
	place := text("Find something about Japan related to the argument: " + walked)
	side := text("arguments against")
	given := []search.Text{{Vector: []float32{31: 1}}}
	for name, table := range map[string]struct {
		lines []string
		asked map[string]search.Query
		want  map[string]chosen
	}{
		"default": {nil, map[string]search.Query{
			"stance": {Query: text(askAgainst)}, "auto": {Query: text(askAgainst), Method: "AUTO"}, "place": {Query: place},
			"nothing": {Query: text("the king")}, "λ": {Query: text(askAgainst), Lambda: number(0.5)},
			"strength":  {Query: text(askAgainst), Strength: number(1)},
			"root":      {Query: text("the king in snow"), Root: new(text("the king"))},
			"vector":    {Query: text(askAgainst), Root: new(text(walked)), Perspectives: given},
			"no root":   {Query: text(askAgainst), Perspectives: []search.Text{side}},
			"opposites": {Query: text("the man"), Root: new(text(walked)), Perspectives: []search.Text{text("in the night")}, Opposites: &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}},
			"two sides": {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{side, text("a claim that supports")}},
			"two kinds": {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{side, text("something about Japan")}},
			"filtered":  {Query: text(askFor), Hybrid: &search.Hybrid{}},
		}, map[string]chosen{
			"stance": {"stance", "contrast", 1, .2}, "auto": {"stance", "contrast", 1, .2}, "place": {"place", "tri-sum", 1, 0},
			"nothing": {"", "none", 1, 0}, "λ": {"", "pap+", .5, 0}, "strength": {"stance", "contrast", 1, 1}, "root": {"", "none", 1, 0},
			"vector": {"free", "tri-sum", 1, 0}, "no root": {"stance", "none", 1, 0}, "opposites": {"stance", "contrast", 1, .2},
			"two sides": {"stance", "tri-sum", 1, 0}, "two kinds": {"free", "tri-sum", 1, 0}, "filtered": {"stance", "contrast", 1, .2},
		}},
		"own": {[]string{"place pap -0.5", "stance aspect 0.1"}, map[string]search.Query{
			"stance": {Query: text(askAgainst)}, "place": {Query: place}, "other": {Query: text("Find a forecast with regard to the claim: " + walked)},
		}, map[string]chosen{
			"stance": {"stance", "aspect", 1, .1}, "place": {"place", "pap", -.5, 0}, "other": {"time", "none", 1, 0},
		}},
	} {
		dir, texts := heard(t, hearingBy(t, table.lines), shard.I8)
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
		}
	}
}

// A collection without angles never chooses a method that needs them.
func TestAutoWithoutAngles(t *testing.T) {
	native, _ := both(t, debates(t, shard.I8), WithInstances(1))
	for _, query := range []string{askFor, askAgainst} {
		if r, err := native.Search(t.Context(), search.Query{Query: text(query)}); err != nil || r.Method != "tri-sum" || r.Kind != "stance" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A table that is no table is an error that names it, and methods still work by name.
func TestAutoBadTable(t *testing.T) {
	dir, _ := heard(t, hearingBy(t, []string{"stance magic 1"}), shard.I8)
	native, _ := both(t, dir, WithInstances(1))
	if _, err := native.Search(t.Context(), search.Query{Query: text(askFor)}); err == nil || !strings.Contains(err.Error(), `"stance magic 1": unknown method`) {
		t.Error(err)
	}
	if _, err := native.Search(t.Context(), search.Query{Query: text(askFor), Method: "pap+"}); err != nil {
		t.Error(err)
	}
}
