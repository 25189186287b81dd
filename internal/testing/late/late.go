// Package late makes collections that are ranked by MaxSim, for tests.
package late

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
)

// Dim is the number of components of a token's vector. With so many, rows of int8 are padded.
const Dim = 40

// Words is an encoder that gives each word of a text a vector: one drawn by the word, and
// a little of one drawn by the text, as if words had meanings and contexts.
type Words struct{}

// Info implements encoder.Encoder, although Words does not encode whole texts.
func (w Words) Info() encoder.Info { return w.TokenInfo() }

// TokenInfo implements encoder.TokenEncoder.
func (Words) TokenInfo() encoder.Info {
	return encoder.Info{ID: "words", Architecture: "bert", Dim: Dim, Pooling: encoder.PoolingTokens}
}

// Encode implements encoder.Encoder by an error.
func (Words) Encode(context.Context, []string, encoder.Options) ([]encoder.Embedding, error) {
	return nil, errors.New("words have vectors, and texts have none")
}

// EncodeTokens implements encoder.TokenEncoder.
func (w Words) EncodeTokens(_ context.Context, texts []string, _ encoder.Role) (all []encoder.TokenVectors, err error) {
	for _, text := range texts {
		vectors := w.Vectors(text)
		n := len(vectors) / Dim
		all = append(all, encoder.TokenVectors{Vectors: vectors, Rows: n, Dim: Dim, Tokens: n})
	}
	return all, nil
}

// Vectors are those of the words of a text, one after the other, each of length 1.
func (Words) Vectors(text string) (vectors []float32) {
	for _, word := range strings.Fields(text) {
		var row [Dim]float64
		norm := 0.0
		for i, part := range []string{word, text} {
			h := fnv.New64a()
			h.Write([]byte(part))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for j := range row {
				row[j] += r.NormFloat64() / float64(1+3*i)
			}
		}
		for _, v := range row {
			norm += v * v
		}
		for _, v := range row {
			vectors = append(vectors, float32(v/math.Sqrt(norm)))
		}
	}
	return vectors
}

// Documents are texts of up to 24 of 90 words; some have none. The field "n" is the number
// of a document.
func Documents() []store.Document {
	r := rand.New(rand.NewPCG(1, 2))
	docs := make([]store.Document, 400)
	for i := range docs {
		words := make([]string, max(0, r.IntN(26)-1))
		for j := range words {
			words[j] = fmt.Sprintf("w%d", r.IntN(90))
		}
		docs[i] = store.Document{ID: fmt.Sprintf("d%d", i), Text: strings.Join(words, " "), Metadata: map[string]any{"n": float64(i)}}
	}
	return docs
}

// Collection writes a collection of Documents into a folder, with residuals of some bits
// and an index of words. It has several files of token vectors.
func Collection(t testing.TB, dir string, bits int) {
	t.Helper()
	all := func(yield func(store.Document, error) bool) {
		for _, d := range Documents() {
			if !yield(d, nil) {
				return
			}
		}
	}
	options := collection.Options{Rows: collection.Tokens{Encoder: Words{}, Bits: bits}, Terms: true, ShardBytes: 40_000}
	if _, err := collection.Write(t.Context(), dir, iter.Seq2[store.Document, error](all), options); err != nil {
		t.Fatal(err)
	}
}
