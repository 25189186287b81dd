package fit

import (
	"context"

	input "github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Documents fits a model to the documents of a corpus. Errors before the first text are
// faults of the options, later ones are faults of the texts.
func Documents(ctx context.Context, c *input.Corpus, o Options) (Files, error) {
	var failed error
	begun := false
	model, err := Fit(ctx, func(yield func(string) bool) {
		begun = true
		for doc, err := range c.Documents() {
			if err != nil {
				failed = err
				return
			}
			if !yield(doc.EncodedText()) {
				return
			}
		}
	}, o)
	switch {
	case failed != nil:
		return Files{}, failed
	case err == nil, ctx.Err() != nil:
		return model, err
	case !begun:
		return Files{}, fault.As(fault.Query, err)
	}
	return Files{}, fault.As(fault.Input, err)
}
