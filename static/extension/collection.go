package extension

import (
	"context"
	"io/fs"
	"os"
	"path"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

// sentence is the one document of the collection: the engine opens it for its encoder alone.
const sentence = "Night trains deserve public subsidy."

// collection returns the files of the collection with the bundled pack, by their paths in the package.
func collection(string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "vantage-extension-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		yield(vantage.Document{ID: "1", Text: sentence}, nil)
	}
	options := vantage.IndexOptions{Name: "sides", Encoder: sides.Encoder()}
	if _, err := vantage.Index(context.Background(), documents, dir, options); err != nil {
		return nil, err
	}
	files, written := map[string][]byte{}, os.DirFS(dir)
	err = fs.WalkDir(written, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path.Join("collections", "sides", file)], err = fs.ReadFile(written, file)
		return err
	})
	return files, err
}
