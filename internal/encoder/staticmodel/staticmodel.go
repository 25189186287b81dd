// Package staticmodel reads static encoders, which are tables of token vectors: a
// folder with tokenizer.json, model.safetensors and config.json, as Model2Vec
// writes it. It can also re-weight a model for a corpus.
package staticmodel

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Names of a model's files.
const (
	TokenizerFile = "tokenizer.json"
	WeightsFile   = "model.safetensors"
	ConfigFile    = "config.json"
	CardFile      = "README.md"
)

// Limits of the files that Load reads, in bytes.
const (
	maxTokenizer = 64 << 20
	maxWeights   = 1 << 30
	maxConfig    = 1 << 20
)

// Files holds the contents of a static model's files, which must not be changed.
type Files struct {
	ID       string // the model's name
	Revision string // hash of the files, see Revision
	Language string // BCP 47 tag of the model's language; empty if not stated

	Tokenizer, Weights, Config []byte
}

// New returns a model of the given contents with its revision.
func New(id string, tokenizer, weights, config []byte) Files {
	return Files{
		ID:        id,
		Revision:  Revision(tokenizer, weights, config),
		Tokenizer: tokenizer, Weights: weights, Config: config,
	}
}

// Revision is the first 16 hexadecimal digits of the SHA-256 over the three
// files' contents, one after the other.
func Revision(tokenizer, weights, config []byte) string {
	hash := sha256.New()
	hash.Write(tokenizer)
	hash.Write(weights)
	hash.Write(config)
	return hex.EncodeToString(hash.Sum(nil))[:16]
}

// Open opens the model's encoder, which checks the files.
func (f Files) Open() (*encode.Static, error) {
	s, err := encode.OpenStatic(f.Tokenizer, f.Weights, f.Config)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", f.ID, err)
	}
	return s, nil
}

// Load reads a model from a folder and checks it. Its name is "id" in config.json,
// otherwise the folder's name; its language is "language" in config.json.
func Load(dir string) (Files, error) {
	var contents [3][]byte
	for i, part := range []struct {
		name  string
		limit int64
	}{{TokenizerFile, maxTokenizer}, {WeightsFile, maxWeights}, {ConfigFile, maxConfig}} {
		b, err := file.Read(filepath.Join(dir, part.name), part.limit, "part of a static model")
		if errors.Is(err, fs.ErrNotExist) {
			return Files{}, fmt.Errorf("%s is not a static model: it lacks %s (a Model2Vec folder has %s, %s and %s): %w",
				dir, part.name, TokenizerFile, WeightsFile, ConfigFile, err)
		}
		if err != nil {
			return Files{}, err
		}
		contents[i] = b
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return Files{}, err
	}
	f := New(filepath.Base(absolute), contents[0], contents[1], contents[2])
	var c struct{ ID, Language string }
	if err := unpack.JSON(f.Config, &c); err != nil {
		return Files{}, fmt.Errorf("%s: %w", filepath.Join(dir, ConfigFile), err)
	}
	if c.ID != "" {
		f.ID = c.ID
	}
	f.Language = c.Language
	if _, err := f.Open(); err != nil {
		return Files{}, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}
