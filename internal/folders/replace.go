package folders

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Replace writes files, by their paths with slashes, into a folder of their own.
// They are written beside it first and the folder then takes its name, so that a
// run that is killed leaves either the old folder or the new one, or, for the
// instant between two renames, the old one under the name it was moved to, never
// half of it. The next run that succeeds removes what such a run has left beside
// it. Of several runs at the same time, the last one wins. A folder that is there is only
// replaced if every file and folder in it is ours; what, such as "a model", is for the error otherwise.
func Replace(dir string, files map[string][]byte, what string, ours func(path string) bool) (err error) {
	dir = filepath.Clean(dir)
	exists, err := replaceable(dir, what, ours)
	if err != nil {
		return err
	}
	if dir, err = followed(dir); err != nil {
		return err
	}
	parent, name := filepath.Split(dir)
	if parent == "" {
		parent = "."
	}
	undo, err := Make(parent)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	left := "." + name + ".vantage-new-"
	temporary, held, err := temporaryFolder(parent, left+"*") // the digits take the place of the last star, and the name may have one
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	defer func() {
		held.Close()
		if err == nil {
			Sweep(parent, left)
		}
	}()
	for path, content := range files {
		at := filepath.Join(temporary, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := writeSynced(at, content); err != nil {
			return err
		}
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	// Another run may put its folder there, or move it away, between two steps of this one.
	for range mostRaces {
		if err = place(temporary, dir, exists); !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var refused error
		if exists, refused = replaceable(dir, what, ours); refused != nil {
			return refused
		}
	}
	return err
}

// mostRaces is how often a run tries to put its folder in place if others do the same. Each time, one of them succeeds.
const mostRaces = 1000

// place gives a folder its name, after moving away what has the name.
func place(temporary, dir string, exists bool) error {
	if !exists {
		return os.Rename(temporary, dir)
	}
	old := temporary + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	err := os.Rename(temporary, dir)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(err, os.Rename(old, dir))
	}
	return errors.Join(err, os.RemoveAll(old))
}

// temporaryFolder makes a folder that is locked. Before it is, another run may sweep it away.
func temporaryFolder(parent, pattern string) (dir string, held io.Closer, err error) {
	for range mostRaces {
		if dir, err = os.MkdirTemp(parent, pattern); err != nil {
			return "", nil, err
		}
		if held, err = Lock(dir); err == nil {
			if _, err = os.Lstat(dir); err == nil {
				return dir, held, nil
			}
			held.Close()
		}
		if !errors.Is(err, ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return "", nil, err
}

// CheckReplace says why Replace would refuse a folder, or could not write it, before the
// work that makes the files.
func CheckReplace(dir, what string, ours func(path string) bool) error {
	place := filepath.Clean(dir)
	_, err := replaceable(place, what, ours)
	if err == nil {
		place, err = followed(place)
	}
	if err != nil {
		return err
	}
	parent := filepath.Dir(place)
	for parent != filepath.Dir(parent) { // Replace makes the missing ones
		if _, err := os.Lstat(parent); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		parent = filepath.Dir(parent)
	}
	probe, err := os.MkdirTemp(parent, "."+filepath.Base(place)+".vantage-new-*")
	if err != nil {
		return fault.Errorf(fault.Unavailable, "%s: cannot be written: %s: %w: check that a folder can be made there", dir, parent, fault.Unnamed(err))
	}
	if err := os.Remove(probe); !errors.Is(err, fs.ErrNotExist) { // another run may have swept it away
		return err
	}
	return nil
}

// followed is the folder that a link leads to, so that the link stays one, or else dir.
func followed(dir string) (string, error) {
	if info, err := os.Lstat(dir); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return dir, nil // without a folder, there is nothing to follow
	}
	return filepath.EvalSymlinks(dir)
}

// replaceable reports whether dir exists, with an error if it must stay.
func replaceable(dir, what string, ours func(path string) bool) (exists bool, err error) {
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) {
		if info, none := os.Lstat(dir); none == nil && info.Mode()&fs.ModeSymlink != 0 {
			return false, fmt.Errorf("%s is a link that leads nowhere: make the folder that it leads to, or remove the link", dir)
		}
		return false, nil
	} else if err != nil {
		return false, err
	}
	return true, fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another run replaces the folder
		}
		if err == nil && path != "." && !ours(path) {
			return fmt.Errorf("%s holds %s, which is no part of %s: choose another folder or remove it", dir, path, what)
		}
		return err
	})
}

// writeSynced writes a file and waits until it is on the disk.
func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}
