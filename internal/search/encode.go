package search

import (
	"context"
	"fmt"

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
	if err := c.encodes(in, role); err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, 0, len(texts))
	for first, portion := range encoder.Portions(in.encoder, texts) {
		embeddings, err := encoder.Encode(ctx, in.encoder, portion, encoder.Options{Role: role})
		if err != nil {
			return nil, encoder.Among(first, err)
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
	if err := c.encodes(in, role); err != nil {
		return nil, err
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

// encodes returns an error if texts in a role cannot be encoded. If queries have a model of
// their own, that model does not encode documents.
func (c *Collection) encodes(in *instance, role encoder.Role) error {
	if role == encoder.Document && c.store != nil {
		if m := c.store.Manifest(); m.QueryModel != nil {
			return &noDocuments{m.Model.ID, m.QueryModel.ID}
		}
	}
	if in.encoder == nil {
		return in.noEncoder()
	}
	return nil
}

// noDocuments says that texts cannot be encoded as documents, because a
// collection whose queries have a model of their own opens with that one. It is an ErrNoEncoder, too.
type noDocuments struct{ documents, queries string }

func (e *noDocuments) Error() string {
	return fmt.Sprintf("the encoder of documents, %s, is missing: the collection opens with that of its queries, %s, which encodes no documents: index the texts with both, or encode them with %[1]s itself", e.documents, e.queries)
}

// Is reports the kind of fault: query.
func (e *noDocuments) Is(target error) bool { return target == fault.Query || target == ErrNoEncoder }
