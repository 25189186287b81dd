package search

import (
	"context"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Encoded is a text's vector, and what became of the text.
type Encoded struct {
	Vector []float32
	Info   encode.Info
}

// Encode encodes texts as the collection's queries are, or as its documents.
func (c *Collection) Encode(ctx context.Context, texts []string, documents bool) ([]Encoded, error) {
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	encoder := in.encoder
	if documents {
		encoder = in.documents
	}
	if encoder == nil {
		return nil, ErrNoEncoder
	}
	out := make([]Encoded, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[i].Vector, out[i].Info, err = encoder.Encode(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}
