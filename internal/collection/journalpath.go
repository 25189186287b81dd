package collection

import (
	"path/filepath"

	"github.com/vantage-search/vantage/internal/folders"
)

// JournalPath is where a run keeps what it has encoded: beside the folder that
// it writes, which may be published as it is. undo removes the folder of both
// if that was made for them, if nothing is in it.
func JournalPath(output string) (path string, undo func(), err error) {
	absolute, err := filepath.Abs(output)
	if err != nil {
		return "", nil, err
	}
	undo, err = folders.Make(filepath.Dir(absolute))
	return filepath.Join(filepath.Dir(absolute), "."+filepath.Base(absolute)+".vantage-encoded"), undo, err
}
