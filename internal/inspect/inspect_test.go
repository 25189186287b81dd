package inspect

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/packs"
)

// written is a folder with a collection of three documents with fields of all types.
func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "c")
	documents := func(yield func(vantage.Document, error) bool) {
		for i, topic := range []string{"food", "food", "a topic\nwith a name of more than forty characters in it"} {
			metadata := map[string]any{"topic": topic, "year": 2000 + i, "good": i > 0}
			if !yield(vantage.Document{ID: string(rune('a' + i)), Text: "text", Metadata: metadata}, nil) {
				return
			}
		}
	}
	_, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Name: "Three\x1b[31m", Words: true, Quantize: "f32", Vectors: &vantage.Vectors{
		Model: vantage.Model{ID: "mine", Revision: "7", Language: "en"}, Dim: 2, Data: []float32{1, 0, 0, 1, 1, 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func inspected(t *testing.T, dir string, verify bool) (r *Report, text string, faults error) {
	t.Helper()
	c, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, faults, err = Collection(t.Context(), c, verify)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := r.Print(&printed); err != nil {
		t.Fatal(err)
	}
	return r, printed.String(), faults
}

// A collection is described line by line. A line break in a text of the corpus starts no
// line.
func TestPrint(t *testing.T) {
	dir := written(t)
	r, text, faults := inspected(t, dir, false)
	if faults != nil || r.Verified {
		t.Errorf("%+v: %v", r, faults)
	}
	for _, line := range []string{
		"collection  " + dir,
		"documents   3",
		"vectors     3 × 2 F32",
		"model       mine@7, external, English only",
		"encoding    not known",
		"field       topic: string, 3 documents, 2 values: food (2), a topic with a name of more than forty …",
		"field       year: number, 3 documents, from 2000 to 2002",
		"field       good: bool, 3 documents, true (2), false (1)",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) < 13 || strings.Contains(line, "\x1b") || strings.Contains(line, "verified") {
			t.Errorf("a line %q", line)
		}
	}
}

// The encoding of a model is described as far as it is known.
func TestEncodingOf(t *testing.T) {
	m := vantage.Model{Architecture: "bert", Pooling: "cls", Normalize: true, MaxLength: 512, Int8: true, BF16: true, Prompts: map[string]string{"query": "q: ", "document": "d: "}}
	if got, want := encodingOf(m), `bert, cls pooling, normalised, at most 512 tokens, weights of 8 bits, computed in bfloat16, document prompt "d: ", query prompt "q: "`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var many []vantage.Field
	if err := json.Unmarshal([]byte(`[{"type":"string","documents":7,"values":[{"value":"a","documents":1},{"value":"b","documents":1},{"value":"c","documents":1},
		{"value":"d","documents":1},{"value":"e","documents":1},{"value":"f","documents":1},{"value":"g","documents":1}]},{"type":"number"}]`), &many); err != nil {
		t.Fatal(err)
	}
	if got := fieldText(&many[0]); !strings.HasSuffix(got, "7 values: a (1), b (1), c (1), d (1), e (1), f (1), …") {
		t.Error(got)
	}
	if got := fieldText(&many[1]); got != "number, without values" {
		t.Error(got)
	}
}

// A pack is described with its layers, its licence and its branch. A check finds damage to it.
func TestPack(t *testing.T) {
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	e, err := packs.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "c")
	if _, err := vantage.Index(t.Context(), func(yield func(vantage.Document, error) bool) { yield(vantage.Document{ID: "a", Text: "the cat"}, nil) }, dir,
		vantage.IndexOptions{Encoder: e}); err != nil {
		t.Fatal(err)
	}
	r, text, faults := inspected(t, dir, true)
	if faults != nil || r.Pack == nil || r.Pack.Revision != e.Model().Revision || r.Pack.AngleBytes == 0 || r.Pack.AngleMemory == 0 {
		t.Errorf("%+v: %v", r.Pack, faults)
	}
	for _, line := range []string{"model       test@" + r.Pack.Revision + ", pack, ", "angles      1 × 10 I8", "licence not stated, 2 layers, ", "; its branch "} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	paths, err := filepath.Glob(filepath.Join(dir, "encoder", "*.json"))
	if err != nil || len(paths) != 1 || os.Truncate(paths[0], 9) != nil {
		t.Fatal(paths, err)
	}
	if r, _, faults := inspected(t, dir, true); r.Pack != nil || !strings.Contains(faults.Error(), filepath.Base(paths[0])) {
		t.Errorf("%+v: %v", r.Pack, faults)
	}
}

// A check finds damage. There is a report, and it names each damaged file once.
func TestVerify(t *testing.T) {
	dir := written(t)
	if r, text, faults := inspected(t, dir, true); faults != nil || !r.Verified || !strings.Contains(text, "verified    every file is as it should be\n") {
		t.Errorf("%v\n%s", faults, text)
	}
	columns, err := filepath.Glob(filepath.Join(dir, "columns", "*"))
	if err != nil || len(columns) != 1 {
		t.Fatal(columns, err)
	}
	if err := os.Truncate(columns[0], 9); err != nil {
		t.Fatal(err)
	}
	r, text, faults := inspected(t, dir, true)
	if fault.Of(faults) != fault.Input || strings.Count(faults.Error(), "columns/") != 1 || !strings.HasPrefix(faults.Error(), dir) || len(r.Faults) != 1 {
		t.Errorf("%v of %q", faults, r.Faults)
	}
	if !strings.Contains(text, "verified    1 fault\n") || r.Documents != 3 {
		t.Error(text)
	}
	// Without a check, fields that cannot be read are an error, and there is no report.
	c, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if r, _, err := Collection(t.Context(), c, false); r != nil || !errors.Is(err, vantage.ErrIntegrity) || !strings.HasPrefix(err.Error(), dir) {
		t.Errorf("%+v, %v", r, err)
	}
}
