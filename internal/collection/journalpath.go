package collection

import (
	"path/filepath"

	"github.com/vantage-search/vantage/internal/folders"
)

// JournalPath is the path of a run's journal. It is beside the folder that the run
// writes, because that folder may be published as it is. undo removes the parent folder
// if JournalPath created it and it is empty.
func JournalPath(output string) (path string, undo func(), err error) {
	absolute, err := filepath.Abs(output)
	if err != nil {
		return "", nil, err
	}
	undo, err = folders.Make(filepath.Dir(absolute))
	return filepath.Join(filepath.Dir(absolute), "."+filepath.Base(absolute)+".vantage-encoded"), undo, err
}
