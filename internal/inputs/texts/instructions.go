package texts

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
)

// Encode encodes texts and returns the number of texts with an instruction. An
// instruction serves as the text's prompt; other texts are encoded with the options.
func (p *Portion) Encode(ctx context.Context, e encoder.Encoder, o encoder.Options) (embeddings []encoder.Embedding, instructed int, err error) {
	embeddings = make([]encoder.Embedding, len(p.Texts))
	encode := func(places []int, o encoder.Options) error {
		if len(places) == 0 {
			return nil
		}
		texts := make([]string, len(places))
		for i, at := range places {
			texts[i] = p.Texts[at]
		}
		encoded, err := e.Encode(ctx, texts, o)
		if err != nil {
			return err
		}
		for i, at := range places {
			embeddings[at] = encoded[i]
		}
		return nil
	}
	var own, others []int // indexes of texts
	var prompts []string
	for i, instruction := range p.Instructions {
		if instruction == nil {
			others = append(others, i)
			continue
		}
		own, prompts = append(own, i), append(prompts, *instruction)
	}
	if err := encode(others, o); err != nil {
		return nil, 0, err
	}
	return embeddings, len(own), encode(own, encoder.Options{Prompts: prompts})
}
