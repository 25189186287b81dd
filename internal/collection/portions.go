package collection

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
)

// prepare encodes the documents of a batch that have no row yet. This is done here in
// the order of the corpus, and not by the workers, because the encoder itself uses all
// processors. Texts go to the encoder, and vectors to the journal, in portions; the
// vectors do not depend on the portions.
func (e *outside) prepare(ctx context.Context, b *batch) error {
	b.vectors = make([][]float32, len(b.todo))
	info, limit := e.Encoder.Info(), math.MaxInt
	if info.MaxLength > 0 {
		limit = 8 * info.MaxLength // the encoder truncates longer texts
	}
	var texts []string
	var places []int // indexes into b.todo
	size := 0
	flush := func() error {
		if len(texts) == 0 {
			return nil
		}
		embeddings, err := e.encodeDocuments(ctx, texts)
		if answer, ok := errors.AsType[*encoder.AnswerError](err); ok {
			at := b.todo[places[answer.Text]]
			return &DocumentError{Index: b.first + at, ID: b.docs[at].ID, Problem: fmt.Sprintf("the encoder %s gave it %s", answer.ID, answer.Problem), Err: err}
		}
		if err != nil {
			return err
		}
		for i, v := range embeddings {
			b.vectors[places[i]] = v.Vector
			if v.Truncated {
				b.truncated++
			}
		}
		if e.journal != nil {
			kept, err := e.journal.add(texts, embeddings)
			if err != nil {
				return err
			}
			for i, record := range kept {
				e.keep(b, places[i], record)
			}
		}
		e.o.progress(StageEncode, int64(b.first+b.todo[places[len(places)-1]]+1), 0)
		texts, places, size = texts[:0], places[:0], 0
		return nil
	}
	for i, at := range b.todo {
		if isBlank(&b.docs[at]) {
			b.vectors[i] = make([]float32, info.Dim) // matches nothing, whatever vector the model gives an empty text
			continue
		}
		text := b.docs[at].EncodedText()
		if e.journal != nil {
			vector, truncated, record, ok, err := e.journal.take(text)
			if err != nil {
				return err
			}
			if ok {
				b.vectors[i] = vector
				e.keep(b, i, record)
				b.resumed++
				if truncated {
					b.truncated++
				}
				continue
			}
		}
		texts, places = append(texts, text), append(places, i)
		if size += min(len(text), limit); size >= info.PortionBytes() {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	err := flush()
	e.o.progress(StageEncode, int64(b.first+len(b.docs)), 0)
	return err
}

// encodeDocuments returns the vector of each document or, if tokens is set, the vectors of
// its tokens.
func (e *outside) encodeDocuments(ctx context.Context, texts []string) ([]encoder.Embedding, error) {
	if e.tokens != nil {
		return e.tokens.encodeTexts(ctx, texts)
	}
	return encoder.Encode(ctx, e.Encoder, texts, encoder.Options{Role: encoder.Document})
}

// keep leaves the vectors of a document's tokens in the journal, and puts their mean in
// their place. It does nothing unless tokens is set.
func (e *outside) keep(b *batch, n int, record int64) {
	if e.tokens != nil {
		e.tokens.keep(b.first+b.todo[n], record)
		b.vectors[n] = encoder.Mean(b.vectors[n], e.Encoder.Info().Dim)
	}
}

// canariesOf returns texts as an encoder encodes them in a role.
func canariesOf(ctx context.Context, e encoder.Encoder, texts []string, role encoder.Role) ([]manifest.Canary, error) {
	embeddings, err := encoder.Encode(ctx, e, texts, encoder.Options{Role: role})
	if answer, ok := errors.AsType[*encoder.AnswerError](err); ok {
		return nil, fmt.Errorf("%.60q: %w", texts[answer.Text], err)
	}
	if err != nil {
		return nil, err
	}
	out := make([]manifest.Canary, len(texts))
	for i, v := range embeddings {
		out[i] = manifest.Canary{Text: texts[i], Vector: v.Vector}
	}
	return out, nil
}
