// Package store reads a collection from any fs.FS (a folder, an embedded folder, a web
// host) and verifies every file against the hashes in the manifest.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sort"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/lru"
)

// MaxIDBytes is the longest id of a document.
const MaxIDBytes = 4096

// Document is one document of a corpus, in the fields of BEIR. Numbers in Metadata from
// JSON are json.Number, so that they are written unchanged. Objects and arrays in the
// Metadata of a document from a Store are json.RawMessage, because maps would take up
// to fifty times their bytes.
type Document struct {
	ID       string         `json:"_id"`
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// EncodedText is the text that is encoded for the document: title, a space and text
// (BEIR's convention), or the text alone without a title.
func (d *Document) EncodedText() string {
	if d.Title == "" {
		return d.Text
	}
	return d.Title + " " + d.Text
}

// Store is an opened collection. It is safe for use by several goroutines.
type Store struct {
	fsys     fs.FS
	manifest *manifest.Manifest
	blocks   *lru.Cache[int, [][]byte] // lines of each block
}

// Open reads and checks manifest.json. Errors: *MissingError; *CorruptError (which wraps the manifest package's errors);
// manifest.ErrNotCollection and *manifest.NewerError; or an error of the file system, wrapped with the file's name.
func Open(ctx context.Context, fsys fs.FS) (*Store, error) {
	raw, err := fetch(ctx, fsys, manifest.FileName, manifest.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &MissingError{File: manifest.FileName, Remedy: remedyManifest, Err: err}
	case errors.Is(err, file.ErrNotRegular):
		return nil, notRegular(manifest.FileName, err)
	case errors.Is(err, ErrTooLong):
		return nil, &CorruptError{File: manifest.FileName, What: "length", Expected: fmt.Sprintf("at most %d bytes", manifest.MaxBytes), Got: "more", Remedy: remedyManifest, Err: err}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", manifest.FileName, err)
	}
	m, err := manifest.Parse(raw)
	var newer *manifest.NewerError
	switch {
	case errors.As(err, &newer), errors.Is(err, manifest.ErrNotCollection) && remedyFor(raw) == remedyUpload:
		return nil, err
	case err != nil:
		return nil, &CorruptError{File: manifest.FileName, What: "content", Expected: "a manifest", Got: fmt.Sprintf("%d bytes with an error (%v)", len(raw), err), Remedy: remedyFor(raw), Err: err}
	}
	return &Store{fsys: fsys, manifest: m, blocks: lru.New[int, [][]byte](cacheBytes)}, nil
}

// Manifest returns the collection's manifest, which must not be modified.
func (s *Store) Manifest() *manifest.Manifest { return s.manifest }

// blockOf returns the number of the block that holds the document.
func (s *Store) blockOf(document int) int {
	docs := s.manifest.Docs
	return sort.Search(len(docs), func(i int) bool { return docs[i].First+docs[i].Count > document })
}
