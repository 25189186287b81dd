package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Own opens a file of ours at a predictable name, for reading and writing, and creates
// it if it is absent. Something else at that name, or a file with a second name, may be
// a trap that leads to somebody else's file. Own then returns an error that wraps
// ErrNotRegular and does not touch it.
func Own(path string, perm fs.FileMode) (*os.File, error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for range 100 { // somebody may create or remove it between two checks
		seen, err := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return f, err
		case err != nil:
			return nil, err
		case !seen.Mode().IsRegular():
			return nil, fmt.Errorf("%s is %w, but a link, a folder, a pipe or a device", path, ErrNotRegular)
		case names(seen) > 1:
			return nil, fmt.Errorf("%s is %w with a single name", path, ErrNotRegular)
		}
		f, err := root.OpenFile(name, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if opened, err := f.Stat(); err == nil && os.SameFile(seen, opened) {
			return f, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("%s: somebody keeps replacing it", path)
}
