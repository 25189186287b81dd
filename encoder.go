package vantage

import (
	"context"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Role is what a text is in retrieval. Many models prepend different words to queries
// and documents.
type Role string

// The roles of texts.
const (
	RoleQuery    Role = "query"    // queries, roots and perspectives
	RoleDocument Role = "document" // what is ranked
)

// Encoder turns texts into vectors. Package client has one that runs on a server, and
// a program may have its own. It may be used by several goroutines.
type Encoder interface {
	// Model describes the encoder. The result never changes.
	Model() Model
	// Encode returns one encoding for each text, in order. A text's vector must not
	// depend on the other texts.
	Encode(ctx context.Context, texts []string, role Role) ([]Encoding, error)
}

// Encoding is what an Encoder makes of a text.
type Encoding struct {
	Vector    []float32 // of the model's dimension
	Tokens    int       // that the encoder saw
	Unknown   int       // tokens for characters or words that the encoder does not know
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
	Architecture string `json:"architecture,omitempty"` // such as "bert"; empty for static encoders
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
// files, which must not be changed, and how it is called.
type StaticFiles struct {
	ID       string // the name of the encoder in answers and collections
	Revision string // "": the first 16 hexadecimal digits of the SHA-256 of the three files
	Language string // a BCP 47 tag; "": not stated

	Tokenizer []byte // tokenizer.json: a WordPiece tokenizer
	Weights   []byte // model.safetensors: the table of the tokens' vectors
	Config    []byte // config.json
}

// StaticEncoder is an encoder that only looks up the vectors of tokens. It runs in
// every engine, and collections that it indexes contain it. Package english has one;
// `vantage fit` learns one from a corpus.
type StaticEncoder struct {
	files  StaticFiles
	static *encode.Static
}

// NewStaticEncoder makes an encoder of its files, which it checks. Its errors are of
// kind ErrInput or ErrLimit.
func NewStaticEncoder(files StaticFiles) (*StaticEncoder, error) {
	if files.Revision == "" {
		files.Revision = staticmodel.Revision(files.Tokenizer, files.Weights, files.Config)
	}
	static, err := staticmodel.Files(files).Open()
	if err != nil {
		return nil, classify(err, fault.Input)
	}
	return &StaticEncoder{files, static}, nil
}

// OpenStaticEncoder reads a folder in Model2Vec's layout: tokenizer.json,
// model.safetensors and config.json. Its id is the config's "id" or else the folder's
// name, its language the config's "language". Errors are those of NewStaticEncoder
// and of the file system.
func OpenStaticEncoder(dir string) (*StaticEncoder, error) {
	files, err := staticmodel.Load(dir)
	if err != nil {
		return nil, classify(err, fault.Input)
	}
	return NewStaticEncoder(StaticFiles(files))
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
		out[i] = Encoding{Vector: vector, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
	}
	return out, nil
}
