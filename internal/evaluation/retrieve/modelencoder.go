package retrieve

import (
	"context"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
)

// modelEncoder is an encoder that is opened when it is needed.
type modelEncoder struct {
	name    string // as given by the user
	model   named.Model
	options model.Options
	device  named.Device
	console *console.Console
	info    encoder.Info  // set when the encoder was first opened
	tokens  bool          // it can give each token a vector; set by try
	kept    model.Encoder // the open encoder that Try kept, or nil

	prefixes map[encoder.Role]string // nil: the model's own prompts

	pack func(context.Context) (model.Encoder, error) // opens a pack; nil for other models
}

func (e *modelEncoder) try(ctx context.Context, keep, late bool) error {
	encoder, err := e.open(ctx)
	if err != nil {
		return err
	}
	inner := encoder
	if p, ok := encoder.(*prefixed); ok {
		inner = p.Encoder
	}
	if _, e.tokens = inner.(model.TokenEncoder); !late {
		named.WarnOfAverages(inner, e.options, e.console)
	}
	if e.prefixes == nil && !(late && e.tokens) {
		e.model.WarnOfPrompts(e.info, e.console, prefixesFor)
	}
	e.options.Notice = func(string) {} // the warning is given once
	if e.kept = encoder; keep {
		return nil
	}
	return e.drop()
}

// drop closes the encoder that Try kept.
func (e *modelEncoder) drop() error {
	if e.kept == nil {
		return nil
	}
	err := e.kept.Close()
	e.kept = nil
	return err
}

// open opens an encoder. The caller must close it.
func (e *modelEncoder) open(ctx context.Context) (encoder model.Encoder, err error) {
	if encoder, e.kept = e.kept, nil; encoder != nil {
		return encoder, nil
	}
	if e.pack != nil {
		encoder, err = e.pack(ctx)
	} else {
		encoder, err = e.model.Open(ctx, e.options, e.device)
	}
	if err != nil {
		return nil, err
	}
	if e.prefixes != nil {
		encoder = &prefixed{encoder, e.prefixes}
	}
	e.info = encoder.Info()
	return encoder, nil
}
