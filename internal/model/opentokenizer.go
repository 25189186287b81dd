package model

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
)

// OpenTokenizer opens the tokenizer with which Open encodes texts. The folder need not have the rest of the model, which
// may even be one that Open refuses.
func OpenTokenizer(dir string) (tokenizer.Tokenizer, error) {
	if static, err := IsStatic(dir); err == nil && static { // its tokenizer.json is read as it is, without the settings beside it
		text, err := file.Read(filepath.Join(dir, "tokenizer.json"), tokenizer.MaxFile, "tokenizer")
		if err == nil {
			return tokenizer.Parse(unpack.Unmarked(text))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	var modules []moduleFile
	if _, err := readJSON(filepath.Join(dir, "modules.json"), &modules); err != nil {
		return nil, err
	}
	if len(modules) == 0 {
		return tokenizer.Open(dir)
	}
	first := filepath.FromSlash(modules[0].Path)
	if kind, _ := modules[0].kind(); kind != "Transformer" || first != "" && !filepath.IsLocal(first) {
		return tokenizer.Open(dir)
	}
	at := filepath.Join(dir, first)
	_, settings, err := readTransformerFile(at)
	if err != nil {
		return nil, err
	}
	return openTokenizer(at, settings.Lowercase)
}

func openTokenizer(dir string, lowercase bool) (tokenizer.Tokenizer, error) {
	if lowercase {
		return tokenizer.OpenLowercase(dir)
	}
	return tokenizer.Open(dir)
}
