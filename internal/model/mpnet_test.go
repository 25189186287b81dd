package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// mpnetGolden is a folder of an MPNet, and what sentence-transformers gives for texts (testdata/mpnet/golden.py).
type mpnetGolden struct {
	Files   map[string]json.RawMessage
	Shapes  map[string][]int
	Texts   []string
	IDs     [][]uint32
	Pair    []uint32 // ids of the first two texts together
	Vectors [][]float32
}

// write lays the folder out.
func (g *mpnetGolden) write(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range g.Files {
		var text string
		if json.Unmarshal(content, &text) == nil {
			content = json.RawMessage(text)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writeFormula(t, dir, g.Shapes)
	return dir
}

// MPNet gives the ids and the vectors of sentence-transformers, for texts up to the limit, in one batch and alone, and the same
// bits with any number of threads.
func TestGoldenMPNet(t *testing.T) {
	var golden []mpnetGolden
	jsonfile.Read(t, "testdata/mpnet/golden.json", &golden)
	for i, g := range golden {
		dir := g.write(t)
		tokens, err := tokenizer.Open(dir)
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		if pair, _, _ := tokens.FramePair(tokens.Encode(nil, g.Texts[0]), tokens.Encode(nil, g.Texts[1]), 0); !slices.Equal(pair, g.Pair) {
			t.Errorf("case %d: a pair's ids %v, want %v", i, pair, g.Pair)
		}
		for _, threads := range []int{1, 2, 4, 8} {
			e := mustOpen(t, dir, Options{Threads: threads})
			together := embed(t, e, encoder.Options{}, g.Texts...)
			for j, text := range g.Texts {
				name := fmt.Sprintf("case %d, text %d", i, j)
				if ids, _ := tokens.Frame(tokens.Encode(nil, text), e.Info().MaxLength); !slices.Equal(ids, g.IDs[j]) {
					t.Errorf("%s: ids %v, want %v", name, ids, g.IDs[j])
					continue
				}
				compare(t, name, together[j].Vector, g.Vectors[j], 1e-5)
				if alone := embed(t, e, encoder.Options{}, text); !slices.Equal(alone[0].Vector, together[j].Vector) {
					t.Errorf("%s, %d threads: another vector alone", name, threads)
				}
			}
		}
	}
}

// What the reference library ignores in a configuration changes nothing. What no MPNet has is an error that names it.
func TestMPNetConfig(t *testing.T) {
	config := func(key string, value any) map[string]any {
		c := modeltest.Small.MPNetConfig()
		c[key] = value
		return map[string]any{"config.json": c}
	}
	good := t.TempDir()
	if err := modeltest.Small.WriteMPNet(good, 1); err != nil {
		t.Fatal(err)
	}
	changed := func(files map[string]any) string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		for name := range files {
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if err := modeltest.WriteJSON(dir, files); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	const text = "night trains help the people that work"
	want := embed(t, mustOpen(t, good, Options{}), encoder.Options{}, text)[0].Vector
	absent := config("x", nil)
	delete(absent["config.json"].(modeltest.Object), "relative_attention_num_buckets")
	for name, files := range map[string]map[string]any{
		"no number of buckets": absent,
		"another padding id":   config("pad_token_id", 0),
		"token types":          config("type_vocab_size", 2),
		"a greatest distance":  config("relative_attention_max_distance", 5),
		"a decoder":            config("is_decoder", true),
	} {
		if got := embed(t, mustOpen(t, changed(files), Options{}), encoder.Options{}, text)[0].Vector; !slices.Equal(got, want) {
			t.Errorf("%s: another vector", name)
		}
	}
	for name, c := range map[string]struct {
		files map[string]any
		want  string
	}{
		"no buckets":            {config("relative_attention_num_buckets", 0), "relative_attention_num_buckets is 0, MPNet uses 32"},
		"few buckets":           {config("relative_attention_num_buckets", 31), "the number of relative positions is 31 in the configuration, MPNet uses 32"},
		"negative buckets":      {config("relative_attention_num_buckets", -1), "the number of relative positions is -1"},
		"buckets without end":   {config("relative_attention_num_buckets", 1<<40), "the number of relative positions is 1099511627776"},
		"more buckets":          {config("relative_attention_num_buckets", 33), `tensor "encoder.relative_attention_bias.weight" is [32 × 4], the configuration asks for [33 × 4]`},
		"other heads":           {config("num_attention_heads", 8), `tensor "encoder.relative_attention_bias.weight" is [32 × 4], the configuration asks for [32 × 8]`},
		"more positions":        {config("max_position_embeddings", 1<<24), `tensor "embeddings.position_embeddings.weight" is [64 × 32]`},
		"no room for positions": {config("max_position_embeddings", 2), "the first position is 2 of 2"},
		"alibi":                 {config("position_embedding_type", "alibi"), `"alibi" is not supported`},
		"ColBERT":               {map[string]any{"artifact.metadata": modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16}}, "architecture mpnet is not supported"},
	} {
		e, err := Open(t.Context(), changed(c.files), Options{})
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	bert := t.TempDir()
	if err := modeltest.Small.Write(bert, 1); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(bert, config("x", nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), bert, Options{}); err == nil || !strings.Contains(err.Error(), `no tensor "encoder.relative_attention_bias.weight"`) ||
		!strings.Contains(err.Error(), `no tensor "encoder.layer.1.attention.attn.q.weight"`) {
		t.Errorf("BERT's tensors: %v", err)
	}
	tensors := modeltest.Small.MPNet(1)
	tensors.Damage("encoder.relative_attention_bias.weight", 5, float32(math.Inf(-1)))
	if err := tensors.Write(filepath.Join(good, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), good, Options{})
	if found, ok := errors.AsType[*transformer.NonFiniteError](err); !ok || found.Name != "encoder.relative_attention_bias.weight" || found.Index != 5 {
		t.Errorf("an infinite bias: %v", err)
	}
}
