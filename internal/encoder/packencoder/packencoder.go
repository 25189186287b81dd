// Package packencoder is the interface of the encoder of a pack (internal/wasm/pack). It
// links no transformer, unlike package packmodel, which implements it.
package packencoder

import (
	"context"
	"io/fs"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// Encoder is the encoder of a pack.
type Encoder interface {
	encoder.AngleEncoder
	// EncodeParts returns, for each text, the vectors of the given parts of the model. It is an
	// error to ask for a branch that the pack does not have.
	EncodeParts(ctx context.Context, texts []string, o encoder.Options, parts encoder.Parts) ([]encoder.PartVectors, error)
	// BranchDim is the number of components of the branch's vectors, 0 without a branch.
	BranchDim() int
	Tokenizer() *encode.WordPiece

	// Manifest of the pack.
	Manifest() *pack.Manifest
	// JSON is the content of pack.json. It must not be changed.
	JSON() []byte
	// File reads a payload file again, and compares its hash.
	File(f pack.File) ([]byte, error)
	// Reader has the files of another pack, which reads queries for this one; nil: there is none.
	Reader() fs.FS
}

// Info describes the encoder of a pack.
func Info(m *pack.Manifest) encoder.Info {
	i := encoder.Info{ID: m.ID, Revision: m.Revision, Language: m.Language, Architecture: "bert", Dim: m.Config.Dimension(), Pooling: m.Config.Pooling,
		Normalize: m.Config.Normalize, MaxLength: m.Config.MaxLength, Vocabulary: m.Config.Vocabulary, Int8: true, Prompts: m.Prompts, DefaultPrompt: m.DefaultPrompt}
	if t := m.Config.Tokens; t != nil {
		i.MaxLength, i.Pooling, i.Score = t.DocumentLength, encoder.PoolingTokens, encoder.ScoreTokens
	}
	return i
}
