// Package staticmodel reads static encoders, which are tables of token vectors: a
// folder with tokenizer.json, model.safetensors and config.json, as Model2Vec
// writes it. It can also re-weight a model for a corpus.
package staticmodel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
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

	// Reader has a pack that reads queries for the model; nil: the grammar reads them.
	Reader fs.FS
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
	if err := file.CheckFolder(dir, "learn a model with: vantage fit CORPUS -o DIR"); err != nil {
		return Files{}, err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return Files{}, err
	}
	f, err := read("", os.DirFS(dir), filepath.Base(absolute))
	if err == nil {
		_, err = f.Open()
	}
	if err != nil {
		return Files{}, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}

// Read reads a model from a folder of a file system. Its name is id or, if that is "",
// the "id" of its config.json; a model without a name is an error. The files are not
// checked: Files.Open does that.
func Read(id string, fsys fs.FS) (Files, error) {
	f, err := read(id, fsys, "")
	if err == nil && f.ID == "" {
		err = fmt.Errorf("%s has no \"id\", and the model no other name: give it one", ConfigFile)
	}
	return f, err
}

// read reads a model. otherwise is its name if it has none.
func read(id string, fsys fs.FS, otherwise string) (Files, error) {
	var contents [3][]byte
	for i, part := range []struct {
		name  string
		limit int64
	}{{TokenizerFile, maxTokenizer}, {WeightsFile, maxWeights}, {ConfigFile, maxConfig}} {
		b, err := file.ReadFS(fsys, part.name, part.limit, "part of a static model")
		if errors.Is(err, fs.ErrNotExist) {
			return Files{}, fault.Errorf(fault.Input, "this is no static model: it lacks %s (a Model2Vec folder has %s, %s and %s): %w",
				part.name, TokenizerFile, WeightsFile, ConfigFile, err)
		}
		if err != nil {
			return Files{}, err
		}
		if part.name != WeightsFile {
			b = unpack.Unmarked(b) // the engine knows no mark
		}
		contents[i] = b
	}
	var c struct{ ID, Language string }
	if err := unpack.JSON(contents[2], &c); err != nil {
		return Files{}, fmt.Errorf("%s: %w", ConfigFile, err)
	}
	config, err := engineConfig(contents[2])
	if err != nil {
		return Files{}, fmt.Errorf("%s: %w", ConfigFile, err)
	}
	f := New(cmp.Or(id, c.ID, otherwise), contents[0], contents[1], config)
	f.Language = c.Language
	return f, nil
}
