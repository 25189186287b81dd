package english

import (
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
)

// A program that does not import package packs searches a collection with a pack by
// words, and is told what to import. This package's tests are such a program.
func TestWithoutPacks(t *testing.T) {
	pack := packmodeltest.Tiny(t, 1, true)
	documents := func(yield func(store.Document, error) bool) {
		_ = yield(store.Document{ID: "a", Text: "the cat sat"}, nil) && yield(store.Document{ID: "b", Text: "dogs ran"}, nil)
	}
	dir := t.TempDir()
	if _, err := collection.Write(t.Context(), dir, documents, collection.Options{Rows: collection.Pack{Model: pack}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	c, err := vantage.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	result, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "dogs"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Hits) != 1 || result.Hits[0].ID != "b" || !strings.Contains(result.Notice, "import github.com/vantage-search/vantage/packs") {
		t.Errorf("%+v", result)
	}
	if _, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "dogs"}, Method: "pap"}); err == nil || !strings.Contains(err.Error(), "/packs") {
		t.Errorf("a method that needs the encoder: %v", err)
	}
}
