package model

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// folder writes a model with the test's changes.
func folder(t *testing.T, name string, change map[string]any) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	for file, value := range change {
		if value == nil {
			if err := os.Remove(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			delete(change, file)
		}
	}
	if err := modeltest.WriteJSON(dir, change); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustOpen(t *testing.T, dir string, o Options) Encoder {
	t.Helper()
	e, err := Open(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func embed(t *testing.T, e encoder.Encoder, o encoder.Options, texts ...string) []encoder.Embedding {
	t.Helper()
	got, err := e.Encode(context.Background(), texts, o)
	if err != nil || len(got) != len(texts) {
		t.Fatal(len(got), err)
	}
	return got
}

// A text's vector has the same bits alone, among other texts, in any order, with any
// number of threads, and during concurrent calls.
func TestEncodingDoesNotDependOnTheBatch(t *testing.T) {
	dir := folder(t, "m", nil)
	var texts []string
	for i := range 100 {
		texts = append(texts, strings.Repeat("night trains help people ", i%13)+string(rune('a'+i%26)))
	}
	want := embed(t, mustOpen(t, dir, Options{Threads: 1}), encoder.Options{}, texts...)
	e := mustOpen(t, dir, Options{Threads: 3})
	same := func(i int, got encoder.Embedding) {
		for j, v := range got.Vector {
			if math.Float32bits(v) != math.Float32bits(want[i].Vector[j]) {
				t.Errorf("text %d, component %d: %v, want %v", i, j, v, want[i].Vector[j])
				return
			}
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, text := range texts {
				got, err := e.Encode(context.Background(), []string{text}, encoder.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				same(i, got[0])
			}
		})
	}
	all.Wait()
	backwards := slices.Clone(texts)
	slices.Reverse(backwards)
	for i, got := range embed(t, e, encoder.Options{}, backwards...) {
		same(len(texts)-1-i, got)
	}
}

func TestPrompts(t *testing.T) {
	e := mustOpen(t, folder(t, "m", nil), Options{})
	plain := embed(t, e, encoder.Options{}, "find: night trains", "night trains")
	none := ""
	for _, c := range []struct {
		o    encoder.Options
		text string
		want encoder.Embedding
	}{
		{encoder.Options{Role: encoder.Query}, "night trains", plain[0]},
		{encoder.Options{Role: encoder.Document}, "night trains", plain[1]},
		{encoder.Options{Role: encoder.Query, Prompt: &none}, "night trains", plain[1]},
	} {
		got := embed(t, e, c.o, c.text)[0]
		if !slices.Equal(got.Vector, c.want.Vector) || got.Tokens != c.want.Tokens {
			t.Errorf("%+v: another vector", c.o)
		}
	}
	if _, err := e.Encode(context.Background(), []string{"x"}, encoder.Options{Role: "clustering"}); err == nil || !strings.Contains(err.Error(), "query") {
		t.Errorf("an unknown prompt: %v", err)
	}
	e = mustOpen(t, folder(t, "m", map[string]any{"config_sentence_transformers.json": modeltest.Object{"prompts": modeltest.Object{"q": "find: "}, "default_prompt_name": "q"}}), Options{})
	if got := embed(t, e, encoder.Options{}, "night trains")[0]; !slices.Equal(got.Vector, plain[0].Vector) {
		t.Error("the default prompt is not used")
	}
	// If a prompt does not count, the vector is the mean of the tokens after it.
	without := mustOpen(t, folder(t, "m", map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode_mean_tokens": true, "include_prompt": false}}), Options{})
	last := mustOpen(t, folder(t, "m", map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode_lasttoken": true}}), Options{})
	a := embed(t, without, encoder.Options{Role: encoder.Query}, "")[0]
	b := embed(t, last, encoder.Options{Role: encoder.Query}, "")[0] // [CLS] find : [SEP], of which only the last does not belong to the prompt
	for i, v := range a.Vector {
		if approx.Apart(float64(v), float64(b.Vector[i]), 1e-6) {
			t.Fatalf("without its prompt: %v, want %v", a.Vector, b.Vector)
		}
	}
}

// If texts have different prompts in one call, each has the same vector as alone with
// its prompt, whether or not prompts count.
func TestPromptsOfEachText(t *testing.T) {
	prompts := []string{"find: ", "", "a claim that supports the argument : ", "find: ", strings.Repeat("night ", 60)}
	texts := []string{"night trains", "night trains", "school uniforms cost", "", "work"}
	static, err := Open(context.Background(), Builtin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	encoders := []Encoder{static}
	for _, way := range []string{"cls_token", "mean_tokens", "lasttoken"} {
		for _, include := range []bool{true, false} {
			encoders = append(encoders, mustOpen(t, folder(t, "m", map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode_" + way: true, "include_prompt": include}}), Options{Threads: 2}))
		}
	}
	for n, e := range encoders {
		got := embed(t, e, encoder.Options{Role: encoder.Query, Prompts: prompts}, texts...)
		for i, text := range texts {
			if alone := embed(t, e, encoder.Options{Prompt: &prompts[i]}, text)[0]; !slices.Equal(got[i].Vector, alone.Vector) || got[i].Tokens != alone.Tokens || got[i].Truncated != alone.Truncated {
				t.Errorf("encoder %d, text %d: another vector than alone", n, i)
			}
		}
		if slices.Equal(got[0].Vector, got[1].Vector) {
			t.Errorf("encoder %d: the prompt changes nothing", n)
		}
		for _, wrong := range [][]string{{}, prompts[:4]} {
			if _, err := e.Encode(context.Background(), texts, encoder.Options{Prompts: wrong}); err == nil || !strings.Contains(err.Error(), "prompts for 5 texts") {
				t.Errorf("encoder %d, %d prompts: %v", n, len(wrong), err)
			}
		}
	}
	// The prompt's tokens are left out, and what remains is the whole text.
	with, without := encoders[3].(*textEncoder), encoders[4].(*textEncoder)
	hidden := make([]float32, 0, 5*modeltest.Hidden)
	ids, _ := with.tokens.Frame(with.encode("find: night trains"), 0) // [CLS] find : night trains [SEP]
	if err := with.forward(context.Background(), []input{{ids: ids}}, func(_ int, h []float32) { hidden = append(hidden, h...) }); err != nil {
		t.Fatal(err)
	}
	want := make([]float32, modeltest.Hidden)
	Mean.pool(want, hidden[3*modeltest.Hidden:], 0)
	want = without.finish(want)
	if got := embed(t, without, encoder.Options{Prompts: prompts[:1]}, texts[0])[0]; len(ids) != 6 || !slices.Equal(got.Vector, want) {
		t.Errorf("without its prompt: %v, want %v", got.Vector, want)
	}
}

func TestPoolingOfFoldersWithoutModules(t *testing.T) {
	for name, want := range map[string]struct {
		pooling string
		notices int
	}{
		"some-bert":              {"mean", 1},
		"sup-simcse-bert-base":   {"pooler", 0},
		"unsup-simcse-bert-base": {"cls", 0},
	} {
		dir := folder(t, name, map[string]any{"modules.json": nil})
		var notices []string
		o := Options{Notice: func(text string) { notices = append(notices, text) }}
		e := mustOpen(t, dir, o)
		if info := e.Info(); info.Pooling != want.pooling || info.Normalize || len(notices) != want.notices || info.ID != name {
			t.Errorf("%s: %+v, said %q", name, info, notices)
		}
		o.Pooling = Max
		if got := mustOpen(t, dir, o).Info().Pooling; got != "max" {
			t.Errorf("%s: asked for max, got %s", name, got)
		}
		// The same holds in the hub's cache.
		cached := filepath.Join(t.TempDir(), "models--org--"+name, "snapshots", "0123abcd")
		if err := os.CopyFS(cached, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if got := mustOpen(t, cached, Options{}).Info().Pooling; got != want.pooling {
			t.Errorf("%s in the cache: %s, want %s", name, got, want.pooling)
		}
	}
}

// 8-bit weights give vectors of almost the same direction, and the same bits in any
// batch.
func TestInt8(t *testing.T) {
	dir := folder(t, "m", nil)
	texts := []string{"night trains help people", "a claim that opposes the argument : school uniforms", "x"}
	exact := embed(t, mustOpen(t, dir, Options{}), encoder.Options{}, texts...)
	e := mustOpen(t, dir, Options{Int8: true})
	if !e.Info().Int8 {
		t.Error("it does not say so")
	}
	near := embed(t, e, encoder.Options{}, texts...)
	for i, n := range near {
		dot := 0.0
		for j, v := range n.Vector {
			dot += float64(v) * float64(exact[i].Vector[j])
		}
		if dot < .99 || dot > .999999 {
			t.Errorf("text %d: cosine %v", i, dot)
		}
		if alone := embed(t, e, encoder.Options{}, texts[i])[0]; !slices.Equal(alone.Vector, n.Vector) {
			t.Errorf("text %d differs alone and in its batch", i)
		}
	}
}

func TestTruncation(t *testing.T) {
	e := mustOpen(t, folder(t, "m", nil), Options{MaxLength: 5})
	got := embed(t, e, encoder.Options{}, "night trains help", "night trains help people")
	if got[0].Truncated || !got[1].Truncated || got[0].Tokens != 5 || !slices.Equal(got[0].Vector, got[1].Vector) {
		t.Errorf("%+v", got)
	}
}

func TestDenseModule(t *testing.T) {
	files := modeltest.SentenceTransformer()
	modules := append([]modeltest.Object(nil), files["modules.json"].([]modeltest.Object)[:2]...)
	modules = append(modules, modeltest.Object{"path": "2_Dense", "type": "sentence_transformers.models.Dense"})
	dir := folder(t, "m", map[string]any{"modules.json": modules,
		"2_Dense/config.json": modeltest.Object{"in_features": modeltest.Hidden, "out_features": 3, "bias": true, "activation_function": "torch.nn.modules.activation.Tanh"}})
	tensors := modeltest.NewTensors(5)
	tensors.Linear("linear", 3, modeltest.Hidden)
	if err := tensors.Write(filepath.Join(dir, "2_Dense", "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	e := mustOpen(t, dir, Options{})
	if e.Info().Dim != 3 {
		t.Errorf("%+v", e.Info())
	}
	got := embed(t, e, encoder.Options{}, "night trains")[0].Vector
	// Compute the same by hand, from the model without its last module.
	plain := embed(t, mustOpen(t, folder(t, "m", map[string]any{"modules.json": modules[:2]}), Options{}), encoder.Options{}, "night trains")[0].Vector
	head, err := transformer.NewHead(reread(t, filepath.Join(dir, "2_Dense")), modeltest.Hidden, transformer.HeadLayer{Name: "linear"})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range head.Apply(e.(*textEncoder).workers, plain, 1) {
		if want := math.Tanh(float64(v)); approx.Apart(want, float64(got[i]), 1e-5) {
			t.Errorf("component %d is %v, want %v", i, got[i], want)
		}
	}
}

// A folder of a language model without modules.json is opened as an encoder, as sentence-transformers does. A notice says so if
// a name tells that it was trained for sparse vectors.
func TestSparseByName(t *testing.T) {
	for _, c := range []struct {
		folder, id, from, architecture string
		sparse                         bool
	}{
		{"m", "naver/splade-cocondenser-ensembledistil", "", "BertForMaskedLM", true},
		{"Splade_PP_en_v1", "", "", "BertForMaskedLM", true},
		{"m", "opensearch-project/opensearch-neural-sparse-encoding-v1", "", "BertForMaskedLM", true},
		{"m", "", "weights/SPLADE_max", "BertForMaskedLM", true},
		{"m", "someone/splade-distilled-dense", "naver/splade-v3", "BertModel", false},
		{"m", "google-bert/bert-base-uncased", "", "BertForMaskedLM", false},
		{"m", "splade/bert", "", "BertForMaskedLM", false}, // an organisation's name
	} {
		config := modeltest.Config()
		config["architectures"], config["_name_or_path"] = []string{c.architecture}, c.from
		var notices []string
		o := Options{ID: c.id, Revision: "x", Notice: func(text string) { notices = append(notices, text) }}
		mustOpen(t, folder(t, c.folder, map[string]any{"modules.json": nil, "config.json": config}), o)
		if said := strings.Join(notices, "\n"); strings.Contains(said, "sparse vectors (SPLADE)") != c.sparse || !strings.Contains(said, "mean pooling") {
			t.Errorf("%+v: %q", c, notices)
		}
		notices, o.Pooling = nil, CLS
		mustOpen(t, folder(t, c.folder, map[string]any{"modules.json": nil, "config.json": config}), o)
		if len(notices) > 0 {
			t.Errorf("%+v with a pooling: %q", c, notices)
		}
	}
}

func TestClassifier(t *testing.T) {
	dir := folder(t, "nli", map[string]any{"modules.json": nil})
	c := modeltest.Config()
	c["id2label"] = modeltest.Object{"0": "contradiction", "1": "entailment", "2": "neutral"}
	if err := modeltest.WriteJSON(dir, map[string]any{"config.json": c}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenClassifier(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "no classification head") {
		t.Errorf("an encoder as classifier: %v", err)
	}
	tensors := modeltest.BERT(1)
	tensors.Linear("classifier", 3, modeltest.Hidden)
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	m, err := OpenClassifier(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if !slices.Equal(m.Labels(), []string{"contradiction", "entailment", "neutral"}) {
		t.Errorf("%q", m.Labels())
	}
	pairs := [][2]string{{"night trains help", "trains cost"}, {"trains cost", "night trains help"}, {"night trains help", ""}, {strings.Repeat("a ", 100), "help"}}
	all, err := m.Classify(context.Background(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Tokens != 8 || all[2].Tokens != 6 || !all[3].Truncated || all[3].Tokens != modeltest.Positions || slices.Equal(all[0].Logits, all[1].Logits) || len(all[0].Logits) != 3 {
		t.Errorf("%+v", all)
	}
	var notices []string
	bare := filepath.Join(t.TempDir(), "bare") // as the hub's older cross-encoders are
	if err := os.CopyFS(bare, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(bare, "modules.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	reranker := modeltest.Config()
	reranker["architectures"] = []string{"BertForSequenceClassification"}
	if err := modeltest.WriteJSON(bare, map[string]any{"config.json": reranker}); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, bare, Options{Notice: func(text string) { notices = append(notices, text) }})
	if len(notices) != 2 || !strings.Contains(notices[1], "cross-encoder, which was trained to score pairs") {
		t.Errorf("a cross-encoder that is opened as an encoder: %q", notices)
	}
	// This is the layout in which sentence-transformers saves a CrossEncoder.
	if err := modeltest.WriteJSON(dir, map[string]any{"modules.json": []modeltest.Object{{"path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}},
		"sentence_bert_config.json": modeltest.Object{"transformer_task": "sequence-classification", "module_output_name": "scores",
			"modality_config": modeltest.Object{"text": modeltest.Object{"method": "forward", "method_output_name": "logits"}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), `"sequence-classification", of a classifier or a cross-encoder`) {
		t.Errorf("a classifier as encoder: %v", err)
	}
	saved, err := OpenClassifier(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	if same, err := saved.Classify(context.Background(), pairs); err != nil || !reflect.DeepEqual(same, all) {
		t.Errorf("%v, %v, want %v", same, err, all)
	}
	for i, p := range pairs {
		alone, err := m.Classify(context.Background(), [][2]string{p})
		if err != nil || !slices.Equal(alone[0].Logits, all[i].Logits) {
			t.Errorf("pair %d alone: %v, %v, among others %v", i, alone, err, all[i])
		}
	}
}

// Windows of a long first text are classified as the pairs of their tokens are, and a text
// that fits is one window with the scores of Classify.
func TestClassifyWindows(t *testing.T) {
	dir := folder(t, "nli", map[string]any{"modules.json": nil})
	tensors := modeltest.BERT(1)
	tensors.Linear("classifier", 3, modeltest.Hidden)
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	m, err := OpenClassifier(t.Context(), dir, Options{MaxLength: 26})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	// Each word is one token. With three special tokens and three of the second text, 20
	// remain for a window, and the next one begins after 10.
	words := strings.Fields(strings.Repeat("night trains cost people school work help ", 5))
	window := func(from, to int) string { return strings.Join(words[from:min(to, len(words))], " ") }
	const second = "trains help people"
	got, err := m.ClassifyWindows(t.Context(), [][2]string{{window(0, 20), second}, {window(0, 35), second}, {"", second}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Classify(t.Context(), [][2]string{{window(0, 20), second}, {window(0, 20), second}, {window(10, 30), second}, {window(20, 35), second}, {"", second}})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, [][]Scores{want[:1], want[1:4], want[4:]}) || want[0].Truncated {
		t.Errorf("%+v, want %+v", got, want)
	}
	long := strings.Repeat("trains ", 9)
	if _, err := m.ClassifyWindows(t.Context(), [][2]string{{window(0, 30), long}}); err == nil || !strings.Contains(err.Error(), "shorten it") {
		t.Errorf("a second text that leaves no room: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	config := func(key string, value any) map[string]any {
		c := modeltest.Config()
		c[key] = value
		return map[string]any{"config.json": c}
	}
	dpr := config("model_type", "dpr")
	dpr["config.json"].(modeltest.Object)["projection_dim"] = 4
	dpr["1_Pooling/config.json"] = modeltest.Object{"pooling_mode": []string{"cls", "mean"}}
	for name, c := range map[string]struct {
		change map[string]any
		want   string
	}{
		"unknown architecture":     {config("model_type", "mamba"), `"mamba" is not supported, only bert, roberta`},
		"another remedy":           {config("model_type", "nomic_bert"), "model2vec: encode the texts with sentence-transformers and index their vectors (vantage index --vectors)"},
		"alibi":                    {config("position_embedding_type", "alibi"), `"alibi" is not supported, only absolute: encode the texts with`},
		"unknown activation":       {config("hidden_act", "relu6"), `"relu6"`},
		"relative positions":       {config("position_embedding_type", "relative_key"), "relative_key"},
		"a decoder":                {config("is_decoder", true), "attend only to those before them"},
		"another hidden size":      {config("hidden_size", 64), `"embeddings.word_embeddings.weight" is [`},
		"more layers":              {config("num_hidden_layers", 3), `no tensor "encoder.layer.2.attention.self.query.weight"`},
		"heads that do not divide": {config("num_attention_heads", 5), "cannot be shared by 5"},
		"no layers":                {config("num_hidden_layers", 0), "the number of layers"},
		"a million layers":         {config("num_hidden_layers", 1<<23), `no tensor "encoder.layer.2.attention.self.query.weight"`},
		"an adapter":               {map[string]any{"adapter_config.json": modeltest.Object{"peft_type": "LORA"}}, "merge_and_unload"},
		"an adapter alone":         {map[string]any{"adapter_config.json": modeltest.Object{"peft_type": "LORA"}, "config.json": nil, "model.safetensors": nil, "modules.json": nil}, "merge_and_unload"},
		"no type of model":         {config("model_type", ""), `add it, such as "model_type": "bert"`},
		"quantised":                {config("quantization_config", modeltest.Object{"load_in_8bit": true}), "quantization_config in config.json"},
		"no configuration":         {map[string]any{"config.json": nil}, "no config.json"},
		"no weights":               {map[string]any{"model.safetensors": nil}, "holds no weights"},
		"no tokenizer":             {map[string]any{"tokenizer.json": nil}, "no tokenizer"},
		"no pooling":               {map[string]any{"1_Pooling/config.json": nil}, "1_Pooling"},
		"unknown way of pooling":   {map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode_median_tokens": true}}, `"pooling_mode_median_tokens", which is not known, only cls, max`},
		"unknown pooling mode":     {map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode": []string{"mean", "median"}}}, `"median" is not known, only cls, max`},
		"pooling mode of no kind":  {map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode": 3}}, "pooling_mode is 3"},
		"no pooling modes":         {map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode": []string{}}}, "pooling_mode is []"},
		"many pooling modes":       {map[string]any{"1_Pooling/config.json": modeltest.Object{"pooling_mode": slices.Repeat([]string{"cls"}, 1000)}}, "pooling_mode is ["},
		"prompts of no kind":       {map[string]any{"1_Pooling/config.json": modeltest.Object{"include_prompt": "no"}}, "include_prompt"},
		"module outside":           {map[string]any{"modules.json": []modeltest.Object{{"path": "../x", "type": "sentence_transformers.models.Transformer"}}}, "not a folder of the model"},
		"a folder as a file":       {map[string]any{"vocab.txt/x": 1, "tokenizer.json": nil}, "not a regular file"},
		"several poolings of DPR":  {dpr, "DPR's projection (projection_dim 4) takes one: choose one with --pooling cls"},
		"no such prompt":           {map[string]any{"config_sentence_transformers.json": modeltest.Object{"default_prompt_name": "x"}}, `"x"`},
	} {
		e, err := Open(context.Background(), folder(t, "m", c.change), Options{})
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for name, gone := range map[string]string{"config.json": "", "tokenizer.json": "", "vocab.txt": "tokenizer.json", "model.safetensors": "", "pytorch_model.bin": "model.safetensors"} {
		dir := folder(t, "m", nil) // a clone without Git LFS
		if err := os.WriteFile(filepath.Join(dir, name), []byte("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if gone != "" {
			if err := os.Remove(filepath.Join(dir, gone)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), name+": it is a pointer of Git LFS") {
			t.Errorf("a pointer in place of %s: %v", name, err)
		}
	}
	for _, kind := range []string{"I8", "U8", "F8_E4M3"} {
		dir := folder(t, "m", nil)
		tensors := modeltest.BERT(1)
		tensors.Append(shard.Tensor{Name: "encoder.layer.0.extra.bias", DType: shard.DType(kind), Shape: []int{4}, Data: make([]byte, 4)})
		if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), `"encoder.layer.0.extra.bias" is quantised to 8 bits (`+kind) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	var notices []string
	if e, err := Open(context.Background(), folder(t, "m", config("num_hidden_layers", 1)), Options{Notice: func(text string) { notices = append(notices, text) }}); err != nil {
		t.Error(err)
	} else if e.Close(); len(notices) != 1 || !strings.Contains(notices[0], "encoder.layer.1.attention.output.LayerNorm.bias") || strings.Contains(notices[0], "pooler") {
		t.Errorf("a layer that is not asked for: %q", notices)
	}
	dir := filepath.Join(t.TempDir(), "opt")
	opt := writeDecoder(t, dir, 2)
	for layers, want := range map[int]string{1: "decoder.layers.1.fc1.bias, decoder.layers.1.fc1.weight, decoder.layers.1.fc2.bias and 13 more", 2: ""} {
		opt["num_hidden_layers"] = layers
		if err := modeltest.WriteJSON(dir, map[string]any{"config.json": opt}); err != nil {
			t.Fatal(err)
		}
		notices = nil
		if e, err := Open(context.Background(), dir, Options{Notice: func(text string) { notices = append(notices, text) }}); err != nil {
			t.Error(err)
		} else if e.Close(); strings.Contains(strings.Join(notices, "\n"), "does not ask for") != (want != "") || !strings.Contains(strings.Join(notices, "\n"), want) {
			t.Errorf("OPT with %d layers: %q", layers, notices)
		}
	}
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	e := mustOpen(t, folder(t, "m", nil), Options{})
	if _, err := e.Encode(stopped, []string{"x"}, encoder.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// reread opens a folder's weights until the test ends.
func reread(t *testing.T, dir string) *weights.Checkpoint {
	t.Helper()
	c, err := weights.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
