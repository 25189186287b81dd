package open

import (
	"iter"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Encoder is a model as package vantage takes it.
func Encoder(e encoder.Encoder) vantage.Encoder { return bridge.NewEncoder(e).(vantage.Encoder) }

// StaticEncoder opens a static model.
func StaticEncoder(place named.Model) (vantage.Encoder, error) {
	files, err := place.Files()
	if err != nil {
		return nil, err
	}
	e, err := files.Encoder(staticmodel.Options{})
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	return Encoder(e), nil
}

// queriesOf describes the model that encodes a collection's queries.
func queriesOf(about *vantage.Description) *manifest.Model {
	m := manifest.Model(about.Queries())
	return &m
}

// Documents are documents as package vantage takes them.
func Documents(documents iter.Seq2[store.Document, error]) iter.Seq2[vantage.Document, error] {
	return func(yield func(vantage.Document, error) bool) {
		for d, err := range documents {
			if !yield(vantage.Document(d), err) {
				return
			}
		}
	}
}
