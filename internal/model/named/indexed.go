package named

import (
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
)

// AsIndexed returns the options with which a collection's documents were encoded, or
// those of its query model, so that queries are encoded in the same way. The collection's
// prompts replace those of the model's folder, because vectors with other prompts cannot be
// compared.
func AsIndexed(m *manifest.Model) (o model.Options) {
	if m.StatesPrompts() {
		o.Prompts = map[string]string{}
		for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
			o.Prompts[string(role)] = encoder.PromptOf(m.Prompts, role)
		}
	}
	if m.Pooling == "" && (m.Architecture == "" || m.Architecture == manifest.Unstated) {
		return o // only the model's name is known
	}
	if pooling, err := model.ParsePooling(m.Pooling); err == nil { // otherwise there are several poolings, which only a model's folder can ask for
		o.Pooling = pooling
	}
	o.MaxLength, o.Normalize, o.Int8 = m.MaxLength, &m.Normalize, m.Int8
	return o
}
