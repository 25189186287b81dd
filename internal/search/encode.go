package search

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Encode encodes texts in the same way as the collection's queries or documents.
func (c *Collection) Encode(ctx context.Context, texts []string, role encoder.Role) ([]encoder.Embedding, error) {
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if !c.encodes(in, role) {
		return nil, in.noEncoder()
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

// EncodeAngles returns the angles of texts, encoded in the same way as the collection's
// queries or documents. The first call reads what the encoder needs for them.
func (c *Collection) EncodeAngles(ctx context.Context, texts []string, role encoder.Role) ([][]float32, error) {
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if !c.encodes(in, role) {
		return nil, in.noEncoder()
	}
	e, ok := in.encoder.(encoder.AngleEncoder)
	if !ok {
		return nil, errNoAngles(c.encoder.ID)
	}
	return e.EncodeAngles(ctx, texts, encoder.Options{Role: role})
}

func errNoAngles(id string) error {
	return fault.Errorf(fault.Unsupported, "the encoder %s cannot tell sides apart: index the corpus with one that does, such as --encoder sides", id)
}

// encodes reports whether texts in a role can be encoded. If queries have a model of
// their own, that model does not encode documents.
func (c *Collection) encodes(in *instance, role encoder.Role) bool {
	return in.encoder != nil && (role != encoder.Document || c.store == nil || c.store.Manifest().QueryModel == nil)
}
