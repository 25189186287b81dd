package collection

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
)

// outside is an encoder that the collection does not carry, such as a transformer.
type outside struct {
	encoder  encoder.Encoder
	progress func(done int)
	journal  *journal // nil: a run that is interrupted encodes again
}

// modelOf is what the manifest says of an encoder.
func modelOf(e encoder.Encoder) manifest.Model {
	info := e.Info()
	m := manifest.Model{ID: info.ID, Revision: info.Revision, Kind: manifest.KindExternal, Architecture: info.Architecture, Dim: info.Dim,
		Pooling: info.Pooling, Normalize: info.Normalize, MaxLength: info.MaxLength, Int8: info.Int8, BF16: info.BF16}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		if text, _ := info.Prompt(role); text != "" {
			if m.Prompts == nil {
				m.Prompts = map[string]string{}
			}
			m.Prompts[string(role)] = text
		}
	}
	return m
}

// sameModel reports whether two descriptions are of an encoder that gives the same vectors.
func sameModel(a, b manifest.Model) bool {
	return a.ID == b.ID && a.Revision == b.Revision && a.Kind == b.Kind && a.Architecture == b.Architecture && a.Dim == b.Dim &&
		a.Pooling == b.Pooling && a.Normalize == b.Normalize && a.MaxLength == b.MaxLength && a.Int8 == b.Int8 && a.BF16 == b.BF16 && maps.Equal(a.Prompts, b.Prompts)
}

// fill encodes the documents of a batch that have no row yet, which is done here, in the order of the corpus, and not
// by the workers: the encoder itself uses all processors for the texts of a portion. Texts go to it, and their vectors
// to the journal, in portions; the vectors do not depend on them.
func (e *outside) fill(ctx context.Context, b *batch) error {
	b.vectors = make([][]float32, len(b.todo))
	info, limit := e.encoder.Info(), math.MaxInt
	if info.MaxLength > 0 {
		limit = 8 * info.MaxLength // what follows is cut off
	}
	var texts []string
	var places []int // in b.todo
	size := 0
	flush := func() error {
		if len(texts) == 0 {
			return nil
		}
		embeddings, err := e.encoder.Encode(ctx, texts, encoder.Options{Role: encoder.Document})
		if err != nil {
			return err
		}
		for i, v := range embeddings {
			at := b.todo[places[i]]
			if err := checkFinite(v.Vector); err != nil {
				return &DocumentError{Index: b.first + at, ID: b.docs[at].ID, Problem: err.Error(), Err: err}
			}
			b.vectors[places[i]] = v.Vector
			if v.Truncated {
				b.truncated++
			}
		}
		if e.journal != nil {
			if err := e.journal.add(texts, embeddings); err != nil {
				return err
			}
		}
		e.progress(b.first + b.todo[places[len(places)-1]] + 1)
		texts, places, size = texts[:0], places[:0], 0
		return nil
	}
	for i, at := range b.todo {
		if isBlank(&b.docs[at]) {
			b.vectors[i] = make([]float32, info.Dim) // never found, whatever the model makes of nothing
			continue
		}
		text := b.docs[at].EncodedText()
		if e.journal != nil {
			vector, truncated, ok, err := e.journal.take(text)
			if err != nil {
				return err
			}
			if ok {
				b.vectors[i] = vector
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
	e.progress(b.first + len(b.docs))
	return err
}

func checkFinite(v []float32) error {
	for i, x := range v {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return fmt.Errorf("the model gives it a vector with %v at place %d: its weights are damaged", x, i)
		}
	}
	return nil
}

// canaries returns texts as the encoder encodes documents.
func (e *outside) canaries(ctx context.Context, texts []string) ([]manifest.Canary, error) {
	return canariesOf(ctx, e.encoder, texts, encoder.Document)
}

// canariesOf returns texts as an encoder encodes them in a role.
func canariesOf(ctx context.Context, e encoder.Encoder, texts []string, role encoder.Role) ([]manifest.Canary, error) {
	embeddings, err := e.Encode(ctx, texts, encoder.Options{Role: role})
	if err != nil {
		return nil, err
	}
	out := make([]manifest.Canary, len(texts))
	for i, v := range embeddings {
		if err := checkFinite(v.Vector); err != nil {
			return nil, fmt.Errorf("%.60q: %w", texts[i], err)
		}
		out[i] = manifest.Canary{Text: texts[i], Vector: v.Vector}
	}
	return out, nil
}

// agree refuses given vectors that the encoder did not make.
func (e *outside) agree(ctx context.Context, m *manifest.Manifest) error {
	return agree(func(text string) ([]float32, error) {
		made, err := e.canaries(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		return made[0].Vector, nil
	}, m)
}
