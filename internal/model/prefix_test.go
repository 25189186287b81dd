package model

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// A checkpoint may have a prefix before the names of its tensors, as one of a whole sentence-transformers model has. It
// changes no vector, and no logit.
func TestPrefixes(t *testing.T) {
	texts := []string{"night trains help people", "x"}
	var want []encoder.Embedding
	var logits []float32
	for _, prefix := range []string{"", "bert.", "model.", "0.auto_model."} {
		dir := folder(t, "m", nil)
		path := filepath.Join(dir, "model.safetensors")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := shard.ParseSafetensors(b)
		if err != nil {
			t.Fatal(err)
		}
		head := prefix + "classifier"
		if prefix == "bert." { // it belongs to the encoder alone
			head = "classifier"
		}
		var tensors []shard.Tensor
		for _, name := range file.Names() {
			x, _ := file.Tensor(name)
			x.Name = prefix + name
			tensors = append(tensors, x)
			if name == "pooler.dense.weight" || name == "pooler.dense.bias" { // a head of the same shape
				x.Name = head + name[len("pooler.dense"):]
				tensors = append(tensors, x)
			}
		}
		if b, err = shard.AppendSafetensors(nil, tensors, nil); err == nil {
			err = os.WriteFile(path, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := embed(t, mustOpen(t, dir, Options{Pooling: Pooler}), encoder.Options{}, texts...)
		c, err := OpenClassifier(t.Context(), dir, Options{})
		if err != nil {
			t.Fatalf("%q: %v", prefix, err)
		}
		scores, err := c.Classify(t.Context(), [][2]string{{texts[0], texts[1]}})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if prefix == "" {
			want, logits = got, scores[0].Logits
		}
		if !slices.Equal(got[0].Vector, want[0].Vector) || !slices.Equal(got[1].Vector, want[1].Vector) || !slices.Equal(scores[0].Logits, logits) {
			t.Errorf("with the prefix %q: other vectors or logits", prefix)
		}
	}
}
