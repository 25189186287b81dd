package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A collection that carries a pack gives the same bits under wazero as natively: the
// vectors and angles of texts in both roles, and the answers to queries. A missing
// branch is reported when an angle is asked for, and vectors go on.
func TestPackCollection(t *testing.T) {
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	json := files["pack.json"]
	json.Data = bytes.Replace(json.Data, []byte(`"sections"`), []byte(`"prompts":{"query":"the cat "},"sections"`), 1)
	e, err := packmodel.Open(t.Context(), files, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	words := strings.Fields("the cat sat on a mat and dogs ran . unknownwordxyz")
	texts := []string{"", strings.Repeat("a very long text ", 40)}
	for i := range words {
		texts = append(texts, strings.Join(words[i:], " "))
	}
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: string(rune('a' + i)), Text: text}, nil) {
				return
			}
		}
	}
	dir := t.TempDir()
	if _, err := collection.Write(t.Context(), dir, docs, collection.Options{Rows: collection.Pack{Model: e}}); err != nil {
		t.Fatal(err)
	}
	native, wasm := both(t, dir)
	ctx := context.Background()
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		want, err := native.Encode(ctx, texts, role)
		got, err2 := wasm.Encode(ctx, texts, role)
		wantAngles, err3 := native.EncodeAngles(ctx, texts, role)
		gotAngles, err4 := wasm.EncodeAngles(ctx, texts, role)
		if err := errors.Join(err, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if !slices.Equal(got[i].Vector, want[i].Vector) || got[i].Tokens != want[i].Tokens || got[i].Truncated != want[i].Truncated {
				t.Errorf("%s %.30q: %+v, natively %+v", role, text, got[i], want[i])
			}
			if len(gotAngles[i]) != 10 || !slices.Equal(gotAngles[i], wantAngles[i]) {
				t.Errorf("%s %.30q: another angle than natively", role, text)
			}
		}
	}
	for _, query := range []search.Query{{Query: text("the cat")}, {Query: text("Find a claim that opposes the argument: dogs ran")}} {
		query.Method = "none"
		want, err := native.Search(ctx, query)
		got, err2 := wasm.Search(ctx, query)
		if a, b := marshal(t, got, err2), marshal(t, want, err); !bytes.Equal(a, b) {
			t.Errorf("%s, natively %s", a, b)
		}
	}
	damaged := native.Manifest().Encoder.Files
	branch := damaged[len(damaged)-1].Path
	if err := os.Remove(filepath.Join(dir, branch)); err != nil {
		t.Fatal(err)
	}
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	c, err := engine.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.EncodeAngles(ctx, []string{"a"}, encoder.Query); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), branch) {
		t.Error(err)
	}
	if _, err := c.Encode(ctx, []string{"a"}, encoder.Query); err != nil {
		t.Error(err)
	}
}
