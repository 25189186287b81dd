package serve

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/site"
)

// errAway is the error for every file while the folder is not at its place, such as between the removal of an old
// one and the arrival of its successor. It is not that a file is missing: a page whose service worker is missing
// deletes what it has stored.
var errAway = errors.New("the folder is not there")

// folder has the files that a folder serves. A folder that was put in the place of another, or that a link now
// leads to, is served from the next request on.
type folder struct {
	dir  string
	view func(top fs.FS) (fs.FS, error) // how the files of a folder are served
	warn func(err error)                // told when the folder cannot be served any more

	mu     sync.Mutex
	at     fs.FileInfo   // the folder that is open
	root   *os.Root      // links in it cannot lead outside
	seen   []fs.FileInfo // of marks, when files was made
	files  fs.FS
	warned bool
}

// same reports whether a file is the one that it was. nil means that there is none.
func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// openFolder opens a folder. The view can be set before the first file is read.
func openFolder(dir string) (*folder, error) {
	dir, err := filepath.Abs(dir) // "." would stay the old folder
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir, warn: func(error) {}}
	return f, f.open()
}

// open opens the folder that is at the place now, if it is another one.
func (f *folder) open() error {
	info, err := os.Stat(f.dir)
	if err != nil || f.root != nil && os.SameFile(info, f.at) {
		return err
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return err
	}
	if info, err = root.Stat("."); err != nil {
		return errors.Join(err, root.Close())
	}
	// Requests may be reading the old one, so it is closed when nothing refers to it any more.
	f.at, f.root, f.seen, f.files = info, root, nil, nil
	return nil
}

// now returns the files that are served at present.
func (f *folder) now() (fs.FS, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.open()
	if err == nil {
		err = f.look()
	}
	if err != nil && !f.warned {
		f.warn(err)
	}
	f.warned = err != nil
	return f.files, err
}

// look finds out again how the folder is served, if a file that decides it has changed.
func (f *folder) look() error {
	seen := f.marks()
	if f.files != nil && slices.EqualFunc(seen, f.seen, same) {
		return nil
	}
	files, err := f.view(f.root.FS())
	switch {
	case err == nil:
		f.files = files
	case f.files == nil:
		return err
	} // what was served before reports the fault file by file
	f.seen = seen
	return nil
}

// marks describes the files that decide how the folder is served.
func (f *folder) marks() []fs.FileInfo {
	var all []fs.FileInfo
	for _, name := range []string{site.HomePage, manifest.FileName, path.Join(site.CollectionDir, manifest.FileName)} {
		info, err := f.root.Stat(name)
		if err != nil {
			info = nil
		}
		if all = append(all, info); name == site.HomePage && info != nil && info.Mode().IsRegular() {
			break
		}
	}
	return all
}

func (f *folder) Open(name string) (fs.File, error) {
	files, err := f.now()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errAway}
	}
	return files.Open(name)
}

// Stat lets fs.Stat do without opening the file.
func (f *folder) Stat(name string) (fs.FileInfo, error) {
	files, err := f.now()
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: errAway}
	}
	return fs.Stat(files, name)
}

// Close closes the folder that is open.
func (f *folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.root.Close()
}
