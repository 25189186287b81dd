package named

import (
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/model"
)

// AsIndexed returns the options with which a collection's documents were encoded, or
// those of its query model, so that queries are encoded in the same way.
func AsIndexed(m *manifest.Model) (o model.Options) {
	if m.Architecture == "" || m.Architecture == manifest.Unstated {
		return o
	}
	if pooling, err := model.ParsePooling(m.Pooling); err == nil { // otherwise there are several poolings, which only a model's folder can ask for
		o.Pooling = pooling
	}
	o.MaxLength, o.Normalize, o.Int8 = m.MaxLength, &m.Normalize, m.Int8
	return o
}
