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

// Classifier is a model that classifies pairs of texts.
type Classifier interface {
	Info() encoder.Info
	// Labels are the names of the classes.
	Labels() []string
	// Classify returns, for each pair, the logit of each class. A pair has both of its
	// separators even if a text is empty, as a CrossEncoder reads it.
	Classify(ctx context.Context, pairs [][2]string) ([]Scores, error)
	// ClassifyWindows is Classify for pairs whose first text may be longer than the model
	// reads: it is divided into windows (encoder.Windows), each of which is classified with
	// the whole second text. The result has the scores of each pair's windows in order. It
	// is an error if a second text leaves no room for windows.
	ClassifyWindows(ctx context.Context, pairs [][2]string) ([][]Scores, error)
	Close() error
}

// Decoder is a language model that scores next tokens (PGRA's stage 2). A prompt that many
// texts share is computed once, by Likelihoods and, if vectors are the state of the last
// token, by Encode.
type Decoder interface {
	Encoder
	// Logits returns, for each text, the score of every token as the next one.
	Logits(ctx context.Context, texts []string) ([]Scores, error)
	// Likelihoods returns, for each text, the natural logarithm of the probability of
	// each ending after prompt and text. Endings may have several tokens. A text that
	// is too long with an ending is an error, and so is an ending whose first token
	// would run together with the text.
	Likelihoods(ctx context.Context, prompt string, texts, endings []string) ([][]float64, error)
	// Count is the number of tokens of a text with special ones, as the model reads it.
	Count(text string) int
	// TokenID is the id of a token by its spelling.
	TokenID(token string) (uint32, bool)
}

// Scores are a text's logits.
type Scores struct {
	Logits    []float32 // nil if the text has no tokens
	Tokens    int
	Truncated bool
}
