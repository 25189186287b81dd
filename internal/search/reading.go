package search

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
)

// readerSections are what a pack needs to read queries.
var readerSections = []string{pack.Vocabulary, pack.Trunk, pack.ReaderSection}

// Read implements encoder.QueryReader, by the wording alone if the encoder has no reader of queries.
func (e inCore) Read(query string) (perspective.Reading, error) {
	if e.reader == nil {
		return e.core.Read(query)
	}
	return e.reader.Read(query)
}

// openReader opens a reader of queries from the files of its pack.
func (e *inCore) openReader(files fs.FS) error {
	json, err := fs.ReadFile(files, pack.FileName)
	if err != nil {
		return err
	}
	p, err := parseReader(json)
	if err != nil {
		return err
	}
	model, err := e.core.OpenModel(json)
	if err != nil {
		return withoutPacks(err)
	}
	for _, name := range readerSections {
		for _, f := range p.Section(name).Files {
			content, err := fs.ReadFile(files, f.Path)
			if err == nil {
				err = model.File(name, content)
			}
			if err != nil {
				return err
			}
		}
	}
	e.reader = model
	return nil
}

// openReader opens the reader of queries that the collection carries. It is nil if this program
// does not run packs.
func (c *Collection) openReader(ctx context.Context, core Core, at *manifest.PackFiles) (Model, error) {
	json, err := c.read(ctx, at.Pack)
	if err != nil {
		return nil, err
	}
	p, err := parseReader(json)
	if err == nil && !slices.Equal(listed(p, at), at.Files) {
		err = fault.New(fault.Integrity, "its payload files are not those of reader.files in manifest.json: re-upload the folder, or index the corpus again")
	}
	if err != nil {
		return nil, &FileError{at.Pack.Path, err}
	}
	model, err := core.OpenModel(json)
	if err != nil {
		if err = withoutPacks(err); err != nil {
			err = &FileError{at.Pack.Path, err}
		}
		return nil, err
	}
	for _, name := range readerSections {
		if err := c.readSection(ctx, model, p.Section(name), at); err != nil {
			return nil, err
		}
	}
	return model, nil
}

// parseReader reads the pack.json of a reader of queries.
func parseReader(json []byte) (*pack.Manifest, error) {
	p, err := pack.Parse(json)
	if err == nil && p.Config.Reader == nil {
		err = fault.New(fault.Integrity, "the pack has no reader of queries: re-upload the folder, or index the corpus again")
	}
	return p, err
}

// withoutPacks removes the error of a program that does not run packs: there, the grammar reads queries.
func withoutPacks(err error) error {
	if errors.Is(err, errNoPacks) {
		return nil
	}
	return err
}

// tolerated tells a fault of a reader's files, without which a collection can still be searched, from an error
// that ends the opening.
func tolerated(core Core, err error) (unread, failed error) {
	if err == nil || damaged(err) && !core.Lost() {
		return err, nil
	}
	return nil, err
}
