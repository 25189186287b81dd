package main

import (
	"context"

	"github.com/vantage-search/vantage/model"
	"github.com/vantage-search/vantage/wasm/encode"
	"github.com/vantage-search/vantage/wasm/manifest"
	"github.com/vantage-search/vantage/wasm/search"
)

// encodeInto writes the vectors of texts one after the other.
func encodeInto(ctx context.Context, e model.Encoder, out []float32, texts []string, role model.Role) error {
	embeddings, err := e.Encode(ctx, texts, model.EncodeOptions{Role: role})
	for i, v := range embeddings {
		copy(out[i*len(v.Vector):], v.Vector)
	}
	return err
}

// titleOf names a model in reports.
func titleOf(info model.Info) string {
	title := info.ID + "@" + info.Revision
	if info.Int8 {
		title += ", weights of 8 bits"
	}
	return title
}

// retrieveEncoder is a model as package retrieve takes it.
type retrieveEncoder struct{ model.Encoder }

func (e retrieveEncoder) Dim() int { return e.Info().Dim }

func (e retrieveEncoder) EncodeDocuments(ctx context.Context, out []float32, texts []string) error {
	return encodeInto(ctx, e, out, texts, model.Document)
}

func (e retrieveEncoder) EncodeQuery(ctx context.Context, out []float32, text string) error {
	return encodeInto(ctx, e, out, []string{text}, model.Query)
}

// pirEncoder is a model as the PIR benchmark takes it, which encodes all texts
// alike: with the prompt that applies without a role, if there is any.
type pirEncoder struct{ model.Encoder }

func (e pirEncoder) Dim() int { return e.Info().Dim }

func (e pirEncoder) Name() string {
	if info := e.Info(); info.Int8 {
		return info.ID + " (int8)"
	}
	return e.Info().ID
}

func (e pirEncoder) Encode(ctx context.Context, out []float32, texts []string) error {
	return encodeInto(ctx, e.Encoder, out, texts, model.NoRole)
}

// searchEncoder is a model in one role as the searching side takes it.
type searchEncoder struct {
	ctx  context.Context // the command's
	e    model.Encoder
	role model.Role
}

func (s searchEncoder) Dim() int { return s.e.Info().Dim }

func (s searchEncoder) Encode(text string) ([]float32, encode.Info, error) {
	embeddings, err := s.e.Encode(s.ctx, []string{text}, model.EncodeOptions{Role: s.role})
	if err != nil {
		return nil, encode.Info{}, err
	}
	v := embeddings[0]
	return v.Vector, encode.Info{Tokens: v.Tokens, Truncated: v.Truncated}, nil
}

// outsideOf is a model as the encoder of a collection that does not carry it.
func outsideOf(ctx context.Context, e model.Encoder, m *manifest.Manifest) *search.Outside {
	info := e.Info()
	o := &search.Outside{EncoderRef: search.EncoderRef{ID: info.ID, Revision: info.Revision}, Queries: searchEncoder{ctx, e, model.Query}}
	if m.QueryModel == nil {
		o.Documents = searchEncoder{ctx, e, model.Document}
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
