package model

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// t5Folder writes a sentence-T5 model with the tokenizer in the given file: T5's
// encoder, mean pooling, a dense layer without bias, and normalisation.
func t5Folder(t *testing.T, file string) string {
	t.Helper()
	const vocabulary, headSize, wide = 640, 8, 48
	dir := t.TempDir()
	object := func(kind string) modeltest.Object {
		return modeltest.Object{"type": "sentence_transformers.models." + kind, "path": map[string]string{"Transformer": "", "Pooling": "1_Pooling", "Dense": "2_Dense", "Normalize": "3_Normalize"}[kind]}
	}
	if err := modeltest.WriteJSON(dir, map[string]any{
		"config.json": modeltest.Object{"model_type": "t5", "architectures": []string{"T5EncoderModel"}, "vocab_size": vocabulary, "d_model": modeltest.Hidden, "d_kv": headSize, "d_ff": wide,
			"num_layers": modeltest.Layers, "num_heads": modeltest.Heads, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 32, "feed_forward_proj": "relu"},
		"modules.json":              []modeltest.Object{object("Transformer"), object("Pooling"), object("Dense"), object("Normalize")},
		"1_Pooling/config.json":     modeltest.Object{"word_embedding_dimension": modeltest.Hidden, "pooling_mode_mean_tokens": true},
		"2_Dense/config.json":       modeltest.Object{"in_features": modeltest.Hidden, "out_features": 12, "bias": false, "activation_function": "torch.nn.modules.linear.Identity"},
		"sentence_bert_config.json": modeltest.Object{"max_seq_length": 24},
		"tokenizer_config.json":     modeltest.Object{"extra_ids": 4},
	}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join("tokenizer", "testdata", "unigram", "t5", file))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, file), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	weights, inner := modeltest.NewTensors(7), modeltest.Heads*headSize
	weights.Add("shared.weight", 1, vocabulary, modeltest.Hidden)
	weights.Add("encoder.final_layer_norm.weight", 1, modeltest.Hidden)
	weights.Add("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", .3, 8, modeltest.Heads)
	for i := range modeltest.Layers {
		at := "encoder.block." + strconv.Itoa(i) + ".layer."
		weights.Add(at+"0.layer_norm.weight", 1, modeltest.Hidden)
		for _, name := range []string{"q", "k", "v"} {
			weights.Add(at+"0.SelfAttention."+name+".weight", .1, inner, modeltest.Hidden)
		}
		weights.Add(at+"0.SelfAttention.o.weight", .1, modeltest.Hidden, inner)
		weights.Add(at+"1.layer_norm.weight", 1, modeltest.Hidden)
		weights.Add(at+"1.DenseReluDense.wi.weight", .1, wide, modeltest.Hidden)
		weights.Add(at+"1.DenseReluDense.wo.weight", .1, modeltest.Hidden, wide)
	}
	project := modeltest.NewTensors(8)
	project.Add("linear.weight", .2, 12, modeltest.Hidden)
	for path, tensors := range map[string]*modeltest.Tensors{"model.safetensors": weights, "2_Dense/model.safetensors": project} {
		if err := tensors.Write(filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A sentence-T5 model gives the same vectors with tokenizer.json and with
// SentencePiece's own file. They equal the result of its parts, computed one after the
// other.
func TestSentenceT5(t *testing.T) {
	dir := t5Folder(t, "tokenizer.json")
	texts := []string{"The night trains help people.", "School uniforms cost ½ as much… “really”?", "", "a claim that supports the four-day week, and another one that opposes it, and so on, and so on, and so on"}
	want := embed(t, mustOpen(t, dir, Options{Threads: 1}), encoder.Options{}, texts...)
	other := embed(t, mustOpen(t, t5Folder(t, "spiece.model"), Options{Threads: 2}), encoder.Options{}, texts...)
	tokens, err := tokenizer.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkpoint := reread(t, dir)
	m, err := transformer.NewT5(transformer.T5Config{Vocabulary: 640, Hidden: modeltest.Hidden, Layers: modeltest.Layers, Heads: modeltest.Heads, HeadSize: 8, Intermediate: 48,
		Buckets: 8, MaxDistance: 32, Epsilon: 1e-6, Activation: dense.ReLU}, checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	projection, _, found := reread(t, filepath.Join(dir, "2_Dense")).Tensor("linear.weight")
	if !found {
		t.Fatal("no projection")
	}
	for i, text := range texts {
		ids, cut := tokens.Frame(tokens.Encode(nil, text), 24)
		if len(want[i].Vector) != 12 || want[i].Tokens != len(ids) || want[i].Truncated != cut || cut != (i == 3) {
			t.Fatalf("text %d: %d components, %d tokens, cut %v; want %d, %v", i, len(want[i].Vector), want[i].Tokens, want[i].Truncated, len(ids), cut)
		}
		hidden := make([]float32, len(ids)*modeltest.Hidden)
		if err := m.Forward(hidden, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, &transformer.Scratch{Pool: dense.NewPool(1)}); err != nil {
			t.Fatal(err)
		}
		out, norm := make([]float64, 12), 0.0
		for j := range out {
			for k, v := range hidden {
				out[j] += float64(v) * float64(projection[j*modeltest.Hidden+k%modeltest.Hidden]) / float64(len(ids))
			}
			norm += out[j] * out[j]
		}
		for j, v := range out {
			if v /= math.Sqrt(norm); approx.Apart(v, float64(want[i].Vector[j]), 1e-5) {
				t.Errorf("text %d, component %d: %v, want %v", i, j, want[i].Vector[j], v)
			}
			if other[i].Vector[j] != want[i].Vector[j] {
				t.Errorf("text %d, component %d: %v from spiece.model, %v from tokenizer.json", i, j, other[i].Vector[j], want[i].Vector[j])
			}
		}
	}
}

// A ColBERT folder of T5 is refused for its architecture.
func TestT5ColBERT(t *testing.T) {
	dir := t5Folder(t, "tokenizer.json")
	if err := modeltest.WriteJSON(dir, map[string]any{"artifact.metadata": modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "architecture t5 is not supported") {
		t.Errorf("%v", err)
	}
}
