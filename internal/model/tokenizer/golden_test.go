package tokenizer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

type golden struct {
	Batches []struct {
		Texts  []string   `json:"texts"`
		Prompt string     `json:"prompt"`
		Max    int        `json:"max_length"`
		Cut    []bool     `json:"truncated"`
		IDs    [][]uint32 `json:"input_ids"`
		Mask   [][]int    `json:"attention_mask"`
	} `json:"batches"`

	// A ColBERT has these in place of batches.
	Queries, Docs []struct {
		Text string   `json:"text"`
		IDs  []uint32 `json:"input_ids"`
		Mask []int    `json:"attention_mask"`
	}
}

// The token ids equal those of the Rust library for the texts of every golden model, with
// tokenizer.json and with the older files in a folder without it.
func TestGolden(t *testing.T) {
	goldenDir := shared.Path(t, "data/golden")
	paths, err := filepath.Glob(filepath.Join(goldenDir, "*", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	nested, err := filepath.Glob(filepath.Join(goldenDir, "*", "*", "golden.json"))
	if err != nil || len(paths) == 0 || len(nested) == 0 {
		t.Fatal("no golden models", err)
	}
	for _, path := range append(paths, nested...) {
		dir := filepath.Dir(path)
		name, err := filepath.Rel(goldenDir, dir)
		if err != nil {
			t.Fatal(err)
		}
		var g golden
		jsonfile.Read(t, path, &g)
		t.Run(name, func(t *testing.T) { compare(t, dir, g) })
		t.Run(name+" without tokenizer.json", func(t *testing.T) {
			copied := t.TempDir()
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if e.IsDir() || e.Name() == "tokenizer.json" || strings.HasSuffix(e.Name(), ".safetensors") {
					continue
				}
				b, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err == nil {
					err = os.WriteFile(filepath.Join(copied, e.Name()), b, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			compare(t, copied, g)
		})
	}
}

func compare(t *testing.T, dir string, g golden) {
	t.Helper()
	tokens, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	late := slices.Concat(g.Queries, g.Docs)
	if len(g.Batches)+len(late) == 0 {
		t.Fatal("golden.json has no texts")
	}
	for _, text := range late {
		var want []uint32
		for i, id := range text.IDs {
			if text.Mask[i] == 1 {
				want = append(want, id)
			}
		}
		want = want[2 : len(want)-1] // without the beginning, the role's mark and the end, which the model adds
		got := tokens.Encode(nil, text.Text)
		if len(want)+3 == len(text.IDs) { // the text is cut off there
			got = got[:min(len(got), len(want))]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q: %d, want %d", text.Text, got, want)
		}
	}
	for _, b := range g.Batches {
		for i, text := range b.Texts {
			var want []uint32
			for j, id := range b.IDs[i] {
				if b.Mask[i][j] == 1 {
					want = append(want, id)
				}
			}
			got, cut := tokens.Frame(tokens.Encode(nil, b.Prompt+text), b.Max)
			if !slices.Equal(got, want) || b.Cut != nil && cut != b.Cut[i] {
				t.Errorf("%.60q: %d, cut %v\nwant %d, cut as in %v at %d", text, got, cut, want, b.Cut, i)
			}
		}
	}
}
