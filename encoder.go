package vantage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Role is what a text is in retrieval. Many models put other words before queries
// than before documents.
type Role string

// The roles of texts.
const (
	RoleQuery    Role = "query"    // queries, roots and perspectives
	RoleDocument Role = "document" // what is ranked
)

// Encoder turns texts into vectors. Package client has one that a server runs; a
// program may bring its own. It may be used by several goroutines.
type Encoder interface {
	// Model describes it. It is constant.
	Model() Model
	// Encode returns one encoding for each text, in order. A text's vector must not
	// depend on the texts beside it.
	Encode(ctx context.Context, texts []string, role Role) ([]Encoding, error)
}

// Encoding is what an Encoder makes of a text.
type Encoding struct {
	Vector    []float32 // of the model's dimension
	Tokens    int       // that the encoder saw
	Unknown   int       // tokens that stand for what it does not know
	Truncated bool      // the text was longer than the encoder reads
}

// Model describes an encoder, in a collection's manifest too. Only ID and Dim are
// required.
type Model struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
	// Kind is "static" if the collection's vectors came from a static encoder, else
	// "external". Index sets it.
	Kind         string `json:"kind"`
	Architecture string `json:"architecture,omitempty"` // such as "bert", of what is not static
	Dim          int    `json:"dim"`                    // components of its vectors
	Pooling      string `json:"pooling,omitempty"`      // how the vectors of tokens become one, such as "mean"
	Normalize    bool   `json:"normalize"`              // vectors have length 1
	MaxLength    int    `json:"max_length,omitempty"`   // in tokens; 0: any, or not known
	BF16         bool   `json:"bf16,omitempty"`         // computed in bfloat16
	Int8         bool   `json:"int8,omitempty"`         // its layers' weights are rounded to 8 bits
	Language     string `json:"language,omitempty"`     // a BCP 47 tag; "": not stated

	// Prompts are what is put before texts, by their role.
	Prompts map[string]string `json:"prompts,omitempty"`
}

// StaticFiles are the parts of a static encoder: the contents of Model2Vec's three
// files, which must not be changed, and its names.
type StaticFiles struct {
	ID       string // by which answers and collections name it
	Revision string // "": the first 16 hexadecimal digits of the SHA-256 of the three files
	Language string // a BCP 47 tag; "": not stated

	Tokenizer []byte // tokenizer.json: a WordPiece tokenizer
	Weights   []byte // model.safetensors: the table of the tokens' vectors
	Config    []byte // config.json
}

// StaticEncoder is an encoder that needs only a table of the vectors of tokens: it
// runs in every engine, and the collections that it indexes carry it. Package english
// has one; `vantage fit` learns one from a corpus.
type StaticEncoder struct {
	files  StaticFiles
	static *encode.Static
}

// NewStaticEncoder makes an encoder of its files, which it checks. Its errors are of
// kind ErrInput, or ErrUnsupported if they are of a kind that is not read.
func NewStaticEncoder(files StaticFiles) (*StaticEncoder, error) {
	static, err := encode.OpenStatic(files.Tokenizer, files.Weights, files.Config)
	if err != nil {
		return nil, &search.FileError{File: "model " + files.ID, Err: err}
	}
	if files.Revision == "" {
		hash := sha256.New()
		for _, content := range [][]byte{files.Tokenizer, files.Weights, files.Config} {
			hash.Write(content)
		}
		files.Revision = hex.EncodeToString(hash.Sum(nil))[:16]
	}
	return &StaticEncoder{files, static}, nil
}

// Limits of the files that OpenStaticEncoder reads, in bytes.
const (
	maxTokenizer = 64 << 20
	maxWeights   = 1 << 30
	maxConfig    = 1 << 20
)

// OpenStaticEncoder reads a folder in Model2Vec's layout: tokenizer.json,
// model.safetensors and config.json. Its id is the config's "id" or else name, its
// language the config's "language". Errors are those of NewStaticEncoder and of the
// file system.
func OpenStaticEncoder(fsys fs.FS, name string) (*StaticEncoder, error) {
	files := StaticFiles{ID: name}
	for _, part := range []struct {
		name  string
		limit int64
		to    *[]byte
	}{{"tokenizer.json", maxTokenizer, &files.Tokenizer}, {"model.safetensors", maxWeights, &files.Weights}, {"config.json", maxConfig, &files.Config}} {
		content, err := store.ReadAtMost(fsys, part.name, part.limit)
		if err != nil {
			return nil, fmt.Errorf("static encoder %s: %w", name, err)
		}
		*part.to = content
	}
	var config struct{ ID, Language string }
	if err := unpack.JSON(files.Config, &config); err != nil {
		return nil, &search.FileError{File: "config.json", Err: err}
	}
	files.ID, files.Language = cmp.Or(config.ID, name), config.Language
	return NewStaticEncoder(files)
}

// Model describes the encoder.
func (e *StaticEncoder) Model() Model {
	return Model{ID: e.files.ID, Revision: e.files.Revision, Kind: manifest.KindStatic, Dim: e.static.Dim(), Pooling: "mean",
		Normalize: e.static.Normalize(), MaxLength: e.static.MaxLength(), Language: e.files.Language}
}

// Encode returns one encoding for each text, in order; the role makes no difference.
// Its only error is that of ctx.
func (e *StaticEncoder) Encode(ctx context.Context, texts []string, _ Role) ([]Encoding, error) {
	out := make([]Encoding, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector := make([]float32, e.static.Dim())
		info := e.static.Encode(vector, text)
		out[i] = encoding(vector, info)
	}
	return out, nil
}

// encoderFiles is the encoder as the core opens it.
func (e *StaticEncoder) encoderFiles() *search.EncoderFiles {
	return &search.EncoderFiles{
		EncoderRef: search.EncoderRef{ID: e.files.ID, Revision: e.files.Revision},
		Tokenizer:  e.files.Tokenizer, Weights: e.files.Weights, Config: e.files.Config,
	}
}
