package host

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// A collection that carries the pack of a ColBERT gives the same bits under wazero as
// natively: the vectors of each token in both roles, and the answers to queries.
func TestPackOfTokensEqualsNative(t *testing.T) {
	dir := t.TempDir()
	e, _ := late.Packed(t, dir, 4)
	native, wasm := both(t, dir)
	ctx := context.Background()
	texts := late.Texts(40, 2)
	engine, err := New(ctx, WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	core, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	model, err := core.OpenModel(e.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := model.EncodeTokens("a", true); !errors.Is(err, fault.Unavailable) {
		t.Errorf("before the files have been read: %v", err)
	}
	for _, name := range []string{pack.Vocabulary, pack.Trunk} {
		for _, f := range e.Manifest().Section(name).Files {
			content, err := e.File(f)
			if err == nil {
				err = model.File(name, content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		want, err := e.EncodeTokens(ctx, texts, role)
		if err != nil {
			t.Fatal(err)
		}
		means, err := native.Encode(ctx, texts, role)
		wasmMeans, err2 := wasm.Encode(ctx, texts, role)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			got, info, err := model.EncodeTokens(text, role == encoder.Document)
			if err != nil || info.Truncated != want[i].Truncated || !slices.Equal(got, want[i].Vectors) {
				t.Fatalf("%s %q: %d numbers, natively %d, or other ones, %v", role, text, len(got), len(want[i].Vectors), err)
			}
			if !slices.Equal(means[i].Vector, wasmMeans[i].Vector) {
				t.Errorf("%s %q: another mean", role, text)
			}
		}
	}
	if _, _, err := model.Encode("a", false); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a vector of a whole text: %v", err)
	}
	root := &search.Text{Text: "night trains"}
	for _, q := range []search.Query{
		{Query: text("people help")},
		{Query: text("people help"), Root: root, Perspectives: []search.Text{text("cost")}, Method: "tri-sum", K: 40},
		{Query: text("people help"), Hybrid: &search.Hybrid{}, K: 30},
		{Query: text("people help"), Contexts: []search.Text{text("school"), text("week")}, K: 20},
	} {
		want, err := native.Search(ctx, q)
		got, err2 := wasm.Search(ctx, q)
		if a, b := marshal(t, got, err2), marshal(t, want, err); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s\nnatively %s", a, b)
		}
	}
}
