package late

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// PackDim is the number of components of a token's vector in Packed.
const PackDim = 24

// Pack writes the pack of Model with seed 1 into a folder of its own.
func Pack(t testing.TB) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "colbert")
	if err := os.CopyFS(dir, packFiles(t, 1)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func packFiles(t testing.TB, seed uint64) fs.FS {
	t.Helper()
	c := quantized.Late
	c.Tokens = PackDim
	files, err := quantized.FS(c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Model opens a pack of a small ColBERT with random weights.
func Model(t testing.TB, seed uint64) *packmodel.TokenEncoder {
	t.Helper()
	files := packFiles(t, seed)
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

// Mixed are the folders of two collections: one of token vectors, which carries the pack of
// an encoder of whole texts, and one of whole texts, which carries that of a ColBERT.
func Mixed(t testing.TB) (mixed [2]string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c := quantized.Late
	c.Tokens, c.Dense = 0, []transformer.QuantizedDense{{Name: "dense.0", Out: PackDim}}
	files, err := quantized.FS(c, 1)
	must(err)
	whole, err := packmodel.Open(t.Context(), files, 1)
	must(err)
	defer whole.Close()
	dirs := [2]string{t.TempDir(), t.TempDir()}
	Packed(t, dirs[0], 4)
	one := func(yield func(store.Document, error) bool) {
		yield(store.Document{ID: "a", Text: "night trains"}, nil)
	}
	_, err = collection.Write(t.Context(), dirs[1], one, collection.Options{Rows: collection.Pack{Model: whole}, Terms: true})
	must(err)
	var manifests [2]map[string]json.RawMessage
	for i, dir := range dirs {
		b, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
		must(err)
		must(json.Unmarshal(b, &manifests[i]))
	}
	for i, dir := range dirs {
		own := maps.Clone(manifests[i])
		own["encoder"], own["model"] = manifests[1-i]["encoder"], manifests[1-i]["model"]
		b, err := json.Marshal(own)
		must(err)
		mixed[i] = t.TempDir()
		must(os.CopyFS(mixed[i], os.DirFS(dir)))
		must(os.RemoveAll(filepath.Join(mixed[i], "encoder")))
		must(os.CopyFS(filepath.Join(mixed[i], "encoder"), os.DirFS(filepath.Join(dirs[1-i], "encoder"))))
		must(os.WriteFile(filepath.Join(mixed[i], manifest.FileName), b, 0o600))
	}
	return mixed
}
