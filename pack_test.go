package vantage

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	_ "github.com/vantage-search/vantage/internal/search/packrun" // as package packs does
	"github.com/vantage-search/vantage/internal/testing/quantized"
)

func packIn(t *testing.T, files fs.FS) Encoder {
	t.Helper()
	e, err := packmodel.Open(t.Context(), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ownEncoder{e}
}

func tinyPack(t *testing.T) fstest.MapFS {
	t.Helper()
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A pack encodes documents and travels with the collection, which encodes its queries by
// itself, in the same way.
func TestPackEncoder(t *testing.T) {
	ctx := t.Context()
	e := packIn(t, tinyPack(t))
	documents := func(yield func(Document, error) bool) {
		_ = yield(Document{ID: "a", Text: "the cat sat"}, nil) && yield(Document{ID: "b", Text: "dogs ran"}, nil)
	}
	dir := filepath.Join(t.TempDir(), "c")
	report, err := Index(ctx, documents, dir, IndexOptions{Encoder: e, Journal: dir + "-journal"})
	if err != nil {
		t.Fatal(err)
	}
	if report.Encoded != 2 || report.Model.Kind != "pack" || report.Model.Revision != e.Model().Revision {
		t.Errorf("%+v", report)
	}
	if m := e.Model(); m.Kind != "pack" || m.Architecture != "bert" || m.Dim != 32 || m.Int8 {
		t.Errorf("%+v", m)
	}
	own, err := e.Encode(ctx, []string{"cat", "ran"}, RoleQuery)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]*OpenOptions{"by itself": nil, "by the same pack": {Encoder: e}} {
		c, err := Open(ctx, dir, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var kinds []string
		about := c.Describe()
		for _, f := range about.Files {
			kinds = append(kinds, f.Kind)
		}
		if want := []string{"encoder", "vectors", "angles", "documents", "columns", "terms"}; !slices.Equal(kinds, want) || about.AngleDim != 10 || !about.CarriesEncoder() {
			t.Errorf("%+v", about)
		}
		encoded, err := c.Encode(ctx, []string{"cat", "ran"}, RoleQuery)
		if err != nil || !slices.Equal(encoded[0].Vector, own[0].Vector) || !slices.Equal(encoded[1].Vector, own[1].Vector) {
			t.Errorf("%s: other vectors (%v)", name, err)
		}
		if r, err := c.Search(ctx, Query{Query: Text{Text: "the cat sat"}}); err != nil || r.Hits[0].ID != "a" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if faults, err := c.Verify(ctx); err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	other, err := quantized.TinyFS(2, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, dir, &OpenOptions{Encoder: packIn(t, other)}); !errors.Is(err, ErrIntegrity) {
		t.Errorf("another pack: %v", err)
	}
}

// Vectors that a pack made are checked, and the collection names the pack.
func TestPackVectors(t *testing.T) {
	e := packIn(t, tinyPack(t))
	encoded, err := e.Encode(t.Context(), []string{"the cat sat"}, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	documents := func(yield func(Document, error) bool) { yield(Document{ID: "a", Text: "the cat sat"}, nil) }
	r, err := Index(t.Context(), documents, t.TempDir(), IndexOptions{Encoder: e, Vectors: &Vectors{Dim: 32, Data: encoded[0].Vector}})
	if err != nil || r.Model.Kind != "external" || r.Model.ID != "test" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestPackRefused(t *testing.T) {
	e := packIn(t, tinyPack(t))
	none := func(func(Document, error) bool) {}
	for name, c := range map[string]struct {
		options IndexOptions
		part    string
	}{
		"IDF":                {IndexOptions{Encoder: e, IDF: true}, "IDF"},
		"queries by another": {IndexOptions{Encoder: e, QueryEncoder: constant{}}, "QueryEncoder"},
		"queries by a pack":  {IndexOptions{Encoder: constant{}, QueryEncoder: e}, "QueryEncoder"},
	} {
		if _, err := Index(context.Background(), none, t.TempDir(), c.options); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The pack of a ColBERT makes a collection that is ranked by MaxSim and answers by itself.
func TestPackOfTokens(t *testing.T) {
	ctx := t.Context()
	files, err := quantized.FS(quantized.Late, 1)
	if err != nil {
		t.Fatal(err)
	}
	own, err := packmodel.OpenAny(ctx, files, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	e := ownEncoder{own}
	if m := e.Model(); m.Kind != "pack" || m.Pooling != "tokens" || m.Dim != 24 || m.Int8 {
		t.Errorf("%+v", m)
	}
	documents := func(yield func(Document, error) bool) {
		_ = yield(Document{ID: "a", Text: "night trains"}, nil) && yield(Document{ID: "b", Text: "school uniforms"}, nil)
	}
	dir := filepath.Join(t.TempDir(), "c")
	if _, err := Index(ctx, documents, dir, IndexOptions{Encoder: e}); err == nil || !strings.Contains(err.Error(), "set TokenBits") {
		t.Errorf("no bits: %v", err)
	}
	r, err := Index(ctx, documents, dir, IndexOptions{Encoder: e, TokenBits: 4})
	if err != nil || r.Model.Kind != "pack" || r.TokenBits != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	c, err := Open(ctx, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if d := c.Describe(); !d.CarriesEncoder() || d.Score != "maxsim" {
		t.Errorf("%+v", d)
	}
	found, err := c.Search(ctx, Query{Query: Text{Text: "uniforms"}})
	if err != nil || found.Score != "maxsim" || len(found.Hits) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}
