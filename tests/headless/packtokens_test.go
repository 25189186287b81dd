package headless_test

import (
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	_ "github.com/vantage-search/vantage/internal/search/packrun"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// Node.js encodes queries by the pack of a ColBERT that a collection carries, and gives the
// native engine's answers, to the last digit.
func TestNodeEncodesTokens(t *testing.T) {
	node := tools.Node(t)
	dir := t.TempDir()
	late.Packed(t, dir, 4)
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	queries := []search.Query{{Query: search.Text{Text: "night trains help people"}, K: 20}, {Query: search.Text{Text: "school , uniforms !"}, K: 5}}
	got := inNode(t, node, dir, "./", nil, queries)
	for i, q := range queries {
		want, err := native.Search(t.Context(), q)
		if err != nil || len(want.Hits) != q.K {
			t.Fatal(want, err)
		}
		if want := encoded(t, want); len(got.Results) != len(queries) || got.Results[i] != want {
			t.Errorf("query %d:\n  Node.js %.600s\n  native  %.600s", i, got.Results, want)
		}
	}
}
