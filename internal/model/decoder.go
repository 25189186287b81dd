package model

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// decoder is OPT.
type decoder struct{ *textEncoder }

func (d *decoder) TokenID(token string) (uint32, bool) { return d.tokens.ID(token) }

// Logits implements Decoder.
func (d *decoder) Logits(ctx context.Context, texts []string) ([]Scores, error) {
	prompt, err := d.prompt(encoder.Options{})
	if err != nil {
		return nil, err
	}
	inputs := make([]input, len(texts))
	for i, text := range texts {
		inputs[i].ids, inputs[i].truncated = d.tokens.Frame(d.encode(prompt+text), d.maxLength)
	}
	scores := make([]Scores, len(texts))
	err = d.forward(ctx, inputs, func(i int, hidden []float32) {
		scores[i] = Scores{Tokens: len(inputs[i].ids), Truncated: inputs[i].truncated}
		if len(hidden) > 0 {
			last := hidden[len(hidden)-d.size.Hidden():]
			scores[i].Logits = d.model.(*transformer.OPT).Logits(d.workers, last, 1)
		}
	})
	return scores, err
}
