package command

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// sidesPack writes a pack of random weights with a branch into dir/pack.
func sidesPack(t *testing.T, dir string) {
	t.Helper()
	files, err := quantized.TinyPack(transformer.QuantizedConfig{Hidden: 32, Layers: 2, Heads: 2, Intermediate: 48, Positions: 40, Types: 2, Epsilon: 1e-12,
		Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 1, Out: 16}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range files {
		write(t, dir, filepath.Join("pack", filepath.FromSlash(path)), string(content))
	}
}

// Figures go to stdout as JSON, with the share of pairs in order as a number; faults of
// the call and of the files have the exit codes of other evaluations.
func TestEvalSides(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	sidesPack(t, dir)
	type figures struct {
		Dataset             string
		Roots, For, Against int
		Ordered             float64
	}
	for split, want := range map[string]figures{"test": {"Perspectrum, test", 1, 3, 2, 0}, "dev": {"Perspectrum, dev", 1, 1, 1, 0}} {
		var got figures
		out := must(t, dir, "eval", "sides", "--model", "pack", "p", "--split", split, "--json", "-").stdout
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got.Ordered < 0 || got.Ordered > 1 {
			t.Errorf("%s: %v of the pairs are in order", split, got.Ordered)
		}
		if got.Ordered = 0; got != want {
			t.Errorf("%s: %+v", split, got)
		}
	}
	write(t, dir, "h.csv", "id,evidence,claim,label\n1,the cat sat,a cat,Supports\n2,dogs ran,a cat,Refutes\n3,a mat,a cat,Maybe\n")
	fails(t, input, dir, []string{"eval", "sides", "--model", "pack", "h.csv", "--format", "healthver"}, `h.csv:4: the label is "Maybe"`)
	fails(t, input, dir, []string{"eval", "sides", "--model", "p", "p"}, "there is no pack.json")
	fails(t, usage, dir, []string{"eval", "sides", "p"}, "--model PACK")
	fails(t, usage, dir, []string{"eval", "sides", "--model", "pack"}, "DATA is missing")
	fails(t, usage, dir, []string{"eval", "sides", "--model", "pack", "p", "--split", "train"}, "choose one of test, dev")
	fails(t, usage, dir, []string{"eval", "sides", "--model", "pack", "h.csv", "--format", "healthver", "--split", "dev"}, "--split is for Perspectrum")
	fails(t, usage, dir, []string{"eval", "sides", "--model", "pack", "p", "--format", "csv"}, "perspectrum, climate-fever, healthver, scifact")
}
