package extension

import (
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage"
)

// The collection in the package opens, and encodes. A reader of queries would only take room.
func TestCollection(t *testing.T) {
	files, err := collection("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := WriteFolder(filepath.Join(dir, "package"), files); err != nil {
		t.Fatal(err)
	}
	c, err := vantage.Open(t.Context(), filepath.Join(dir, "package", "collections", "sides"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, kind := range c.Describe().Files {
		if kind.Kind == "reader" {
			t.Errorf("a reader of queries: %+v", kind)
		}
	}
	result, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "night trains"}, Method: "none"})
	if err != nil || len(result.Hits) != 1 || result.Notice != "" {
		t.Errorf("a search: %+v, %v", result, err)
	}
}
