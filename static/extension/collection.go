package extension

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/packs"
	"github.com/vantage-search/vantage/sides"
)

// sentence is the one document of the collection: the engine opens it for its encoder alone.
const sentence = "Night trains deserve public subsidy."

// collection returns the files of the collection with the bundled pack, by their paths in the package. It has no reader of queries: the
// extension says by itself what is the root and what the perspective.
func collection(string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "vantage-extension-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	encoder, err := packs.Open(sides.Files())
	if err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "collection")
	documents := func(yield func(vantage.Document, error) bool) {
		yield(vantage.Document{ID: "1", Text: sentence}, nil)
	}
	options := vantage.IndexOptions{Name: "sides", Encoder: encoder}
	if _, err := vantage.Index(context.Background(), documents, out, options); err != nil {
		return nil, err
	}
	packaged, written := map[string][]byte{}, os.DirFS(out)
	err = fs.WalkDir(written, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		packaged[path.Join("collections", "sides", file)], err = fs.ReadFile(written, file)
		return err
	})
	return packaged, err
}
