package search

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
)

// Encode encodes texts in the same way as the collection's queries or documents.
func (c *Collection) Encode(ctx context.Context, texts []string, role encoder.Role) ([]encoder.Embedding, error) {
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if !c.encodes(in, role) {
		return nil, ErrNoEncoder
	}
	out := make([]encoder.Embedding, 0, len(texts))
	for _, portion := range encoder.Portions(in.encoder, texts) {
		embeddings, err := encoder.Encode(ctx, in.encoder, portion, encoder.Options{Role: role})
		if err != nil {
			return nil, err
		}
		out = append(out, embeddings...)
	}
	return out, nil
}

// encodes reports whether texts in a role can be encoded. If queries have a model of
// their own, that model does not encode documents.
func (c *Collection) encodes(in *instance, role encoder.Role) bool {
	return in.encoder != nil && (role != encoder.Document || c.store == nil || c.store.Manifest().QueryModel == nil)
}
