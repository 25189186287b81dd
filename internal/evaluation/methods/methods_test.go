package methods

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

func experiment(model, roots string) Experiment {
	return Experiment{Model: model, Roots: roots, Split: "test", Tests: compare.Tests{Rounds: 200, Seed: 1}, Encoding: retrieve.Encoding{Console: console.New(&bytes.Buffer{})}}
}

// The built-in encoder has no angles, so none of its candidates needs them. The table has
// every kind, and can be read.
func TestEvaluateStatic(t *testing.T) {
	e := experiment("static", pir.OddRoots)
	f, err := e.Evaluate(t.Context(), []string{"../../../examples/debates"})
	if err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, k := range f.Kinds {
		queries += k.Queries
		if !slices.IsSortedFunc(k.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Mean, a.Mean) }) {
			t.Errorf("%s: not best first: %+v", k.Kind, k.Candidates)
		}
		plainMean := 0.0
		for _, c := range k.Candidates {
			if m, err := perspective.Lookup(c.Method); err != nil || m.Angles > 0 || !(c.Mean >= 0 && c.Mean <= 1) {
				t.Errorf("%s: %+v, %v", k.Kind, c, err)
			}
			if c.Method == plain && !c.Hybrid {
				plainMean = c.Mean
			}
		}
		best := k.Candidates[0]
		if k.P <= Level && (k.Chosen.Method != best.Method || k.Margin != best.Mean-plainMean) || k.P > Level && k.Chosen.Method != f.Safest {
			t.Errorf("%s: p %g, best %+v, safest %s, chosen %v with %g", k.Kind, k.P, best, f.Safest, k.Chosen, k.Margin)
		}
	}
	if queries != f.Sets[0].Queries || queries != 104 {
		t.Errorf("%d queries of %+v", queries, f.Sets)
	}
	table, err := perspective.ParseChoices(f.Table)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range perspective.Kinds() {
		if c := table.Choose(kind, true, func(perspective.Method) bool { return true }); c.Kind != kind || !slices.ContainsFunc(table, func(x perspective.Choice) bool { return x == c }) {
			t.Errorf("%s has no line in %q", kind, f.Table)
		}
	}
	var text bytes.Buffer
	if err := report.Text(&text, f.Tables()...); err != nil || !strings.HasPrefix(text.String(), "stance: 48 queries\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if out, err := json.Marshal(f); err != nil || !bytes.Contains(out, []byte(`"auto":["none none","stance `)) {
		t.Errorf("%s, %v", out, err)
	}
}

// A kind whose only query no method can rank does not end the choice for the others.
func TestUnrankable(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl": "{\"_id\": \"a\", \"text\": \"night trains are good\"}\n{\"_id\": \"b\", \"text\": \"night trains are bad\"}\n",
		"queries.jsonl": "{\"_id\": \"1\", \"text\": \"日本\", \"root\": \"東京\", \"perspective\": \"京都\"}\n" +
			"{\"_id\": \"2\", \"text\": \"Find a claim that opposes the argument: night trains\", \"root\": \"night trains\", \"perspective\": \"a claim that opposes the argument\"}\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t1\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	e := experiment("static", pir.AllRoots)
	f, err := e.Evaluate(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Kinds) != 2 || f.Kinds[0].Candidates[0].Mean == 0 || f.Kinds[1].Candidates[0].Mean != 0 {
		t.Errorf("%+v", f.Kinds)
	}
}

// A significantly better candidate is chosen, and one that only seems better is not.
func TestChoose(t *testing.T) {
	values := func(better int) (plainValues, others []float64) {
		for i := range 40 {
			plainValues, others = append(plainValues, .5), append(others, .5)
			if i < better {
				others[i] = .9
			}
		}
		return plainValues, others
	}
	for better, want := range map[int]string{30: "stance contrast 0.4", 2: "stance tri-sum"} {
		base, best := values(better)
		k := &Kind{Kind: perspective.KindStance, Queries: 40, Candidates: []Candidate{
			{Choice: perspective.Choice{Kind: perspective.KindStance, Method: plain}, values: base},
			{Choice: perspective.Choice{Kind: perspective.KindStance, Method: sum}, values: slices.Concat([]float64{.51}, base[1:])},
			{Choice: perspective.Choice{Kind: perspective.KindStance, Method: "contrast", Strength: .4}, values: best},
		}}
		e := experiment("static", pir.AllRoots)
		f := &Figures{}
		if err := e.choose(f, map[perspective.Kind]*Kind{k.Kind: k}); err != nil {
			t.Fatal(err)
		}
		if f.Safest != sum || k.Chosen.String() != want || f.Table[0] != "none none" || f.Table[1] != want || f.Table[len(f.Table)-1] != "free tri-sum" {
			t.Errorf("%d better: %v at p %g, safest %s, table %q", better, k.Chosen, k.P, f.Safest, f.Table)
		}
	}
}

// Queries without a perspective have no method but the plain cosine, alone or beside words.
func TestEvaluateOrdinary(t *testing.T) {
	e := experiment("static", pir.AllRoots)
	f, err := e.Evaluate(t.Context(), []string{"testdata/ordinary"})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Kinds) != 1 || f.Kinds[0].Kind != perspective.KindNone || f.Kinds[0].Queries != 48 || len(f.Kinds[0].Candidates) != 3 {
		t.Fatalf("%+v", f.Kinds)
	}
	seen := map[string]float64{}
	for _, c := range f.Kinds[0].Candidates {
		seen[c.String()] = c.Mean
	}
	if a, b, c := seen["none none"], seen["none none hybrid"], seen["none none hybrid 0.6"]; !(a > 0 && b > 0 && c > 0) || a == b || b == c {
		t.Errorf("%v", seen)
	}
	if f.Table[0] != f.Kinds[0].Chosen.String() {
		t.Errorf("chosen %v, table %q", f.Kinds[0].Chosen, f.Table)
	}
}

// Perspectrum's claims are asked for both sides, and contrast is tried for them. The folder's name has brackets, which
// are a pattern in paths.
func TestEvaluatePerspectrum(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data[1]")
	if err := os.CopyFS(folder, os.DirFS("../sides/testdata/perspectrum")); err != nil {
		t.Fatal(err)
	}
	e := experiment(retrieve.BundledName, pir.AllRoots)
	f, err := e.Evaluate(t.Context(), []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Kinds) != 1 || f.Kinds[0].Kind != perspective.KindStance || f.Kinds[0].Queries < 2 || f.Kinds[0].Queries%2 != 0 ||
		!slices.ContainsFunc(f.Kinds[0].Candidates, func(c Candidate) bool { return c.Method == "contrast" && c.Mean > 0 }) {
		t.Errorf("%+v", f)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		e    Experiment
		data string
		want fault.Kind
	}{
		"no data":  {experiment("static", pir.AllRoots), t.TempDir() + "/none", fault.Input},
		"no task":  {experiment("static", pir.AllRoots), t.TempDir(), fault.Input},
		"no split": {Experiment{Model: "static", Split: "train", Tests: compare.Tests{Rounds: 1}}, "../sides/testdata/perspectrum", fault.Input},
		"rounds":   {Experiment{Model: "static"}, "../../../examples/debates", fault.Query},
		"model":    {experiment("./none", pir.AllRoots), "../sides/testdata/perspectrum", fault.Input},
		"bits":     {experiment("static,token-bits=4", pir.AllRoots), "../../../examples/debates", fault.Query},
		"options":  {experiment("static,pooling=cls", pir.AllRoots), "../sides/testdata/perspectrum", fault.Query},
	} {
		if _, err := c.e.Evaluate(t.Context(), []string{c.data}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := experiment("static", pir.AllRoots)
	if _, err := e.Evaluate(ctx, []string{"../../../examples/debates"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The model's own score counts, as in a search.
func TestScore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "bert")
	if err := modeltest.Write(folder, 1); err != nil {
		t.Fatal(err)
	}
	figures := func(option string) string {
		t.Helper()
		e := experiment(folder+option, pir.AllRoots)
		f, err := e.Evaluate(t.Context(), []string{"testdata/ordinary"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if err := modeltest.WriteJSON(folder, map[string]any{
		"modules.json": []modeltest.Object{ // vectors keep their lengths
			{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
		},
		"config_sentence_transformers.json": modeltest.Object{"similarity_fn_name": "dot"},
	}); err != nil {
		t.Fatal(err)
	}
	own, cosine := figures(""), figures(",score=cosine")
	if own == cosine || own != figures(",score=dot") {
		t.Errorf("by the model's own score\n%s\nby the cosine\n%s", own, cosine)
	}
}
