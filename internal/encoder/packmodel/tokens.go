package packmodel

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// TokenEncoder is the model of a pack that gives each token a vector (ColBERT). Its vector
// of a whole text is their mean, scaled to length 1.
type TokenEncoder struct{ *Encoder }

var (
	_ packencoder.Encoder  = (*TokenEncoder)(nil)
	_ encoder.TokenEncoder = (*TokenEncoder)(nil)
)

// TokenInfo implements encoder.TokenEncoder.
func (e *TokenEncoder) TokenInfo() encoder.Info { return e.Info() }

// Encode implements encoder.Encoder. It ignores prompts: the pack has none.
func (e *TokenEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	return encoder.Late{TokenEncoder: e}.Encode(ctx, texts, o)
}

// EncodeTokens implements encoder.TokenEncoder. It encodes texts in the role encoder.Query as
// queries, and all others as documents.
func (e *TokenEncoder) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	c := e.pack.Manifest.Config.Tokens
	document := role != encoder.Query
	out := make([]encoder.TokenVectors, len(texts))
	var ids []uint32
	for first := 0; first < len(texts); {
		var b transformer.Batch
		last := first
		for ; last < len(texts) && len(b.IDs) < passTokens; last++ {
			var x packed.TokenText
			x, ids = packed.ReadTokens(c, e.pack.Tokenizer(), ids, texts[last], document)
			b.IDs, b.Lengths, b.Keys = append(b.IDs, x.IDs...), append(b.Lengths, len(x.IDs)), append(b.Keys, x.Keys)
			out[last] = encoder.TokenVectors{Dim: c.Dimension, Tokens: len(x.IDs), Truncated: x.Truncated}
		}
		vectors := make([]float32, len(b.IDs)*c.Dimension)
		if err := e.encodeTokens(ctx, vectors, &b); err != nil {
			return nil, err
		}
		token := 0
		for i, n := range b.Lengths {
			v := &out[first+i]
			own := vectors[token*c.Dimension : (token+n)*c.Dimension]
			v.Rows = packed.KeepTokens(c, own, b.IDs[token:token+n], document)
			v.Vectors = own[: v.Rows*c.Dimension : v.Rows*c.Dimension]
			token += n
		}
		first = last
	}
	return out, nil
}

// encodeTokens computes one batch.
func (e *TokenEncoder) encodeTokens(ctx context.Context, vectors []float32, b *transformer.Batch) error {
	e.turn.Lock()
	defer e.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.model.EncodeTokens(vectors, b, e.scratch)
}
