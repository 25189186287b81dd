package extension

import (
	"context"
	"io/fs"
	"os"
	"path"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/sides"
)

// sentence is the one document of a collection: the engine opens collections for their encoders alone.
const sentence = "Night trains deserve public subsidy."

// collections returns the collections of the package by the paths of their files.
func collections(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, encoder := range map[string]vantage.Encoder{"sides": sides.Encoder()} {
		if err := collect(files, name, encoder); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func collect(files map[string][]byte, name string, encoder vantage.Encoder) error {
	dir, err := os.MkdirTemp("", "vantage-extension-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	documents := func(yield func(vantage.Document, error) bool) {
		yield(vantage.Document{ID: "1", Text: sentence}, nil)
	}
	if _, err := vantage.Index(context.Background(), documents, dir, vantage.IndexOptions{Name: name, Encoder: encoder}); err != nil {
		return err
	}
	written := os.DirFS(dir)
	return fs.WalkDir(written, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path.Join("collections", name, file)], err = fs.ReadFile(written, file)
		return err
	})
}
