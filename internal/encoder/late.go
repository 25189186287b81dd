package encoder

import (
	"context"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// TokenEncoder is an encoder that can also give each token of a text a vector (ColBERT).
type TokenEncoder interface {
	Encoder
	// TokenInfo describes the encoder as one of token vectors: Dim is that of each.
	TokenInfo() Info
	// EncodeTokens returns the vectors that MaxSim compares, for each text in order. Queries
	// include vectors of padding as augmentation; documents leave out punctuation.
	EncodeTokens(ctx context.Context, texts []string, role Role) ([]TokenVectors, error)
}

// TokenVectors are a text's vectors, one row each.
type TokenVectors struct {
	Vectors   []float32 // [Rows, Dim]
	Rows, Dim int
	Tokens    int
	Truncated bool
}

// PoolingTokens is the Info.Pooling of token vectors that are not pooled.
const PoolingTokens = "tokens"

// ScoreTokens is the Info.Score of token vectors, by its name in package perspective.
const ScoreTokens = "maxsim"

// Late describes a TokenEncoder by its token vectors. Its vector of a whole text is their
// mean, scaled to length 1.
type Late struct{ TokenEncoder }

// Info is TokenInfo.
func (l Late) Info() Info { return l.TokenInfo() }

// Encode implements Encoder. It ignores prompts.
func (l Late) Encode(ctx context.Context, texts []string, o Options) ([]Embedding, error) {
	tokens, err := l.EncodeTokens(ctx, texts, o.Role)
	if err != nil {
		return nil, err
	}
	out := make([]Embedding, len(tokens))
	for i, t := range tokens {
		out[i] = Embedding{Vector: Mean(t.Vectors, t.Dim), Tokens: t.Tokens, Truncated: t.Truncated}
	}
	return out, nil
}

// EncodeTokens implements TokenEncoder, and checks the answer of an encoder that may be a
// program's own.
func (l Late) EncodeTokens(ctx context.Context, texts []string, role Role) ([]TokenVectors, error) {
	tokens, err := l.TokenEncoder.EncodeTokens(ctx, texts, role)
	if err != nil {
		return nil, err
	}
	info := l.TokenInfo()
	if len(tokens) != len(texts) {
		return nil, fault.Errorf(fault.Input, "the encoder %s gave token vectors of %d texts for %d: it must give them for each", info.ID, len(tokens), len(texts))
	}
	for i, t := range tokens {
		if t.Dim != info.Dim || len(t.Vectors) != t.Rows*t.Dim {
			return nil, &AnswerError{info.ID, i, fmt.Sprintf("%d numbers as token vectors: its description says rows of %d", len(t.Vectors), info.Dim)}
		}
		if err := checkFinite(info.ID, i, t.Vectors); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// Mean is the mean of rows of dim numbers, scaled to length 1; zeros if there is none, or
// if they cancel each other out.
func Mean(rows []float32, dim int) []float32 {
	sums := make([]float64, dim)
	for i, v := range rows {
		sums[i%dim] += float64(v)
	}
	var norm float64
	for _, v := range sums {
		norm += float64(v * v)
	}
	out := make([]float32, dim)
	if norm = math.Sqrt(norm); norm > 0 {
		for i, v := range sums {
			out[i] = float32(v / norm)
		}
	}
	return out
}
