package vectors

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func source(t *testing.T, lines string) *texts.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := texts.Open(path, "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func static(t *testing.T) encoder.Encoder {
	t.Helper()
	e, err := model.Open(t.Context(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Files of .npy and .safetensors are read back with the same vectors. JSON lines have the id
// and a vector of each text.
func TestEmbed(t *testing.T) {
	e := static(t)
	want, err := e.Encode(t.Context(), []string{"a bridge over the river", "the ferry"}, encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"out.npy", "out.safetensors", "out.jsonl"} {
		path := filepath.Join(dir, name)
		r, err := Embed(t.Context(), e, source(t, `{"_id": "1", "text": "a bridge over the river"}`+"\n"+`{"text": "the ferry"}`), path, encoder.Options{}, nil)
		if err != nil || r.Texts != 2 || r.Tokens != int64(want[0].Tokens+want[1].Tokens) || r.Model.Dim != e.Info().Dim {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		if strings.HasSuffix(name, ".jsonl") {
			content, err := os.ReadFile(path)
			if err != nil || bytes.Count(content, []byte("\n")) != 2 || !bytes.HasPrefix(content, []byte(`{"_id":"1","vector":[`)) {
				t.Errorf("%.80s (%v)", content, err)
			}
			continue
		}
		v, err := Read(path, "")
		if err != nil || v.Dim != e.Info().Dim || len(v.Data) != 2*v.Dim {
			t.Fatalf("%s: %v", name, err)
		}
		for i, x := range append(append([]float32{}, want[0].Vector...), want[1].Vector...) {
			if v.Data[i] != x {
				t.Fatalf("%s: number %d is %v, want %v", name, i, v.Data[i], x)
			}
		}
	}
}

// A failed run leaves the old file and no other files.
func TestEmbedFails(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string]string{"out.npy": "", "out.safetensors": `{"_id": "a\nb", "text": "x"}`, "out.jsonl": `{"text": "x"}` + "\n{}"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Embed(t.Context(), static(t), source(t, lines), path, encoder.Options{}, nil); !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", name, err)
		}
		if content, err := os.ReadFile(path); err != nil || string(content) != "before" {
			t.Errorf("%s: %q (%v)", name, content, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%v (%v)", entries, err)
	}
	for output, ok := range map[string]bool{"-": true, "a.npy": true, "a.NPY": true, "a.json": true, "a.txt": false, "a": false} {
		if err := CheckOutput(output); (err == nil) != ok {
			t.Errorf("%s: %v", output, err)
		}
	}
}
