package vantage

import (
	"context"
	"io/fs"

	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Role is the part that a text plays in retrieval. Many models prepend different words to
// queries and documents.
type Role string

// The roles of texts.
const (
	RoleQuery    Role = "query"    // queries, roots and perspectives
	RoleDocument Role = "document" // what is ranked
)

// Encoder turns texts into vectors. It may be used by several goroutines.
// NewStaticEncoder and packages packs, sides, english and client have encoders,
// and a program may have its own. One that sends texts to a server should say so with a
// method Remote() bool, which returns true: it is then refused for Query.Contexts.
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
	Tokens    int       // that the encoder saw; of a static encoder, or a pack that a collection carries, all of the text, also if it is truncated
	Unknown   int       // tokens for characters or words that the encoder does not know; 0 also if it does not count them, as most do not
	Truncated bool      // the text was longer than the encoder reads
}

// TokenEncoder is an Encoder that can also give each token of a text a vector, for MaxSim
// (IndexOptions.TokenBits). Dim, Normalize and Prompts of its Model are those of these vectors.
type TokenEncoder interface {
	Encoder
	// EncodeTokens returns the vectors of the tokens of each text, in order.
	EncodeTokens(ctx context.Context, texts []string, role Role) ([]TokenEncoding, error)
}

// TokenEncoding is what a TokenEncoder makes of a text.
type TokenEncoding struct {
	Vectors   []float32 // one after the other, each of the model's dimension
	Tokens    int       // that the encoder saw
	Truncated bool      // the text was longer than the encoder reads
}

// Model describes an encoder, in a collection's manifest too. Only ID and Dim are
// required.
type Model struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
	// Kind is "static" if a static encoder encoded the documents, "pack" if a pack did, else
	// "external", also for Vectors. An Encoder of a program's own need not set it.
	Kind         string `json:"kind"`
	Architecture string `json:"architecture,omitempty"` // such as "bert"; empty for static encoders, and for those that do not say
	Dim          int    `json:"dim"`                    // components of its vectors
	Pooling      string `json:"pooling,omitempty"`      // how the vectors of tokens become one, such as "mean"
	Normalize    bool   `json:"normalize"`              // vectors have length 1
	MaxLength    int    `json:"max_length,omitempty"`   // in tokens; 0: any, or not known
	BF16         bool   `json:"bf16,omitempty"`         // computed in bfloat16
	Int8         bool   `json:"int8,omitempty"`         // its layers' weights are rounded to 8 bits
	Language     string `json:"language,omitempty"`     // a BCP 47 tag; "": not stated

	// Prompts are put before texts. The key is the role of the text. An encoder with other
	// prompts than the collection is refused, because its vectors cannot be compared; if Prompts
	// is nil, nothing is known about them.
	Prompts map[string]string `json:"prompts,omitempty"`
}

// NewStaticEncoder opens a static encoder, which only looks up the vectors of tokens.
// It runs in every engine, and collections that it indexes contain it. Package english
// has one; `vantage fit` learns one from a corpus.
//
// The files are those of Model2Vec: tokenizer.json (a WordPiece tokenizer),
// model.safetensors (the table of the tokens' vectors) and config.json. They may be in a
// folder (os.DirFS) or in the program (embed.FS). id names the encoder in answers and
// collections; "" takes the "id" of config.json. Its revision is the first 16
// hexadecimal digits of the SHA-256 of the three files.
//
// Errors are of kind ErrInput or ErrLimit, or those of the file system.
func NewStaticEncoder(id string, files fs.FS) (Encoder, error) {
	read, err := staticmodel.Read(id, files)
	if err != nil {
		return nil, classify(context.Background(), err, fault.Input)
	}
	static, err := read.Encoder(staticmodel.Options{})
	if err != nil {
		return nil, classify(context.Background(), err, fault.Input)
	}
	return ownEncoder{static}, nil
}

func init() {
	bridge.NewEncoder = func(e encoder.Encoder) any { return ownEncoder{e} }
}

// ownEncoder makes an encoder of an internal package an Encoder.
type ownEncoder struct{ encoder.Encoder }

func (e ownEncoder) Model() Model {
	i := e.Info()
	m := Model{ID: i.ID, Revision: i.Revision, Architecture: i.Architecture, Dim: i.Dim, Pooling: i.Pooling, Normalize: i.Normalize,
		MaxLength: i.MaxLength, BF16: i.BF16, Int8: i.Int8, Language: i.Language, Prompts: i.Prompts}
	if _, static := e.static(); static {
		m.Kind, m.Architecture = manifest.KindStatic, ""
	}
	if _, ok := e.Encoder.(packencoder.Encoder); ok {
		m.Kind, m.Int8 = manifest.KindPack, false
	}
	return m
}

func (e ownEncoder) Encode(ctx context.Context, texts []string, role Role) ([]Encoding, error) {
	encoded, err := e.Encoder.Encode(ctx, texts, encoder.Options{Role: encoder.Role(role)})
	if err != nil {
		return nil, err
	}
	return encodingsOf(encoded), nil
}

// static returns the static model, if the encoder is one.
func (e ownEncoder) static() (staticmodel.Files, bool) {
	if s, ok := e.Encoder.(*staticmodel.Encoder); ok {
		return s.Files(), true
	}
	return staticmodel.Files{}, false
}

// staticOf returns the model of a static encoder; ok is false for any other.
func staticOf(e Encoder) (files staticmodel.Files, ok bool) {
	if own, is := e.(ownEncoder); is {
		return own.static()
	}
	return files, false
}

// packOf returns the encoder of a pack; nil for any other.
func packOf(e Encoder) packencoder.Encoder {
	own, _ := e.(ownEncoder)
	p, _ := own.Encoder.(packencoder.Encoder)
	return p
}

// internalOf returns an Encoder in the form that internal packages take. They check its
// results.
func internalOf(e Encoder) encoder.Encoder {
	if own, ok := e.(ownEncoder); ok {
		return own.Encoder
	}
	if late, ok := e.(TokenEncoder); ok {
		return outsideTokens{outsideEncoder{e}, late}
	}
	return outsideEncoder{e}
}

// lateOf returns the encoder as one of token vectors; nil if it is not one.
func lateOf(e Encoder) encoder.TokenEncoder {
	if e == nil {
		return nil
	}
	late, _ := internalOf(e).(encoder.TokenEncoder)
	return late
}

// outsideTokens makes a program's own TokenEncoder one that internal packages take.
type outsideTokens struct {
	outsideEncoder
	late TokenEncoder
}

func (w outsideTokens) TokenInfo() encoder.Info {
	i := w.Info()
	i.Pooling = encoder.PoolingTokens
	return i
}

func (w outsideTokens) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	encoded, err := w.late.EncodeTokens(ctx, texts, Role(role))
	if err != nil {
		return nil, &encoderFault{err}
	}
	dim := w.Info().Dim
	out := make([]encoder.TokenVectors, len(encoded))
	for i, e := range encoded {
		out[i] = encoder.TokenVectors{Vectors: e.Vectors, Rows: len(e.Vectors) / max(1, dim), Dim: dim, Tokens: e.Tokens, Truncated: e.Truncated}
	}
	return out, nil
}

// outsideEncoder makes a program's own Encoder one that internal packages take.
type outsideEncoder struct{ Encoder }

func (w outsideEncoder) Info() encoder.Info {
	m := w.Encoder.Model()
	return encoder.Info{ID: m.ID, Revision: m.Revision, Language: m.Language, Architecture: m.Architecture, Dim: m.Dim, Pooling: m.Pooling,
		Normalize: m.Normalize, MaxLength: m.MaxLength, Int8: m.Int8, BF16: m.BF16, Prompts: m.Prompts}
}

func (w outsideEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	encoded, err := w.Encoder.Encode(ctx, texts, Role(o.Role))
	if err != nil {
		return nil, &encoderFault{err}
	}
	out := make([]encoder.Embedding, len(encoded))
	for i, e := range encoded {
		out[i] = encoder.Embedding(e)
	}
	return out, nil
}

// Remote reports that a program's own encoder sends texts elsewhere, as that of package
// client does, so that it gets no private contexts.
func (w outsideEncoder) Remote() bool {
	r, ok := w.Encoder.(interface{ Remote() bool })
	return ok && r.Remote()
}

func encodingsOf(encoded []encoder.Embedding) []Encoding {
	out := make([]Encoding, len(encoded))
	for i, e := range encoded {
		out[i] = Encoding(e)
	}
	return out
}
