package fit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/folders"
)

// WriteDir writes the model into a folder of its own. It first writes the files to a
// temporary folder and then renames that folder, so that a killed run never leaves half
// a model. Such a run leaves the old or the new folder; if it is killed between two
// renames, the old folder has a temporary name. The next successful run removes
// leftovers. WriteDir replaces a folder only if it is empty or holds nothing but a
// model.
func (f Files) WriteDir(dir string) (err error) {
	dir = filepath.Clean(dir)
	contents := map[string][]byte{
		staticmodel.TokenizerFile: f.Tokenizer,
		staticmodel.WeightsFile:   f.Weights,
		staticmodel.ConfigFile:    f.Config,
		staticmodel.CardFile:      f.Card,
	}
	exists, err := replaceable(dir, contents)
	if err != nil {
		return err
	}
	parent, name := filepath.Split(dir)
	if parent == "" {
		parent = "."
	}
	undo, err := folders.Make(parent)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	left := "." + name + ".vantage-new-"
	temporary, err := os.MkdirTemp(parent, left)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	held, err := folders.Lock(temporary)
	if err != nil {
		return err
	}
	defer func() {
		held.Close()
		if err == nil {
			folders.Sweep(parent, left)
		}
	}()
	for file, content := range contents {
		if err := writeSynced(filepath.Join(temporary, file), content); err != nil {
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

// replaceable reports whether dir exists. It returns an error if dir must not be
// replaced.
func replaceable(dir string, contents map[string][]byte) (exists bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	foreign := slices.IndexFunc(entries, func(e fs.DirEntry) bool {
		_, ours := contents[e.Name()]
		return !ours
	})
	if foreign >= 0 {
		return true, fmt.Errorf("%s holds %s, which is not a part of a model: choose another folder or remove it", dir, entries[foreign].Name())
	}
	return true, nil
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
