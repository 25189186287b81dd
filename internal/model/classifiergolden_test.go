package model

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// The classification heads of all architectures, of one class or more, give the logits of transformers, with token types and
// without
// (testdata/classifiers/golden.py).
func TestGoldenClassifiers(t *testing.T) {
	var golden []struct {
		Config, Tokenizer modeltest.Object
		Shapes            map[string][]int
		IDs               []uint32
		Logits            []float32
	}
	jsonfile.Read(t, "testdata/classifiers/golden.json", &golden)
	vocabulary := modeltest.Object{"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}
	for id := 5; id < 12; id++ {
		vocabulary[string(rune('a'+id))] = id
	}
	tokenizer := modeltest.Tokenizer()
	tokenizer["model"], tokenizer["added_tokens"] = modeltest.Object{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary}, []modeltest.Object{}
	for i, g := range golden {
		name := fmt.Sprintf("%d, %v", i, g.Config["model_type"])
		dir := t.TempDir()
		if err := modeltest.WriteJSON(dir, map[string]any{"config.json": g.Config, "tokenizer.json": tokenizer, "tokenizer_config.json": g.Tokenizer}); err != nil {
			t.Fatal(err)
		}
		writeFormula(t, dir, g.Shapes)
		c, err := OpenClassifier(t.Context(), dir, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		scores, err := c.Classify(t.Context(), [][2]string{{"h j l", "i f g"}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if scores[0].Tokens != len(g.IDs) {
			t.Errorf("%s: %d tokens, want %d", name, scores[0].Tokens, len(g.IDs))
		}
		compare(t, name, scores[0].Logits, g.Logits, 1e-5)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// writeFormula writes a checkpoint whose numbers are a formula of their tensor's name and their place in it, as the recipes of
// golden files have it.
func writeFormula(t *testing.T, dir string, shapes map[string][]int) {
	t.Helper()
	var tensors modeltest.Tensors
	for name, shape := range shapes {
		n := 1
		for _, d := range shape {
			n *= d
		}
		var data []byte
		at := float64(crc32.ChecksumIEEE([]byte(name)) % 1000)
		for k := range n {
			step := float64(0.7 * float64(k))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(.5*math.Sin(at+step))))
		}
		tensors.Append(shard.Tensor{Name: name, DType: "F32", Shape: shape, Data: data})
	}
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
}
