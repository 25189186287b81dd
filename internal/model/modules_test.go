package model

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
)

// modulesDir holds transformers and further layers with random weights, and the vectors
// that sentence-transformers and InstructorEmbedding compute with combinations of them.
// Its folder recipe says how they were made.
const modulesDir = "testdata/modules"

// moduleCase is a model of one of the transformers.
type moduleCase struct {
	Name   string
	Base   string            // folder of the transformer
	Files  map[string]any    // files beside the transformer
	Layers map[string]string // weights, by their names in the model
	Runs   []struct {
		Role    encoder.Role
		Prompt  *string
		Prompts []string
		Vectors [][]float32
	}
}

func readModuleCases(t *testing.T) (texts []string, cases []moduleCase) {
	t.Helper()
	var golden struct {
		Texts []string
		Cases []moduleCase
	}
	jsonfile.Read(t, filepath.Join(modulesDir, "golden.json"), &golden)
	return golden.Texts, golden.Cases
}

// caseByName is the case with a name, which must be there.
func caseByName(t *testing.T, cases []moduleCase, name string) moduleCase {
	t.Helper()
	at := slices.IndexFunc(cases, func(c moduleCase) bool { return c.Name == name })
	if at < 0 {
		t.Fatalf("no case %q", name)
	}
	return cases[at]
}

// layOut writes the model into a folder.
func (c *moduleCase) layOut(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(modulesDir, c.Base))); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(dir, c.Files); err != nil {
		t.Fatal(err)
	}
	copies := map[string]string{}
	if c.Base == "t5" {
		copies["tokenizer.json"] = filepath.Join("tokenizer", "testdata", "unigram", "t5", "tokenizer.json")
	}
	for to, from := range c.Layers {
		copies[to] = filepath.Join(modulesDir, "layers", from)
	}
	for to, from := range copies {
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.FromSlash(to)), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Every supported module gives the same as in sentence-transformers, with every kind of
// prompt. INSTRUCTOR's modules give the same as in their own package.
func TestModules(t *testing.T) {
	texts, cases := readModuleCases(t)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			if strings.HasPrefix(c.Name, "instructor-") { // the model is recognised by its name
				dir = filepath.Join(t.TempDir(), c.Name)
			}
			c.layOut(t, dir)
			e := mustOpen(t, dir, Options{Threads: 2, Notice: func(text string) { t.Error(text) }})
			for _, run := range c.Runs {
				got := embed(t, e, encoder.Options{Role: run.Role, Prompt: run.Prompt, Prompts: run.Prompts}, texts...)
				what := string(run.Role) + "; " + or(run.Prompt, "none") + "; " + strings.Join(run.Prompts, "|")
				for i, g := range got {
					if len(g.Vector) != e.Info().Dim {
						t.Errorf("%d components, want %d", len(g.Vector), e.Info().Dim)
					}
					compare(t, what+": "+texts[i], g.Vector, run.Vectors[i], 1e-5)
				}
			}
		})
	}
}

// Models of the hub that are recognised by their names are recognised in every form of
// the name. Similar models cause a remark.
func TestInstructorsByName(t *testing.T) {
	_, cases := readModuleCases(t)
	c := caseByName(t, cases, "sentence-T5")
	for _, w := range []struct {
		folder, id   string
		out, notices int
	}{
		{"m", "", 0, 0},
		{"m", "hkunlp/instructor-large", 1, 0},
		{"Instructor-XL", "", 1, 0},
		{"models--hkunlp--instructor-base/snapshots/0123abcd", "", 1, 0},
		{"models--hkunlp--instructor-base/snapshots/0123abcd", "someone/model", 0, 0},
		{"my-instructor", "", 0, 1},
		{"m", "someone/instructor-large-finetuned", 0, 1},
	} {
		dir := filepath.Join(t.TempDir(), filepath.FromSlash(w.folder))
		c.layOut(t, dir)
		var notices []string
		e := mustOpen(t, dir, Options{ID: w.id, Revision: "x", Notice: func(text string) { notices = append(notices, text) }})
		if e.(*textEncoder).recipe.skipPrompt != (w.out == 1) || len(notices) != w.notices || w.notices == 1 && !strings.Contains(notices[0], "include_prompt") {
			t.Errorf("%+v: said %q", w, notices)
		}
	}
	for dir, want := range map[string]string{
		"/c/models--princeton-nlp--unsup-simcse/snapshots/1f": "princeton-nlp/unsup-simcse",
		"/c/models--gpt2/snapshots/1f":                        "gpt2",
		"/c/models--a--b/1f":                                  "1f",
		"/c/snapshots/1f/":                                    "1f",
	} {
		if got := NameOf(dir, ""); got != want {
			t.Errorf("%s is known as %s, want %s", dir, got, want)
		}
	}
}

// Unsupported modules are refused with their names and a remedy.
func TestRefusedModules(t *testing.T) {
	st := func(kind string) string { return "sentence_transformers.models." + kind }
	of := func(kinds ...string) map[string]any {
		var list []modeltest.Object
		for i, kind := range kinds {
			path := []string{"", "1_Pooling", "2_X", "3_X", "4_X"}[i]
			list = append(list, modeltest.Object{"path": path, "type": kind})
		}
		return map[string]any{"modules.json": list}
	}
	with := func(files map[string]any, name string, value modeltest.Object) map[string]any {
		files[name] = value
		return files
	}
	dense := func(config modeltest.Object) map[string]any {
		return with(of(st("Transformer"), st("Pooling"), st("Dense")), "2_X/config.json", config)
	}
	transformer := func(config modeltest.Object) map[string]any {
		return map[string]any{"sentence_bert_config.json": config}
	}
	for _, c := range []struct {
		change map[string]any
		want   []string
	}{
		{of(st("Transformer"), st("WeightedLayerPooling"), st("Pooling")), []string{"module 1", st("WeightedLayerPooling"), "vantage index --vectors"}},
		{of(st("Transformer"), st("CNN"), st("Pooling")), []string{"module 1", st("CNN"), "vantage index --vectors"}},
		{of(st("Transformer"), st("LSTM"), st("Pooling")), []string{"module 1", st("LSTM"), "vantage index --vectors"}},
		{of(st("WordEmbeddings"), st("Pooling")), []string{"module 0", st("WordEmbeddings"), "vantage index --vectors"}},
		{of(st("WordEmbeddings"), st("WordWeights"), st("Pooling")), []string{"module 0"}},
		{of(st("Transformer"), st("WordWeights"), st("Pooling")), []string{"module 1", st("WordWeights")}},
		{of(st("BoW"), st("Dense")), []string{"module 0", st("BoW"), "vantage index --vectors"}},
		{of(st("CLIPModel")), []string{"module 0", st("CLIPModel"), "vantage index --vectors"}},
		{of(st("Asym"), st("Normalize")), []string{"module 0", st("Asym"), "queries and documents"}},
		{of("sentence_transformers.base.modules.router.Router"), []string{"module 0", "Router", "queries and documents"}},
		{of("sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"), []string{"module 0", "StaticEmbedding", "Model2Vec", "from_pretrained"}},
		{of("sentence_transformers.sparse_encoder.modules.mlm_transformer.MLMTransformer"), []string{"module 0", "MLMTransformer", "sparse vectors", "dense vectors"}},
		{of(st("Transformer"), "sentence_transformers.sparse_encoder.models.SpladePooling"), []string{"module 1", "SpladePooling", "sparse vectors"}},
		{of(st("Transformer"), "pylate.models.Dense.Dense"), []string{"module 1", "pylate", "a vector for each token", "HF_ColBERT"}},
		{of(st("Transformer"), st("Dense"), "sentence_transformers.multi_vector_encoder.modules.multi_vector_mask.MultiVectorMask"), []string{"module 1", st("Dense"), "HF_ColBERT"}},
		{of("custom_st.Transformer", st("Pooling")), []string{"module 0", `"custom_st.Transformer"`, "code of the model's own", "vantage index --vectors"}},
		{of(st("Transformer"), st("Pooling"), st("Pooling")), []string{"module 2", st("Pooling"), "only a Transformer, a Pooling, then"}},
		{of(st("Transformer"), st("Dense"), st("Pooling")), []string{"module 1", st("Dense"), "only a Transformer, a Pooling, then"}},
		{map[string]any{"modules.json": make([]modeltest.Object, 65)}, []string{"65 modules, at most 64"}},
		{of(st("Transformer")), []string{"lacks the Transformer or the Pooling"}},
		{with(of("INSTRUCTOR_Transformer", "INSTRUCTOR_Pooling"), "1_Pooling/config.json", modeltest.Object{"pooling_mode_lasttoken": true}), []string{`INSTRUCTOR's Pooling "last"`, "mean"}},
		{with(of("x.INSTRUCTORTransformer", "x.INSTRUCTORPooling"), "1_Pooling/config.json", modeltest.Object{"pooling_mode": "cls"}), []string{`INSTRUCTOR's Pooling "cls"`, "mean"}},
		{dense(modeltest.Object{"in_features": -1}), []string{"in_features is -1"}},
		{dense(modeltest.Object{"in_features": 32, "module_input_name": "token_embeddings"}), []string{`"token_embeddings"`, "vantage index --vectors"}},
		{dense(modeltest.Object{"in_features": 32, "module_output_name": "other"}), []string{`"other"`}},
		{dense(modeltest.Object{"in_features": 32, "activation_function": "torch.nn.modules.activation.Mish"}), []string{`Mish" is not supported`, "Tanh"}},
		{dense(modeltest.Object{"in_features": 32, "activation_function": "own.GELU"}), []string{`"own.GELU" is not supported`}},
		{dense(modeltest.Object{"in_features": 32}), []string{"2_X", "holds no weights"}},
		{with(of(st("Transformer"), st("Pooling"), st("Normalize")), "2_X/config.json", modeltest.Object{"module_input_name": "token_embeddings"}), []string{`"token_embeddings"`}},
		{with(of(st("Transformer"), st("Pooling"), st("LayerNorm")), "2_X/config.json", modeltest.Object{"dimension": 32}), []string{"2_X", "holds no weights"}},
		{transformer(modeltest.Object{"transformer_task": "fill-mask"}), []string{`"fill-mask"`, "sparse vectors", "dense vectors"}},
		{transformer(modeltest.Object{"module_output_name": "sentence_embedding"}), []string{`"sentence_embedding"`}},
		{transformer(modeltest.Object{"modality_config": modeltest.Object{"text": modeltest.Object{"method": "forward", "method_output_name": []string{"hidden_states", "3"}}}}), []string{"modality_config"}},
		{transformer(modeltest.Object{"modality_config": modeltest.Object{"text": modeltest.Object{"method": "forward", "method_output_name": "last_hidden_state"}, "message": modeltest.Object{}}}), []string{"modality_config"}},
		{transformer(modeltest.Object{"processing_kwargs": modeltest.Object{"text": modeltest.Object{"padding": "max_length"}}}), []string{"processing_kwargs"}},
		{transformer(modeltest.Object{"tokenizer_args": modeltest.Object{"do_lower_case": false}}), []string{`tokenizer_args ("do_lower_case")`, "tokenizer_config.json or config.json"}},
		{transformer(modeltest.Object{"processor_kwargs": modeltest.Object{"truncation_side": "left"}}), []string{`processor_kwargs ("truncation_side")`}},
		{transformer(modeltest.Object{"processor_kwargs": modeltest.Object{"model_max_length": 0.5}}), []string{"model_max_length is 0.5"}},
		{transformer(modeltest.Object{"config_args": modeltest.Object{"trust_remote_code": true, "num_hidden_layers": 1}}), []string{`config_args ("num_hidden_layers")`}},
		{transformer(modeltest.Object{"config_kwargs": modeltest.Object{"model_max_length": 16}}), []string{`config_kwargs ("model_max_length")`}},
		{transformer(modeltest.Object{"model_args": modeltest.Object{"num_hidden_layers": 1}}), []string{`model_args ("num_hidden_layers")`}},
		{transformer(modeltest.Object{"tokenizer_name_or_path": "bert-base-uncased"}), []string{`tokenizer_name_or_path`, `"bert-base-uncased"`}},
		{transformer(modeltest.Object{"query_expansion": modeltest.Object{"length": 32}}), []string{"query_expansion"}},
		{transformer(modeltest.Object{"query_length": 32}), []string{"query_length"}},
	} {
		e, err := Open(context.Background(), folder(t, "m", c.change), Options{})
		if err == nil {
			e.Close()
			t.Errorf("%v is opened", c.change)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", c.change, err, want)
			}
		}
	}
}

// The length that is an argument of the tokenizer counts more than max_seq_length, as in sentence-transformers. Arguments that
// change no vectors are passed over.
func TestLoaderArguments(t *testing.T) {
	for _, c := range []struct {
		config modeltest.Object
		want   int
	}{
		{modeltest.Object{"max_seq_length": 20, "tokenizer_args": modeltest.Object{"trust_remote_code": true}, "model_args": modeltest.Object{"add_pooling_layer": false, "torch_dtype": "float16", "revision": nil},
			"config_args": modeltest.Object{"trust_remote_code": true}, "tokenizer_name_or_path": nil}, 20},
		{modeltest.Object{"max_seq_length": 20, "tokenizer_args": modeltest.Object{"model_max_length": 16}}, 16},
		{modeltest.Object{"processor_kwargs": modeltest.Object{"model_max_length": 24, "padding_side": "right"}}, 24},
		{modeltest.Object{"max_seq_length": 20, "processor_kwargs": modeltest.Object{"model_max_length": 1e30}}, modeltest.Positions},
	} {
		e := mustOpen(t, folder(t, "m", map[string]any{"sentence_bert_config.json": c.config}), Options{})
		if got := e.Info().MaxLength; got != c.want {
			t.Errorf("%v: %d tokens, want %d", c.config, got, c.want)
		}
	}
}

// If a layer does not fit its input, or lacks a tensor, the error says so.
func TestModulesThatDoNotFit(t *testing.T) {
	_, cases := readModuleCases(t)
	for _, c := range []struct{ name, module, layer, want string }{
		{"Dense without bias", "2_Dense/model.safetensors", "dense-12-20.safetensors", "linear.weight"},
		{"LayerNorm and Normalize", "2_LayerNorm/model.safetensors", "norm-12.safetensors", "takes vectors of 12 components, and gets 16"},
		{"LayerNorm and Normalize", "2_LayerNorm/model.safetensors", "dense-16-12.safetensors", `no vector "norm.weight"`},
		{"Dense with a projected residual", "2_Dense/model.safetensors", "dense-16-12.safetensors", "residual.weight"},
	} {
		m := caseByName(t, cases, c.name)
		m.Layers[c.module] = c.layer
		dir := filepath.Join(t.TempDir(), "m")
		m.layOut(t, dir)
		if _, err := Open(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %q", c.name, c.layer, err, c.want)
		}
	}
}

// If each module has a folder of its own, there is no config.json beside modules.json,
// and the model opens nevertheless.
func TestModulesInFolders(t *testing.T) {
	dir := folder(t, "m", map[string]any{"modules.json": []modeltest.Object{{"path": "0_Transformer", "type": "sentence_transformers.models.Transformer"},
		{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}}})
	if err := os.Mkdir(filepath.Join(dir, "0_Transformer"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors", "sentence_bert_config.json"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, "0_Transformer", name)); err != nil {
			t.Fatal(err)
		}
	}
	if static, err := IsStatic(dir); static || err != nil {
		t.Errorf("a static model: %v, %v", static, err)
	}
	if got := mustOpen(t, dir, Options{}).Info(); got.MaxLength != modeltest.Small.MaxLength {
		t.Errorf("%+v", got)
	}
	table := t.TempDir()
	if err := modeltest.WriteJSON(table, map[string]any{"modules.json": []modeltest.Object{{"path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}}}); err != nil {
		t.Fatal(err)
	}
	if static, err := IsStatic(table); static || err != nil {
		t.Errorf("a static model in another layout: %v, %v", static, err)
	}
	if _, err := Open(context.Background(), table, Options{}); err == nil || !strings.Contains(err.Error(), "Model2Vec") {
		t.Errorf("a static model in another layout: %v", err)
	}
}

// truncate_dim keeps the first components after all modules, so that a normalised vector is shorter than 1, unless
// Options.Normalize asks for length 1.
func TestTruncateDim(t *testing.T) {
	settings := func(dim any) map[string]any {
		return map[string]any{"config_sentence_transformers.json": modeltest.Object{"truncate_dim": dim}}
	}
	vector := func(dir string, o Options) ([]float32, encoder.Info) {
		e := mustOpen(t, dir, o)
		return embed(t, e, encoder.Options{}, "night trains help")[0].Vector, e.Info()
	}
	whole, _ := vector(folder(t, "m", settings(nil)), Options{})
	for dim, want := range map[int]int{1: 1, 5: 5, len(whole): len(whole), 4 * len(whole): len(whole)} {
		dir := folder(t, "m", settings(dim))
		v, info := vector(dir, Options{})
		if !slices.Equal(v, whole[:want]) || info.Dim != want || info.Normalize {
			t.Errorf("%d: %v of %d components, normalised %t: want the first %d of %v", dim, v, info.Dim, info.Normalize, want, whole)
		}
		yes := true
		again, info := vector(dir, Options{Normalize: &yes})
		if normalize(v); !slices.Equal(again, v) || info.Dim != want || !info.Normalize {
			t.Errorf("%d, normalised: %v, want %v", dim, again, v)
		}
		if _, err := OpenSource(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "truncate_dim") {
			t.Errorf("%d: %v", dim, err)
		}
	}
	for _, dim := range []int{0, -3} {
		if _, err := Open(t.Context(), folder(t, "m", settings(dim)), Options{}); err == nil || !strings.Contains(err.Error(), "truncate_dim is") {
			t.Errorf("%d: %v", dim, err)
		}
	}
}
