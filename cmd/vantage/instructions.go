package main

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
)

// encodePortion encodes texts, one that has an instruction with that as its prompt
// and the others as the options say, and tells how many have one.
func encodePortion(ctx context.Context, e encoder.Encoder, p portion, o encoder.Options) (embeddings []encoder.Embedding, instructed int, err error) {
	embeddings = make([]encoder.Embedding, len(p.texts))
	encode := func(places []int, o encoder.Options) error {
		if len(places) == 0 {
			return nil
		}
		texts := make([]string, len(places))
		for i, at := range places {
			texts[i] = p.texts[at]
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
	var own, others []int // places of texts
	var prompts []string
	for i, instruction := range p.instructions {
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
