package hub

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/model/weights"
)

// Limits of a model's files.
const (
	maxListed  = 100_000  // files in a repository
	maxModules = 64       // modules in modules.json
	maxConfig  = 16 << 20 // bytes of a file of settings, as package model reads it
)

// limitOf is the limit of a file in bytes: what the package that reads it reads.
func limitOf(file string) int64 {
	switch base := path.Base(file); {
	case strings.HasSuffix(base, ".safetensors"), strings.HasSuffix(base, ".bin"):
		return maxFile
	case strings.HasSuffix(base, ".index.json"):
		return weights.MaxIndexBytes
	case slices.Contains(vocabularies, base), slices.Contains(pieces, base):
		return tokenizer.MaxFile
	}
	return maxConfig
}

// checkSize refuses a file that is larger than its limit, before anything of it is fetched or read.
func checkSize(model, file string, size int64) error {
	if most := limitOf(file); size > most {
		return &ModelError{Name: model, File: file, Problem: fmt.Sprintf("%d bytes, at most %d", size, most), Remedy: "use another revision or model"}
	}
	return nil
}

// modulesFile lists the modules of a sentence-transformers model, promptsFile holds its
// prompts, and colbertFile holds the settings of a ColBERT model.
const (
	modulesFile = "modules.json"
	promptsFile = "config_sentence_transformers.json"
	colbertFile = "artifact.metadata"
)

// small are patterns of path.Match for the files that are fetched in addition to the
// weights.
var small = []string{
	"config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
	"vocab.txt", "vocab.json", "merges.txt",
	modulesFile, promptsFile, colbertFile, "sentence_*_config.json",
}

// vocabularies are the files of small that grow with a tokenizer's vocabulary.
var vocabularies = []string{"tokenizer.json", "vocab.txt", "vocab.json", "merges.txt"}

// pieces are tokenizer files that are fetched only if there is no tokenizer.json.
var pieces = []string{"spiece.model", "sentencepiece.bpe.model"}

// weightFiles are the files of weights in order of preference. Each is a file, or an
// index that names parts.
var weightFiles = []struct{ whole, index, suffix string }{
	{"model.safetensors", "model.safetensors.index.json", ".safetensors"},
	{"pytorch_model.bin", "pytorch_model.bin.index.json", ".bin"},
}

// module is an entry of modules.json.
type module struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// is reports whether the module is of a class, regardless of its package.
// INSTRUCTOR_Transformer counts as Transformer.
func (m module) is(classes ...string) bool {
	return slices.ContainsFunc(classes, func(class string) bool { return strings.HasSuffix(m.Type, class) })
}

// choice is the set of files that a model is loaded from.
type choice struct {
	model  string // name for errors
	listed map[string]bool
	read   func(file string) ([]byte, error)
	files  []string
}

// choose picks the files that loading a model needs. Weights are last, so that a
// snapshot with weights also has the rest. read gives the content of modules.json and
// of an index of weights.
func choose(model string, listed []string, read func(file string) ([]byte, error)) ([]string, error) {
	if len(listed) > maxListed {
		return nil, &ModelError{Name: model, Problem: fmt.Sprintf("%d files, at most %d", len(listed), maxListed), Remedy: "use a repository with one model"}
	}
	c := &choice{model: model, listed: make(map[string]bool, len(listed)), read: read}
	for _, name := range listed {
		c.listed[name] = true
	}
	modules := []module{{Type: "Transformer"}}
	if c.listed[modulesFile] {
		var err error
		if modules, err = c.modules(); err != nil {
			return nil, err
		}
	}
	var last []string
	c.addSmall("")
	for _, m := range modules {
		if m.Path != "" {
			c.addSmall(m.Path)
		}
		found, err := c.weights(m.Path)
		if err != nil {
			return nil, err
		}
		last = append(last, found...)
		if err := c.check(m, len(found) > 0); err != nil {
			return nil, err
		}
	}
	return append(c.files, last...), nil
}

// modules reads modules.json, whose paths are folders of the repository.
func (c *choice) modules() ([]module, error) {
	var modules []module
	if err := c.decode(modulesFile, &modules); err != nil {
		return nil, err
	}
	if len(modules) == 0 || len(modules) > maxModules {
		return nil, c.fault(modulesFile, fmt.Sprintf("%d modules, expected 1 to %d", len(modules), maxModules))
	}
	seen := map[string]bool{}
	for i := range modules {
		m := &modules[i]
		if m.Path = strings.TrimSuffix(m.Path, "/"); m.Path == "." { // Model2Vec's name for the main folder
			m.Path = ""
		}
		if m.Path != "" && !isSafePath(m.Path) {
			return nil, c.fault(modulesFile, fmt.Sprintf("path %.200q leads out of the model's folder, or is not a path", m.Path))
		}
		if seen[m.Path] {
			return nil, c.fault(modulesFile, fmt.Sprintf("path %.200q is there twice", m.Path))
		}
		seen[m.Path] = true
	}
	return modules, nil
}

// addSmall adds those of a folder's files that small and pieces name.
func (c *choice) addSmall(folder string) {
	var here []string
	for name := range c.listed {
		dir, base := path.Split(name)
		if strings.TrimSuffix(dir, "/") != folder || !isSafePath(name) {
			continue
		}
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, base); return ok }
		if slices.ContainsFunc(small, matches) ||
			slices.Contains(pieces, base) && !c.listed[path.Join(folder, "tokenizer.json")] {
			here = append(here, name)
		}
	}
	slices.Sort(here)
	c.files = append(c.files, here...)
}

// weights finds the preferred weights in a folder. It returns none if there are none.
func (c *choice) weights(folder string) ([]string, error) {
	for _, form := range weightFiles {
		if whole := path.Join(folder, form.whole); c.listed[whole] {
			return []string{whole}, nil
		}
		index := path.Join(folder, form.index)
		if !c.listed[index] {
			continue
		}
		var content struct {
			WeightMap map[string]string `json:"weight_map"` // tensor → part
		}
		if err := c.decode(index, &content); err != nil {
			return nil, err
		}
		parts := slices.Compact(slices.Sorted(maps.Values(content.WeightMap)))
		if len(parts) == 0 || len(parts) > weights.MaxParts {
			return nil, c.fault(index, fmt.Sprintf("%d parts, expected 1 to %d", len(parts), weights.MaxParts))
		}
		for i, part := range parts {
			parts[i] = path.Join(folder, part)
			switch {
			case !isSafePath(part) || strings.Contains(part, "/") || !strings.HasSuffix(part, form.suffix):
				return nil, c.fault(index, fmt.Sprintf("part %.200q is no %s file beside it", part, form.suffix))
			case !c.listed[parts[i]]:
				return nil, c.fault(index, fmt.Sprintf("part %.200q is not there", part))
			}
		}
		return append([]string{index}, parts...), nil
	}
	return nil, nil
}

// check returns an error if a module lacks something.
func (c *choice) check(m module, hasWeights bool) error {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return c.listed[path.Join(m.Path, name)] })
	}
	in := "its main folder"
	if m.Path != "" {
		in = m.Path
	}
	switch {
	case m.is("Transformer") && has("adapter_config.json"):
		return &ModelError{Name: c.model, Problem: "an adapter (LoRA), by the adapter_config.json in " + in + ", which is not applied",
			Remedy: "merge it in Python (peft: merge_and_unload().save_pretrained(DIR)) and name that folder, or use another model"}
	case m.is("Transformer", "Dense", "LayerNorm", "StaticEmbedding") && !hasWeights:
		return &ModelError{Name: c.model, Problem: "no weights in " + in + ": neither model.safetensors nor pytorch_model.bin, whole or in parts",
			Remedy: "save the model with save_pretrained, or use another revision (refs/pr/N may have them)"}
	case m.is("Transformer", "Pooling", "Dense") && !has("config.json"):
		return &ModelError{Name: c.model, Problem: "no config.json in " + in, Remedy: "check that this is a model in the format of transformers or sentence-transformers"}
	case m.is("Transformer", "StaticEmbedding") && !has("tokenizer.json", "vocab.txt") && !(has("vocab.json") && has("merges.txt")) && !has(pieces...):
		return &ModelError{Name: c.model, Problem: "no tokenizer in " + in + ": neither tokenizer.json nor vocab.txt nor vocab.json with merges.txt",
			Remedy: "save the tokenizer to the model's folder with save_pretrained"}
	}
	return nil
}

// decode reads a JSON file of the repository.
func (c *choice) decode(file string, into any) error {
	b, err := c.read(file)
	if err != nil {
		return err
	}
	if err := unpack.JSON(b, into); err != nil {
		return c.fault(file, fmt.Sprintf("no valid JSON of its kind: %v", err))
	}
	return nil
}

func (c *choice) fault(file, problem string) error {
	return &ModelError{Name: c.model, File: file, Problem: problem, Remedy: "use another revision or model"}
}
