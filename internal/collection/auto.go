package collection

import (
	"io"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/file"
)

// SetAuto writes a table into the manifest of the collection in a folder: how to rank
// queries that name no method. If it fails, the collection stays as it was.
func SetAuto(dir string, auto *manifest.Auto) error {
	held, err := Lock(dir)
	if err != nil {
		return err
	}
	defer held.Close()
	path := filepath.Join(dir, manifest.FileName)
	content, err := file.Read(path, manifest.MaxBytes, "manifest")
	if err != nil {
		return err
	}
	m, err := manifest.Parse(content)
	if err != nil {
		return err
	}
	m.Auto = auto
	if content, err = m.Marshal(); err != nil {
		return err
	}
	return file.Replace(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
