package main

import (
	"context"

	"github.com/vantage-search/vantage/internal/model"
)

// encodePortion encodes texts, one that has an instruction with that as its prompt
// and the others as the options say, and tells how many have one.
func encodePortion(ctx context.Context, encoder model.Encoder, p portion, o model.EncodeOptions) (embeddings []model.Embedding, instructed int, err error) {
	embeddings = make([]model.Embedding, len(p.texts))
	encode := func(places []int, o model.EncodeOptions) error {
		if len(places) == 0 {
			return nil
		}
		texts := make([]string, len(places))
		for i, at := range places {
			texts[i] = p.texts[at]
		}
		encoded, err := encoder.Encode(ctx, texts, o)
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
	return embeddings, len(own), encode(own, model.EncodeOptions{Prompts: prompts})
}
