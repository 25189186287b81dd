package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/model/weights"
)

// reader reads the files of a repository in memory.
func reader(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if content, ok := files[name]; ok {
			return []byte(content), nil
		}
		return nil, fs.ErrNotExist
	}
}

func TestChoose(t *testing.T) {
	const whole = `[{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]`
	for name, c := range map[string]struct {
		files map[string]string
		want  string // names in order, separated by spaces
		fault string
	}{
		"bert": {map[string]string{"config.json": "", "vocab.txt": "", "pytorch_model.bin": "", "tf_model.h5": ""}, "config.json vocab.txt pytorch_model.bin", ""},
		"opt":  {map[string]string{"config.json": "", "vocab.json": "", "merges.txt": "", "pytorch_model.bin": "", "generation_config.json": ""}, "config.json merges.txt vocab.json pytorch_model.bin", ""},
		"safetensors first": {map[string]string{"config.json": "", "tokenizer.json": "", "spiece.model": "", "pytorch_model.bin": "", "model.safetensors": "", "model.fp16.safetensors": ""},
			"config.json tokenizer.json model.safetensors", ""},
		"pieces where there is nothing better": {map[string]string{"config.json": "", "spiece.model": "", "model.safetensors": ""}, "config.json spiece.model model.safetensors", ""},
		"parts": {map[string]string{"config.json": "", "tokenizer.json": "", "model-1.safetensors": "", "model-2.safetensors": "", "model-3.safetensors": "", "pytorch_model.bin": "",
			"model.safetensors.index.json": `{"metadata": {"total_size": 3}, "weight_map": {"a": "model-2.safetensors", "b": "model-1.safetensors", "c": "model-2.safetensors"}}`},
			"config.json tokenizer.json model.safetensors.index.json model-1.safetensors model-2.safetensors", ""},
		"parts of a pickle": {map[string]string{"config.json": "", "tokenizer.json": "", "pytorch_model-1.bin": "", "pytorch_model.bin.index.json": `{"weight_map": {"a": "pytorch_model-1.bin"}}`},
			"config.json tokenizer.json pytorch_model.bin.index.json pytorch_model-1.bin", ""},
		"colbert": {map[string]string{"config.json": "", "tokenizer.json": "", "artifact.metadata": "", "model.safetensors": ""}, "artifact.metadata config.json tokenizer.json model.safetensors", ""},
		"modules": {map[string]string{"modules.json": whole, "1_Pooling/config.json": "", "config.json": "", "tokenizer.json": "", "model.safetensors": "", "sentence_roberta_config.json": "", "sub/config.json": ""},
			"config.json modules.json sentence_roberta_config.json tokenizer.json 1_Pooling/config.json model.safetensors", ""},
		"a transformer in a folder": {map[string]string{"modules.json": `[{"path": "0_Transformer/", "type": "sentence_transformers.models.Transformer"}]`, "model.safetensors": "",
			"0_Transformer/config.json": "", "0_Transformer/vocab.txt": "", "0_Transformer/pytorch_model.bin": ""},
			"modules.json 0_Transformer/config.json 0_Transformer/vocab.txt 0_Transformer/pytorch_model.bin", ""},
		"static": {map[string]string{"modules.json": `[{"path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}]`,
			"0_StaticEmbedding/tokenizer.json": "", "0_StaticEmbedding/model.safetensors": ""}, "modules.json 0_StaticEmbedding/tokenizer.json 0_StaticEmbedding/model.safetensors", ""},
		"Model2Vec": {map[string]string{"modules.json": `[{"path": ".", "type": "sentence_transformers.models.StaticEmbedding"}, {"path": "1_Normalize", "type": "sentence_transformers.models.Normalize"}]`,
			"config.json": "", "tokenizer.json": "", "model.safetensors": "", "onnx/model.onnx": ""}, "config.json modules.json tokenizer.json model.safetensors", ""},
		"a byte order mark": {map[string]string{"modules.json": "\uFEFF" + whole, "1_Pooling/config.json": "", "config.json": "", "tokenizer.json": "", "model.safetensors": ""},
			"config.json modules.json tokenizer.json 1_Pooling/config.json model.safetensors", ""},

		"a name that no file system takes": {map[string]string{"config.json": "", "vocab.txt": "", "model.safetensors": "", "sentence_" + strings.Repeat("x", 300) + "_config.json": ""},
			"config.json vocab.txt model.safetensors", ""},

		"an adapter":   {map[string]string{"adapter_config.json": "", "adapter_model.safetensors": "", "tokenizer.json": ""}, "", "an adapter (LoRA), by the adapter_config.json in its main folder"},
		"nothing":      {nil, "", "no weights in its main folder"},
		"onnx alone":   {map[string]string{"config.json": "", "tokenizer.json": "", "onnx/model.onnx": ""}, "", "no weights in its main folder"},
		"no config":    {map[string]string{"tokenizer.json": "", "model.safetensors": ""}, "", "no config.json in its main folder"},
		"no tokenizer": {map[string]string{"config.json": "", "vocab.json": "", "model.safetensors": ""}, "", "no tokenizer in its main folder"},
		"no pooling":   {map[string]string{"modules.json": whole, "config.json": "", "tokenizer.json": "", "model.safetensors": ""}, "", "no config.json in 1_Pooling"},
		"no layer": {map[string]string{"modules.json": `[{"path": "", "type": "x.Transformer"}, {"path": "2_LayerNorm", "type": "x.LayerNorm"}]`, "config.json": "", "tokenizer.json": "", "model.safetensors": ""},
			"", "no weights in 2_LayerNorm"},
		"modules' JSON":   {map[string]string{"modules.json": "{"}, "", "modules.json: no valid JSON"},
		"modules' type":   {map[string]string{"modules.json": `{"path": ""}`}, "", "modules.json: no valid JSON"},
		"no modules":      {map[string]string{"modules.json": "[]"}, "", "0 modules"},
		"many modules":    {map[string]string{"modules.json": "[" + strings.Repeat(`{"path": "x"},`, maxModules) + "{}]"}, "", "65 modules"},
		"traversal":       {map[string]string{"modules.json": `[{"path": "../../.ssh", "type": "x"}]`}, "", "leads out"},
		"absolute":        {map[string]string{"modules.json": `[{"path": "/etc", "type": "x"}]`}, "", "leads out"},
		"backslash":       {map[string]string{"modules.json": `[{"path": "a\\..\\b", "type": "x"}]`}, "", "leads out"},
		"long":            {map[string]string{"modules.json": `[{"path": "` + strings.Repeat("x", 256) + `", "type": "x"}]`}, "", "is not a path"},
		"NUL":             {map[string]string{"modules.json": `[{"path": "a\u0000", "type": "x"}]`}, "", "leads out"},
		"drive":           {map[string]string{"modules.json": `[{"path": "C:", "type": "x"}]`}, "", "leads out"},
		"twice":           {map[string]string{"modules.json": `[{"path": "a"}, {"path": "a/"}]`}, "", "twice"},
		"twice the main":  {map[string]string{"modules.json": `[{"path": "."}, {"path": ""}]`}, "", "twice"},
		"index traversal": {map[string]string{"config.json": "", "model.safetensors.index.json": `{"weight_map": {"a": "../model.safetensors"}}`}, "", "is no .safetensors file"},
		"index of a kind": {map[string]string{"config.json": "", "x.py": "", "model.safetensors.index.json": `{"weight_map": {"a": "x.py"}}`}, "", "is no .safetensors file"},
		"index of naught": {map[string]string{"config.json": "", "model.safetensors.index.json": `{"weight_map": {"a": "x.safetensors"}}`}, "", `"x.safetensors" is not there`},
		"empty index":     {map[string]string{"config.json": "", "model.safetensors.index.json": `{}`}, "", "0 parts"},
		"huge index":      {map[string]string{"config.json": "", "model.safetensors.index.json": hugeIndex()}, "", "2001 parts"},
	} {
		files, err := choose(testModel, names(c.files), reader(c.files))
		if c.fault == "" {
			if err != nil || strings.Join(files, " ") != c.want {
				t.Errorf("%s: %q (%v), want %q", name, files, err, c.want)
			}
			continue
		}
		var fault *ModelError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.fault) || !strings.HasPrefix(err.Error(), testModel+": ") {
			t.Errorf("%s: %v, want %q", name, err, c.fault)
		}
	}
}

func hugeIndex() string {
	var b strings.Builder
	for i := range weights.MaxParts {
		fmt.Fprintf(&b, `"t%d": "%d.safetensors", `, i, i)
	}
	return `{"weight_map": {` + b.String() + `"last": "x.safetensors"}}`
}

// What this package downloads, package weights reads, and no less.
func TestLimits(t *testing.T) {
	for file, most := range map[string]int64{
		"model.safetensors.index.json": weights.MaxIndexBytes, "0_Transformer/pytorch_model.bin.index.json": weights.MaxIndexBytes,
		"model.safetensors": maxFile, "2_Dense/pytorch_model.bin": maxFile, "model-00001-of-00002.safetensors": maxFile,
		"tokenizer.json": tokenizer.MaxFile, "0_Transformer/vocab.txt": tokenizer.MaxFile, "spiece.model": tokenizer.MaxFile,
		modulesFile: maxConfig, "config.json": maxConfig, "1_Pooling/config.json": maxConfig, "tokenizer_config.json": maxConfig, promptsFile: maxConfig,
		colbertFile: maxConfig, "special_tokens_map.json": maxConfig, "sentence_bert_config.json": maxConfig,
	} {
		if got := limitOf(file); got != most {
			t.Errorf("%s: at most %d bytes, want %d", file, got, most)
		}
	}
}

// Names that lead out of the folder are never chosen, even if the hub lists them.
func FuzzChoose(f *testing.F) {
	f.Add(`[{"path": "1_Pooling", "type": "Pooling"}, {"path": ""}]`, `{"weight_map": {"a": "model-1.safetensors"}}`, "1_Pooling/config.json\nmodel-1.safetensors")
	f.Add(`[{"path": "../x", "type": "Transformer"}]`, `{"weight_map": {"a": "../../x.safetensors"}}`, "../x/config.json\n../../x.safetensors")
	f.Add(`[{"path": ""}]`, `{}`, "sentence_\\..\\..\\x_config.json\nsentence_\x00_config.json\nmodel.safetensors")
	f.Fuzz(func(t *testing.T, modules, index, listed string) {
		files := map[string]string{}
		for name := range strings.SplitSeq(listed, "\n") {
			files[name] = ""
		}
		files["config.json"], files["tokenizer.json"] = "{}", "{}"
		files[modulesFile], files["model.safetensors.index.json"] = modules, index
		chosen, err := choose(testModel, names(files), reader(files))
		if err != nil {
			var fault *ModelError
			if !errors.As(err, &fault) && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			return
		}
		for i, name := range chosen {
			if _, there := files[name]; !there || !isSafePath(name) || slices.Contains(chosen[:i], name) {
				t.Errorf("chosen %q", name)
			}
		}
	})
}

func TestNames(t *testing.T) {
	for _, name := range []string{"bert-base-uncased", "sentence-transformers/all-MiniLM-L6-v2", "BAAI/bge-small-en-v1.5", "a/b_c"} {
		if err := checkName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "/", "a/", "/a", "a/b/c", "..", "a/..", "../a", "a--b/c", "a/b--c", ".a/b", "a/b.", "-a", "a b", "a\x00", `a\b`, "ä/b", "a/b?x", "a:b/c", strings.Repeat("x", 97), "a/" + strings.Repeat("x", 97)} {
		var invalid *NameError
		if err := checkName(name); !errors.As(err, &invalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, revision := range []string{"main", "v1.0", "refs/pr/1", testCommit, "feature/x-y_z", "0123abc"} {
		if err := checkRevision(revision); err != nil {
			t.Error(err)
		}
	}
	for _, revision := range []string{"", "/", "../x", "a/../b", "a//b", "a/", "/a", "a\nb", "a b", `a\b`, "a\x00b", "a:b", "..", ".", "a..b", "a^", strings.Repeat("x", 300)} {
		var invalid *NameError
		if err := checkRevision(revision); !errors.As(err, &invalid) {
			t.Errorf("%q: %v", revision, err)
		}
	}
	for s, want := range map[string][2]string{"a/b": {"a/b", "main"}, "a/b@v1": {"a/b", "v1"}, "a@": {"a", ""}, "@": {"", ""}, "a@b@c": {"a", "b@c"}} {
		if name, revision := Split(s); name != want[0] || revision != want[1] {
			t.Errorf("%q: %q %q", s, name, revision)
		}
	}
}
