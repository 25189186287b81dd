package model

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/builtin"
)

// A static model of sentence-transformers that model2vec saved is one of Model2Vec's.
func TestStaticSavedAgain(t *testing.T) {
	f := builtin.Builtin()
	dir := t.TempDir()
	for name, content := range map[string][]byte{staticmodel.TokenizerFile: f.Tokenizer, staticmodel.WeightsFile: f.Weights,
		staticmodel.ConfigFile: []byte(`{"model_type": "SentenceTransformer", "prompts": {"query": ""}, "max_length": 4, "normalize": false, "embedding_dtype": "int8"}`),
		"modules.json":         []byte(`[{"idx": 0, "name": "0", "path": ".", "type": "sentence_transformers.models.StaticEmbedding"}]`)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := mustOpen(t, dir, Options{})
	if info := e.Info(); info.Pooling != "mean" || info.Normalize || info.MaxLength != 4 || info.Dim != mustOpen(t, Builtin, Options{}).Info().Dim {
		t.Errorf("%+v", info)
	}
	got := embed(t, e, encoder.Options{}, "night trains help people", "night trains help people and towns")
	if !got[1].Truncated || !slices.Equal(got[0].Vector, got[1].Vector) {
		t.Errorf("max_length 4 does not count: %+v", got)
	}
}

// The built-in model, and a folder with its files, work like other encoders.
func TestStatic(t *testing.T) {
	f := builtin.Builtin()
	dir := t.TempDir()
	for name, content := range map[string][]byte{staticmodel.TokenizerFile: f.Tokenizer, staticmodel.WeightsFile: f.Weights, staticmodel.ConfigFile: f.Config} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"night trains", "", "school uniforms"}
	for _, place := range []string{Builtin, dir} {
		e := mustOpen(t, place, Options{Threads: 2})
		if i := e.Info(); i.Revision != f.Revision || i.Dim != s.Dim() || i.Pooling != "mean" || !i.Normalize {
			t.Errorf("%+v", i)
		}
		for _, role := range []encoder.Role{encoder.NoRole, encoder.Query, encoder.Document, "passage"} {
			for i, got := range embed(t, e, encoder.Options{Role: role}, texts...) {
				want := make([]float32, s.Dim())
				if info := s.Encode(want, texts[i]); !slices.Equal(got.Vector, want) || got.Tokens != info.Tokens {
					t.Errorf("%s, %s: %q differs", place, role, texts[i])
				}
			}
		}
		if _, err := e.Encode(t.Context(), texts, encoder.Options{Role: "topic"}); err == nil {
			t.Error("a role that it cannot have")
		}
	}
	long := false
	v := embed(t, mustOpen(t, Builtin, Options{Normalize: &long}), encoder.Options{}, texts[0])[0].Vector
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	if math.Abs(squares-1) < 1e-3 {
		t.Error("normalised all the same")
	}
	for _, o := range []Options{{Pooling: CLS}, {MaxLength: 9}} {
		if _, err := Open(t.Context(), Builtin, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// A revision depends only on the files that decide the vectors, and not on their
// folder.
func TestRevision(t *testing.T) {
	a, b := folder(t, "m", nil), folder(t, "other", nil)
	of := func(dir string) string {
		t.Helper()
		return mustOpen(t, dir, Options{}).Info().Revision
	}
	first := of(a)
	if second := of(b); second != first || len(first) != 16 {
		t.Errorf("%q and %q of the same files", first, second)
	}
	if err := os.WriteFile(filepath.Join(b, "README.md"), []byte("a card"), 0o600); err != nil {
		t.Fatal(err)
	}
	if of(b) != first {
		t.Error("a card makes another model")
	}
	for _, name := range []string{"model.safetensors", "tokenizer.json", "1_Pooling/config.json"} {
		path := filepath.Join(b, filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := append(slices.Clone(content), ' ')
		if name == "model.safetensors" {
			changed = slices.Clone(content)
			changed[len(changed)-1] ^= 1
		}
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if of(b) == first {
			t.Errorf("%s changed, and the revision did not", name)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if i := mustOpen(t, a, Options{ID: "org/name", Revision: "c0ffee"}).Info(); i.ID != "org/name" || i.Revision != "c0ffee" {
		t.Errorf("%+v", i)
	}
}
