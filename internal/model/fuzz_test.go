package model

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// With any configuration, an MPNet opens and encodes, or there is an error. Nothing is reserved for
// sizes that the tensors do not have.
func FuzzRelativeConfig(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "m")
	if err := modeltest.Small.WriteMPNet(dir, 1); err != nil {
		f.Fatal(err)
	}
	good := modeltest.Small.MPNetConfig()
	addConfigs(f, good, map[string][]any{
		"":                                {nil},
		"model_type":                      {"bert", "t5"},
		"relative_attention_num_buckets":  {0, -32, 31, 33, 1 << 24, 1 << 62, "32"},
		"relative_attention_max_distance": {0, 1},
		"num_attention_heads":             {0, 1, 32, 1 << 62},
		"max_position_embeddings":         {2, 3, 1 << 24, 9223372036854775807},
		"pad_token_id":                    {-1, 0, 1 << 40},
		"hidden_act":                      {"tanh", "mish"},
		"is_decoder":                      {true},
	})
	f.Fuzz(func(t *testing.T, config []byte) {
		if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), dir, Options{Threads: 1})
		if err != nil {
			return
		}
		defer e.Close()
		got, err := e.Encode(t.Context(), []string{strings.Repeat("night trains ", 40), ""}, encoder.Options{})
		if err == nil && (len(got) != 2 || len(got[0].Vector) != e.Info().Dim) {
			t.Errorf("%d vectors", len(got))
		}
	})
}

// writeDecoder writes an OPT model into a new folder, and returns its
// configuration, which is not in the folder yet.
func writeDecoder(t testing.TB, dir string, layers int) modeltest.Object {
	t.Helper()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	const hidden, embedding, wide = 32, 16, 64
	vocabulary := len(modeltest.Vocabulary())
	tensors := modeltest.NewTensors(3)
	tensors.Add("decoder.embed_tokens.weight", .1, vocabulary, embedding)
	tensors.Add("decoder.embed_positions.weight", .1, 130, hidden)
	tensors.Add("decoder.project_in.weight", .1, hidden, embedding)
	tensors.Add("decoder.project_out.weight", .1, embedding, hidden)
	norms := []string{"decoder.final_layer_norm"}
	for i := range layers {
		layer := "decoder.layers." + strconv.Itoa(i) + "."
		for _, name := range []string{"q_proj", "k_proj", "v_proj", "out_proj"} {
			tensors.Linear(layer+"self_attn."+name, hidden, hidden)
		}
		tensors.Linear(layer+"fc1", wide, hidden)
		tensors.Linear(layer+"fc2", hidden, wide)
		norms = append(norms, layer+"self_attn_layer_norm", layer+"final_layer_norm")
	}
	for _, name := range norms {
		tensors.Add(name+".weight", 1, hidden)
		tensors.Add(name+".bias", 1, hidden)
	}
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"modules.json", "sentence_bert_config.json"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return modeltest.Object{"model_type": "opt", "vocab_size": vocabulary, "hidden_size": hidden, "word_embed_proj_dim": embedding, "num_hidden_layers": layers,
		"num_attention_heads": 4, "ffn_dim": wide, "max_position_embeddings": 128}
}

// addConfigs adds a configuration as it is, if the key "" is among the changes, and with one key changed to each value.
func addConfigs(f *testing.F, good map[string]any, changes map[string][]any) {
	f.Helper()
	for key, values := range changes {
		for _, value := range values {
			changed := maps.Clone(good)
			if key != "" {
				changed[key] = value
			}
			b, err := json.Marshal(changed)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
}

// With any configuration, a decoder opens, encodes behind a long prompt and scores endings,
// or there is an error. Nothing is reserved for sizes that the tensors do not have.
func FuzzDecoderConfig(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "m")
	good := writeDecoder(f, dir, 1)
	addConfigs(f, good, map[string][]any{
		"":                         {nil},
		"vocab_size":               {1e12, -1, 1},
		"hidden_size":              {0, 1 << 40, 31},
		"word_embed_proj_dim":      {-16, good["hidden_size"]},
		"num_hidden_layers":        {1 << 24, 2, "1"},
		"num_attention_heads":      {0, 3, 32, 1 << 62},
		"max_position_embeddings":  {1 << 24, 9223372036854775807, 0},
		"ffn_dim":                  {-1},
		"do_layer_norm_before":     {false},
		"_remove_final_layer_norm": {true},
		"enable_bias":              {false},
		"activation_function":      {"gelu", "mish"},
	})
	prompt := strings.Repeat("night trains help the people . ", 8)
	if err := modeltest.WriteJSON(dir, map[string]any{"config.json": good}); err != nil {
		f.Fatal(err)
	}
	e, err := Open(f.Context(), dir, Options{Threads: 1})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := e.Encode(f.Context(), []string{"night trains"}, encoder.Options{Prompt: &prompt}); err != nil || e.(*decoder).kept.prefix == nil {
		f.Fatalf("%v, or no prefix is kept", err)
	}
	if err := e.Close(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, config []byte) {
		if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), dir, Options{Threads: 1})
		if err != nil {
			return
		}
		defer e.Close()
		got, err := e.Encode(t.Context(), []string{"night trains", ""}, encoder.Options{Prompt: &prompt})
		if err == nil && (len(got) != 2 || len(got[0].Vector) != e.Info().Dim) {
			t.Errorf("%d vectors", len(got))
		}
		if d, ok := e.(Decoder); ok {
			for _, endings := range [][]string{{" help", " cost people"}, {" cost people"}} {
				scores, err := d.Likelihoods(t.Context(), prompt, []string{"night trains", ""}, endings)
				if err == nil && (len(scores) != 2 || !(slices.Max(slices.Concat(scores...)) < 0)) {
					t.Errorf("likelihoods %v", scores)
				}
			}
		}
	})
}
