package model

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
)

// Builtin is the name of the built-in model.
const Builtin = "static"

// IsStatic reports whether a model is static, so that a collection can carry it: the
// built-in model or a folder of a static model. Other models are transformers.
func IsStatic(nameOrDir string) (bool, error) {
	if nameOrDir == Builtin {
		return true, nil
	}
	var c struct {
		Type   string `json:"model_type"`
		Layers int    `json:"num_hidden_layers"`
	}
	found, err := readJSON(filepath.Join(nameOrDir, "config.json"), &c)
	if err != nil {
		return false, err
	}
	if !found {
		if err := checkAdapter(nameOrDir); err != nil {
			return false, err
		}
		if _, err := os.Stat(filepath.Join(nameOrDir, "modules.json")); err == nil {
			return false, nil // the transformer is in a folder of its own, or there is none
		}
		return false, fmt.Errorf("%s has no config.json: it is not the folder of a model", nameOrDir)
	}
	return slices.Contains(staticTypes, c.Type) && c.Layers == 0, nil
}

// staticTypes are the values of model_type in Model2Vec's folders. The package model2vec keeps the last one if it
// loaded a static model that sentence-transformers had saved.
var staticTypes = []string{"", "model2vec", "SentenceTransformer"}

// LoadStatic returns the files of a static model.
func LoadStatic(nameOrDir string) (staticmodel.Files, error) {
	if nameOrDir == Builtin {
		return builtin.Builtin(), nil
	}
	return staticmodel.Load(nameOrDir)
}

func openStatic(nameOrDir string, o Options) (*staticmodel.Encoder, error) {
	if o.Pooling != "" && o.Pooling != Mean {
		return nil, fmt.Errorf("%s is a static model: the vectors of its tokens are averaged, pooling %s is for transformers", nameOrDir, o.Pooling)
	}
	if o.Int8 {
		return nil, fmt.Errorf("%s is a static model: weights of 8 bits (--int8) are for transformers", nameOrDir)
	}
	if o.MaxLength != 0 {
		return nil, fmt.Errorf("%s is a static model: its length is part of it and cannot be chosen", nameOrDir)
	}
	for _, text := range o.Prompts {
		if text != "" {
			return nil, fmt.Errorf("%s is a static model, which has no prompts: %q is for transformers", nameOrDir, text)
		}
	}
	files, err := LoadStatic(nameOrDir)
	if err != nil {
		return nil, err
	}
	files.ID, files.Revision = cmp.Or(o.ID, files.ID), cmp.Or(o.Revision, files.Revision)
	options := staticmodel.Options{Normalize: o.Normalize, Threads: o.Threads}
	if t, err := tokenizer.Parse(files.Tokenizer); err == nil { // otherwise vantage tokenize fails, too, so nobody has ids with special tokens
		options.Special, _ = t.Frame(nil, 0)
	}
	return files.Encoder(options)
}
