package main

import (
	"context"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// searchEncoder is a model in one role as the searching side takes it.
type searchEncoder struct {
	ctx  context.Context // the command's
	e    model.Encoder
	role encoder.Role
}

func (s searchEncoder) Dim() int { return s.e.Info().Dim }

func (s searchEncoder) Encode(text string) ([]float32, encode.Info, error) {
	embeddings, err := s.e.Encode(s.ctx, []string{text}, encoder.Options{Role: s.role})
	if err != nil {
		return nil, encode.Info{}, err
	}
	v := embeddings[0]
	return v.Vector, encode.Info{Tokens: v.Tokens, Truncated: v.Truncated}, nil
}

// outsideOf is a model as the encoder of a collection that does not carry it.
func outsideOf(ctx context.Context, e model.Encoder, m *manifest.Manifest) *search.Outside {
	info := e.Info()
	o := &search.Outside{EncoderRef: search.EncoderRef{ID: info.ID, Revision: info.Revision}, Queries: searchEncoder{ctx, e, encoder.Query}}
	if m.QueryModel == nil {
		o.Documents = searchEncoder{ctx, e, encoder.Document}
	}
	return o
}

// asIndexed are the options under which a collection's documents were encoded,
// so that queries are encoded in the same way, or those of its query model.
func asIndexed(m *manifest.Model) (o model.Options) {
	if m.Architecture == "" {
		return o
	}
	if pooling, err := model.ParsePooling(m.Pooling); err == nil { // else several, which only the model's folder can ask for
		o.Pooling = pooling
	}
	o.MaxLength, o.Normalize, o.Int8 = m.MaxLength, &m.Normalize, m.Int8
	return o
}
