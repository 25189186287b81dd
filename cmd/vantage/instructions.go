package main

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage/model"
)

// encodePortion encodes texts, one that has an instruction with that as its prompt
// and the others as the options say, and tells how many have one. Texts of one
// instruction are encoded together, and several instructions at a time: a vector
// does not depend on the texts beside it.
func encodePortion(ctx context.Context, encoder model.Encoder, p portion, o model.EncodeOptions) (embeddings []model.Embedding, instructed int, err error) {
	var plain []int // places of the texts without one
	places := map[string][]int{}
	for i, instruction := range p.instructions {
		if instruction == nil {
			plain = append(plain, i)
			continue
		}
		places[*instruction] = append(places[*instruction], i)
		instructed++
	}
	if instructed == 0 {
		embeddings, err = encoder.Encode(ctx, p.texts, o)
		return embeddings, 0, err
	}
	embeddings = make([]model.Embedding, len(p.texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	encode := func(places []int, o model.EncodeOptions) {
		group.Go(func() error {
			texts := make([]string, len(places))
			for i, at := range places {
				texts[i] = p.texts[at]
			}
			encoded, err := encoder.Encode(ctx, texts, o)
			for i, e := range encoded {
				embeddings[places[i]] = e
			}
			return err
		})
	}
	if len(plain) > 0 {
		encode(plain, o)
	}
	for instruction, of := range places {
		encode(of, model.EncodeOptions{Prompt: &instruction})
	}
	err = group.Wait()
	return embeddings, instructed, err
}
