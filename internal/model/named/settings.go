package named

import (
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Settings say how a transformer encodes, as users write it.
type Settings struct {
	Pooling   string // "": as the model says
	MaxLength int    // in tokens; 0: as the model says
	Threads   int    // 0: as many as there are processors
	Int8      bool   // weights of 8 bits
	Device    Device
	Prompts   map[string]string // in place of the model's, by role; "" removes one; nil: the model's
}

// Any reports whether a setting is given that static models do not have.
func (s *Settings) Any() bool {
	return s.Pooling != "" || s.MaxLength != 0 || s.Int8 || s.Device.Given() || s.Prompts != nil
}

// Options are what the settings ask of a model. An unknown pooling is an error of kind
// query.
func (s *Settings) Options() (o model.Options, err error) {
	if s.Pooling != "" {
		if o.Pooling, err = model.ParsePooling(s.Pooling); err != nil {
			return o, fault.As(fault.Query, err)
		}
	}
	o.MaxLength, o.Threads, o.Int8, o.Prompts = s.MaxLength, s.Threads, s.Int8, s.Prompts
	return o, nil
}
