package packmodel

import (
	"crypto/sha256"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
)

// Tokens have the vectors that the core's encoder gives them, to the bit, whatever the
// batch and the number of threads.
func TestEncodesTokensAsTheCore(t *testing.T) {
	files := tinyPack(t, quantized.Late)
	core, err := packed.Open(files[pack.FileName], sha256.Sum256, dense.NewPool(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := core.EncodeTokens(nil, "a", true); fault.Of(err) != fault.Unavailable {
		t.Errorf("before anything has been read: %v", err)
	}
	for _, s := range core.Manifest().Sections {
		for _, f := range s.Files {
			if err := core.File(s.Name, files[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := core.Encode(make([]float32, 24), nil, "a"); fault.Of(err) != fault.Unsupported {
		t.Errorf("a vector of a whole text: %v", err)
	}
	words := strings.Fields(strings.Repeat("night trains , help people . unknownwordxyz ! ", 8))
	var texts []string
	for n := range len(words) { // the last are longer than the model's limit, and together they need several passes
		texts = append(texts, strings.Join(words[:n], " "))
	}
	dir := write(t, files)
	for _, threads := range []int{1, 2, 4} {
		opened, err := OpenAnyFolder(t.Context(), dir, threads)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		e := opened.(*TokenEncoder)
		for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
			document := role == encoder.Document
			all, err := encoder.Late{TokenEncoder: e}.EncodeTokens(t.Context(), texts, role)
			if err != nil {
				t.Fatal(err)
			}
			means, err := e.Encode(t.Context(), texts, encoder.Options{Role: role})
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				want := make([]float32, core.TokenRoom(document))
				rows, info, err := core.EncodeTokens(want, text, document)
				if err != nil {
					t.Fatal(err)
				}
				got := all[i]
				if got.Rows != rows || got.Truncated != info.Truncated || !slices.Equal(got.Vectors, want[:rows*24]) {
					t.Fatalf("%d threads, %s %d: %d tokens, truncated %v; the core has %d, %v, or other vectors", threads, role, i, got.Rows, got.Truncated, rows, info.Truncated)
				}
				if most := core.TokenRoom(document) / 24; got.Tokens > most || !document && rows != most {
					t.Errorf("%s %d: %d tokens, %d vectors", role, i, got.Tokens, rows)
				}
				if !slices.Equal(means[i].Vector, encoder.Mean(got.Vectors, 24)) {
					t.Errorf("%s %d: the vector of the whole is not the mean", role, i)
				}
			}
		}
	}
}

// Punctuation has no vectors in documents.
func TestPunctuationIsLeftOut(t *testing.T) {
	opened, err := OpenAny(t.Context(), os.DirFS(write(t, tinyPack(t, quantized.Late))), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	e := opened.(*TokenEncoder)
	for text, want := range map[string]int{"night trains": 5, "night , trains !": 5, ". . .": 3, "": 3} { // [CLS], the marker and [SEP] count
		found, err := e.EncodeTokens(t.Context(), []string{text}, encoder.Document)
		if err != nil || found[0].Rows != want {
			t.Errorf("%q: %d vectors, want %d, %v", text, found[0].Rows, want, err)
		}
	}
	i := e.TokenInfo()
	if i.Dim != 24 || i.MaxLength != 40 || i.Pooling != encoder.PoolingTokens || i.Score != encoder.ScoreTokens || !i.Normalize {
		t.Errorf("%+v", i)
	}
}

// Whoever needs a vector of a whole text is told at once that there is none.
func TestTokensAreRefused(t *testing.T) {
	dir := write(t, tinyPack(t, quantized.Late))
	_, err := OpenFolder(t.Context(), dir, 1)
	if fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "the pack test gives each token a vector") {
		t.Errorf("%v", err)
	}
	whole, err := OpenAnyFolder(t.Context(), write(t, tinyPack(t, tiny)), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	if _, late := whole.(encoder.TokenEncoder); late {
		t.Error("a model of whole texts says that it encodes tokens")
	}
}
