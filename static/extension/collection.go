package extension

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/packs"
	"github.com/vantage-search/vantage/sides"
)

// sentence is the one document of the collection: the engine opens it for its encoder alone.
const sentence = "Night trains deserve public subsidy."

// collection returns the files of the collection with the bundled pack, by their paths in the package.
func collection(string) (map[string][]byte, error) { return carrying(sides.Files()) }

// carrying returns the files of the collection with a pack, but for the pack's reader of queries: the extension says by
// itself what is the root and what the perspective, so the reader would only take room.
func carrying(files fs.FS) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "vantage-extension-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "pack"), filepath.Join(dir, "collection")
	if err := os.CopyFS(in, files); err != nil {
		return nil, err
	}
	about := filepath.Join(in, pack.FileName)
	content, err := os.ReadFile(about)
	if err != nil {
		return nil, err
	}
	if content, err = withoutReader(content); err != nil {
		return nil, err
	}
	if err := os.WriteFile(about, content, 0o644); err != nil {
		return nil, err
	}
	encoder, err := packs.Open(os.DirFS(in))
	if err != nil {
		return nil, err
	}
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

// withoutReader returns a pack.json without the reader of queries. Its revision stays, because the vectors do.
func withoutReader(content []byte) ([]byte, error) {
	about, err := pack.Parse(content)
	if err != nil || about.Config.Reader == nil {
		return content, err
	}
	var whole, config map[string]json.RawMessage
	if err := json.Unmarshal(content, &whole); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(whole["config"], &config); err != nil {
		return nil, err
	}
	delete(config, pack.ReaderSection)
	sections := slices.DeleteFunc(about.Sections, func(s pack.Section) bool { return s.Name == pack.ReaderSection })
	if whole["config"], err = json.Marshal(config); err != nil {
		return nil, err
	}
	if whole["sections"], err = json.Marshal(sections); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}
