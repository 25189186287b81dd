package extension

import (
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// The package has the bundled pack without its reader of queries: no file of it, and no word of it in pack.json, so
// that the collection opens. It encodes as the whole pack does.
func TestCollectionHasNoReader(t *testing.T) {
	shape := quantized.Tiny
	shape.Reader = transformer.QuantizedReader{States: []int{2}, Width: 6, Labels: 3}
	bundled, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := pack.Parse(bundled[pack.FileName].Data)
	if err != nil {
		t.Fatal(err)
	}
	files, err := carrying(bundled)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Section(pack.ReaderSection) == nil {
		t.Fatal("the pack has no reader: the test checks nothing")
	}
	for _, f := range whole.Section(pack.ReaderSection).Files {
		for name := range files {
			if path.Base(name) == path.Base(f.Path) {
				t.Errorf("%s belongs to the reader", name)
			}
		}
	}
	var manifest struct {
		Model   struct{ Revision string }
		Encoder struct {
			Pack  struct{ Path string }
			Files []struct{ Path string }
		}
	}
	if err := json.Unmarshal(files["collections/sides/manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	about, err := pack.Parse(files[path.Join("collections/sides", manifest.Encoder.Pack.Path)])
	if err != nil {
		t.Fatalf("%q: %v", slices.Sorted(maps.Keys(files)), err)
	}
	var listed []string
	for _, f := range manifest.Encoder.Files {
		listed = append(listed, strings.TrimPrefix(f.Path, "encoder/"))
		if len(files[path.Join("collections/sides", f.Path)]) == 0 {
			t.Errorf("%s is not in the package", f.Path)
		}
	}
	var payload []string
	for _, f := range packfile.Payload(about) {
		payload = append(payload, f.Path)
	}
	if about.Config.Reader != nil || !slices.Equal(payload, listed) || about.Revision != whole.Revision || about.Revision != manifest.Model.Revision {
		t.Errorf("the pack %s with the files %q, of which manifest.json lists %q", about.Revision, payload, listed)
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
	result, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "night trains"}, Method: "none"})
	if err != nil || len(result.Hits) != 1 || result.Notice != "" {
		t.Errorf("a search: %+v, %v", result, err)
	}
}
