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

// TokenEncoder is an encoder with a vector for each token (ColBERT).
type TokenEncoder interface {
	encoder.TokenEncoder
	Close() error
}

// Classifier is a model that classifies a text or a pair of texts.
type Classifier interface {
	Info() encoder.Info
	// Labels are the names of the classes.
	Labels() []string
	// Classify returns, for each pair, the logit of each class. An empty second text
	// means a single text.
	Classify(ctx context.Context, pairs [][2]string) ([]Scores, error)
	Close() error
}

// Decoder is a language model that scores next tokens (PGRA's stage 2).
type Decoder interface {
	Encoder
	// Logits returns, for each text, the score of every token as the next one.
	Logits(ctx context.Context, texts []string) ([]Scores, error)
	// TokenID is the id of a token by its spelling.
	TokenID(token string) (uint32, bool)
}

// Scores are a text's logits.
type Scores struct {
	Logits    []float32 // nil if the text has no tokens
	Tokens    int
	Truncated bool
}
