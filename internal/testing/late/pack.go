package late

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
)

// PackDim is the number of components of a token's vector in Packed.
const PackDim = 24

// Model opens a pack of a small ColBERT with random weights.
func Model(t testing.TB, seed uint64) *packmodel.TokenEncoder {
	t.Helper()
	c := quantized.Late
	c.Tokens = PackDim
	files, err := quantized.FS(c, seed)
	if err != nil {
		t.Fatal(err)
	}
	e, err := packmodel.OpenAny(t.Context(), files, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e.(*packmodel.TokenEncoder)
}

// Texts are random words that the small models know, with a few that they spell out and
// some punctuation. One text is empty, and one is longer than the models read.
func Texts(n int, seed uint64) (texts []string) {
	var words []string
	for _, piece := range modeltest.Vocabulary() {
		if len(piece) > 1 && piece[0] != '[' && piece[0] != '#' {
			words = append(words, piece)
		}
	}
	words = append(words, ".", ",", "!", "unknownwordxyz", "bicycle")
	r := rand.New(rand.NewPCG(seed, 3))
	for i := range n {
		length := 1 + r.IntN(24)
		switch i {
		case 7:
			length = 0
		case 8:
			length = 90
		}
		var text []string
		for range length {
			text = append(text, words[r.IntN(len(words))])
		}
		texts = append(texts, strings.Join(text, " "))
	}
	return texts
}

// Packed writes a collection that carries the pack of Model and has an index of words. Its
// documents are Texts, with their number as id and as the field "n".
func Packed(t testing.TB, dir string, bits int) (e *packmodel.TokenEncoder, texts []string) {
	t.Helper()
	e, texts = Model(t, 1), Texts(120, 1)
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"n": float64(i)}}, nil) {
				return
			}
		}
	}
	options := collection.Options{Rows: collection.Tokens{Encoder: e, Bits: bits}, Terms: true, ShardBytes: 20_000}
	if _, err := collection.Write(t.Context(), dir, docs, options); err != nil {
		t.Fatal(err)
	}
	return e, texts
}
