package main

import (
	"context"
	"iter"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
)

// modelEncoder is a model as package vantage takes it.
type modelEncoder struct{ encoder.Encoder }

func encoderOf(e encoder.Encoder) vantage.Encoder { return modelEncoder{e} }

func (e modelEncoder) Model() vantage.Model {
	info := e.Info()
	return vantage.Model{ID: info.ID, Revision: info.Revision, Architecture: info.Architecture, Dim: info.Dim, Pooling: info.Pooling,
		Normalize: info.Normalize, MaxLength: info.MaxLength, Int8: info.Int8, BF16: info.BF16, Prompts: info.Prompts}
}

func (e modelEncoder) Encode(ctx context.Context, texts []string, role vantage.Role) ([]vantage.Encoding, error) {
	embeddings, err := e.Encoder.Encode(ctx, texts, encoder.Options{Role: encoder.Role(role)})
	if err != nil {
		return nil, err
	}
	out := make([]vantage.Encoding, len(embeddings))
	for i, v := range embeddings {
		out[i] = vantage.Encoding{Vector: v.Vector, Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, nil
}

// staticEncoder opens a static model.
func staticEncoder(place named.Model) (*vantage.StaticEncoder, error) {
	files, err := place.Files()
	if err != nil {
		return nil, err
	}
	return vantage.NewStaticEncoder(vantage.StaticFiles(files))
}

// queriesOf describes the model that encodes a collection's queries.
func queriesOf(about *vantage.Description) *manifest.Model {
	m := manifest.Model(about.Model)
	if about.QueryModel != nil {
		m = manifest.Model(*about.QueryModel)
	}
	return &m
}

// documentsOf are documents as package vantage takes them.
func documentsOf(documents iter.Seq2[store.Document, error]) iter.Seq2[vantage.Document, error] {
	return func(yield func(vantage.Document, error) bool) {
		for d, err := range documents {
			if !yield(vantage.Document(d), err) {
				return
			}
		}
	}
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
