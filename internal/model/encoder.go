// Package model opens models in HuggingFace's layout and gives the same vectors as
// HuggingFace's libraries.
package model

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
)

// Encoder is an open model.
type Encoder interface {
	encoder.Encoder
	// Close frees the model, which must not be used afterwards.
	Close() error
}

// TokenEncoder is an encoder that has a vector for each token (ColBERT).
type TokenEncoder interface {
	Encoder
	// EncodeTokens returns the vectors by which texts are compared, see
	// rerank.MaxSim: of queries with padding as augmentation, of documents without
	// punctuation.
	EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]TokenVectors, error)
}

// Classifier is a model that sorts a text, or a pair of texts, into classes.
type Classifier interface {
	Info() encoder.Info
	// Labels of the classes.
	Labels() []string
	// Classify returns, for each pair, the logit of each class. An empty second
	// text means that there is none.
	Classify(ctx context.Context, pairs [][2]string) ([]Scores, error)
	Close() error
}

// Decoder is a language model with its last hidden states (PGRA's stage 2).
type Decoder interface {
	Encoder
	// Logits returns for each text the score of every token to come next.
	Logits(ctx context.Context, texts []string) ([]Scores, error)
	// TokenID is the id of a token by its spelling.
	TokenID(token string) (uint32, bool)
}

// TokenVectors are a text's vectors, one row each.
type TokenVectors struct {
	Vectors   []float32 // [Rows, Dim]
	Rows, Dim int
	Tokens    int
	Truncated bool
}

// Scores are the logits of a text.
type Scores struct {
	Logits    []float32 // nil: the text has no tokens
	Tokens    int
	Truncated bool
}
