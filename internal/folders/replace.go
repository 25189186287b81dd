package folders

import (
	"errors"
	"fmt"
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
// it. A folder that is there is only replaced if every file and folder in it is ours; what,
// such as "a model", is for the error otherwise.
func Replace(dir string, files map[string][]byte, what string, ours func(path string) bool) (err error) {
	dir = filepath.Clean(dir)
	exists, err := replaceable(dir, what, ours)
	if err != nil {
		return err
	}
	if exists {
		if dir, err = filepath.EvalSymlinks(dir); err != nil { // follow a link, so that it stays a link
			return err
		}
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
	temporary, err := os.MkdirTemp(parent, left+"*") // the digits take the place of the last star, and the name may have one
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	held, err := Lock(temporary)
	if err != nil {
		return err
	}
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
	if !exists {
		return os.Rename(temporary, dir)
	}
	old := temporary + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(temporary, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// CheckReplace says why Replace would refuse a folder, or could not write it, before the
// work that makes the files.
func CheckReplace(dir, what string, ours func(path string) bool) error {
	place := filepath.Clean(dir)
	exists, err := replaceable(place, what, ours)
	if err == nil && exists {
		place, err = filepath.EvalSymlinks(place)
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
	return os.Remove(probe)
}

// replaceable reports whether dir exists, with an error if it must stay.
func replaceable(dir, what string, ours func(path string) bool) (exists bool, err error) {
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) {
		if _, none := os.Lstat(dir); none == nil {
			return false, fmt.Errorf("%s is a link that leads nowhere: make the folder that it leads to, or remove the link", dir)
		}
		return false, nil
	} else if err != nil {
		return false, err
	}
	return true, fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
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
