package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// With any settings in its folder, a model opens and encodes, or there is an error.
// Memory is bounded by the size of its files.
func FuzzSettings(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "m")
	if err := modeltest.Write(dir, 1); err != nil {
		f.Fatal(err)
	}
	text := func(value any) []byte {
		b, err := json.Marshal(value)
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	files := modeltest.SentenceTransformer()
	modules, pooling := text(files["modules.json"]), text(files["1_Pooling/config.json"])
	f.Add(text(modeltest.Config()), modules, pooling, text(files["sentence_bert_config.json"]), []byte(`{ }`))
	f.Add(text(modeltest.Config()), modules, pooling, text(files["sentence_bert_config.json"]), []byte(`{"weight_map": {"a": "model.safetensors"}}`))
	f.Add([]byte(`{"model_type": "t5", "d_model": 32, "d_kv": 8, "num_heads": 4, "num_layers": 1, "d_ff": 64, "vocab_size": 90}`), []byte(`[]`), []byte(`{}`), []byte(`{"max_seq_length": -1}`), []byte(`{}`))
	f.Add([]byte(`{"model_type": "opt", "hidden_size": 16777216, "num_attention_heads": 1, "ffn_dim": 9, "num_hidden_layers": 99999999, "max_position_embeddings": 3, "vocab_size": 1}`),
		[]byte(`[{"path": "..", "type": "x.Transformer"}]`), []byte(`{"pooling_mode_max_tokens": true, "include_prompt": false}`), []byte(`[]`), []byte(`{"weight_map": {"a": "model.safetensors.index.json"}}`))
	st := func(kind, path string) modeltest.Object {
		return modeltest.Object{"type": "sentence_transformers.models." + kind, "path": path}
	}
	f.Add(text(modeltest.Config()), text([]modeltest.Object{st("Transformer", ""), st("Pooling", "1_Pooling"), st("Normalize", "2"), st("Dense", "1_Pooling"), st("LayerNorm", "1_Pooling"), st("Dropout", "3")}),
		[]byte(`{"pooling_mode": ["cls", "mean"], "include_prompt": false, "in_features": 64, "use_residual": true}`), []byte(`{"transformer_task": "feature-extraction"}`), []byte(`{ }`))
	f.Add(text(modeltest.Config()), []byte(`[{"type": "INSTRUCTOR_Transformer"}, {"path": "1_Pooling", "type": "INSTRUCTOR_Pooling"}]`), []byte(`{"pooling_mode": "weightedmean"}`), []byte(`{"max_seq_length": 1}`), []byte(`{ }`))
	layers := modeltest.NewTensors(2)
	layers.Linear("linear", 5, 64)
	layers.Linear("residual", 5, 64)
	layers.Add("norm.weight", 1, 5)
	layers.Add("norm.bias", 1, 5)
	if err := layers.Write(filepath.Join(dir, "1_Pooling", "model.safetensors")); err != nil {
		f.Fatal(err)
	}
	weights, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, config, modules, pooling, length, index []byte) {
		for name, b := range map[string][]byte{"config.json": config, "modules.json": modules, "1_Pooling/config.json": pooling, "sentence_bert_config.json": length, "model.safetensors.index.json": index} {
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, "model.safetensors")
		if len(index)%2 == 0 { // read half of the inputs through an index
			if err := os.Rename(path, filepath.Join(dir, "part.safetensors")); err != nil {
				t.Fatal(err)
			}
		}
		defer os.WriteFile(path, weights, 0o600)
		e, err := Open(t.Context(), dir, Options{Threads: 1})
		if err != nil {
			return
		}
		defer e.Close()
		got, err := e.Encode(t.Context(), []string{"night trains", ""}, encoder.Options{Prompts: []string{"find: ", "a"}})
		if err == nil && (len(got) != 2 || len(got[0].Vector) != e.Info().Dim) {
			t.Errorf("%d vectors", len(got))
		}
	})
}
