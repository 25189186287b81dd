package search

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Encoding encodes queries and the texts of Rerank. Callers give InCore or Outside.
type Encoding interface {
	ref() EncoderRef
	// open opens the encoding for a core.
	open(ctx context.Context, core Core) (encoder.Encoder, error)
}

// InCore is a static encoder, which the core runs itself.
type InCore struct{ Files staticmodel.Files }

// Outside is an encoder outside the core, such as a transformer. Queries and documents
// are encoded in their roles, because many models have a different prompt for each;
// canaries are encoded as documents. If the collection has a separate model for
// queries, Encoder must be that model, canaries are queries, and Rerank refuses texts.
type Outside struct{ Encoder encoder.Encoder }

func (o Outside) ref() EncoderRef {
	info := o.Encoder.Info()
	return EncoderRef{info.ID, info.Revision}
}

func (o Outside) open(context.Context, Core) (encoder.Encoder, error) { return o.Encoder, nil }

func (s InCore) ref() EncoderRef { return EncoderRef{s.Files.ID, s.Files.Revision} }

func (s InCore) open(_ context.Context, core Core) (encoder.Encoder, error) {
	opened, err := core.OpenEncoder(s.Files.Tokenizer, s.Files.Weights, s.Files.Config)
	if err != nil {
		return nil, fmt.Errorf("encoder %s: %w", s.Files.ID, err)
	}
	e := inCore{encoder: opened, core: core, about: encoder.Info{ID: s.Files.ID, Revision: s.Files.Revision, Language: s.Files.Language, Dim: opened.Dim()}}
	if s.Files.Reader != nil {
		if err := e.openReader(s.Files.Reader); err != nil {
			return nil, fmt.Errorf("encoder %s: its reader of queries: %w", s.Files.ID, err)
		}
	}
	return e, nil
}

// inCore is a core's encoder, which takes one text at a time and ignores roles.
type inCore struct {
	encoder Encoder
	core    Core
	about   encoder.Info

	reader Model // of queries; nil: the core's grammar reads them
}

func (e inCore) Info() encoder.Info { return e.about }

func (e inCore) Encode(ctx context.Context, texts []string, _ encoder.Options) ([]encoder.Embedding, error) {
	out := make([]encoder.Embedding, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector, info, err := e.encoder.Encode(text)
		if err != nil {
			return nil, err
		}
		out[i] = encoder.Embedding{Vector: vector, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
	}
	return out, nil
}

// carried is the static encoder that a collection carries.
type carried struct{ c *Collection }

func (k carried) ref() EncoderRef {
	m := k.c.store.Manifest().Model
	return EncoderRef{m.ID, m.Revision}
}

func (k carried) open(ctx context.Context, core Core) (encoder.Encoder, error) {
	m := k.c.store.Manifest()
	files := staticmodel.Files{ID: m.Model.ID, Revision: m.Model.Revision, Language: m.Model.Language}
	for _, part := range []struct {
		file manifest.File
		to   *[]byte
	}{{m.Encoder.Tokenizer, &files.Tokenizer}, {m.Encoder.Weights, &files.Weights}, {m.Encoder.Config, &files.Config}} {
		content, err := k.c.read(ctx, part.file)
		if err != nil {
			return nil, err
		}
		*part.to = content
	}
	opened, err := InCore{files}.open(ctx, core)
	if err != nil && fault.Of(err) == "" { // the native core's errors have no kind
		err = fault.As(fault.Input, err)
	}
	return opened, err
}
