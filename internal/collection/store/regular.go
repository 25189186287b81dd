package store

import (
	"io"
	"io/fs"

	"github.com/vantage-search/vantage/internal/file"
)

// ReadRegular reads a whole file that file.OpenFS opens.
func ReadRegular(fsys fs.FS, name string) ([]byte, error) {
	f, err := file.OpenFS(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
