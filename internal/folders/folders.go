// Package folders makes, locks, sweeps and replaces folders for output, so that a run that
// fails leaves no new folders.
package folders

import (
	"os"
	"path/filepath"
)

// Make creates a folder and its missing parents. undo removes the created folders if
// they are empty.
func Make(dir string) (undo func(), err error) {
	var missing []string // created folders, the deepest first
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	undo = func() {
		for _, made := range missing {
			if os.Remove(made) != nil {
				return
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}
