// Package site writes sites: folders with the pages, the library and a collection.
package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/judgements"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// pageStaging is the folder in a site that holds the files of the page until all
// of them are on the disk, which takes a moment. If a run is killed in that
// moment, the next one removes the folder. It is in the site because a rename
// only works within one disk, and the folder beside the site may be on another
// disk or not writable.
const pageStaging = ".vantage-staging"

// Names of files and folders in a site.
const (
	HomePage      = "index.html" // the file that a host serves for a folder
	CollectionDir = "collection" // the folder of the collection
)

// Site is a folder that a static host can serve as it is: the page, the library
// and the collection.
//
// An interrupted update must leave a site that works. A library reads every
// collection of its own format version and below. So if there is a collection
// already, the new page is published before the new collection. If there is
// none, the page is published after it, so that there is never a page without a
// collection.
type Site struct {
	dir     string
	Updates bool              // there is a collection already, or at least pages of ours
	Fresh   bool              // there is not even the collection's folder
	files   map[string][]byte // of the page
	older   []string          // files of the page that was there
	held    io.Closer         // the lock
	undo    func()            // removes the folder if Open created it
}

// Open prepares the pages. It refuses a folder that is itself a collection, one that is not a
// site and has files that the pages would replace, and, without force, a site whose pages were
// changed by hand. The folder is locked until the site is closed.
func Open(ctx context.Context, dir string, page static.Page, judged *judgements.Judgements, force bool) (_ *Site, err error) {
	s := &Site{dir: dir}
	if s.undo, err = folders.Make(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(true))
		}
	}()
	if _, err := store.Open(ctx, os.DirFS(dir)); err == nil {
		return nil, fault.Errorf(fault.Query, "%s is a collection itself: choose another folder for the site", dir)
	}
	if s.held, err = collection.Lock(dir); err != nil {
		return nil, err
	}
	if err := s.removeStaging(); err != nil {
		return nil, err
	}
	if s.older, err = static.Owned(os.DirFS(dir), CollectionDir); err != nil {
		return nil, err
	}
	_, missing := os.Stat(filepath.Join(s.Collection(), manifest.FileName))
	s.Updates = missing == nil || len(s.older) > 0 // a site may have lost its manifest
	if _, err := os.Lstat(s.Collection()); errors.Is(err, fs.ErrNotExist) {
		s.Fresh = true
	}
	if s.files, err = page.Contents(); err != nil {
		return nil, err
	}
	if judged != nil {
		if s.files[static.JudgementsFile], err = judged.Marshal(); err != nil {
			return nil, err
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, static.ThemeFile)); err == nil {
		delete(s.files, static.ThemeFile) // it is the owner's
	}
	if s.Updates && !force {
		edited, err := static.Edited(os.DirFS(dir), s.files)
		if err != nil {
			return nil, err
		}
		if len(edited) > 0 {
			return nil, fmt.Errorf("%s: files in it were changed by hand and would be overwritten: %q; keep your page as a template (--template FILE), or your styles in %s, and give --force; or write the collection alone, to %s",
				dir, edited, static.ThemeFile, s.Collection())
		}
	}
	for name := range s.files {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && !s.Updates {
			return nil, fmt.Errorf("%s: %q in it would be overwritten, and it is not a site of Vantage: choose another folder", dir, name)
		}
	}
	return s, nil
}

// Close unlocks the folder. If the run failed, it removes the folder if Open created it and it is empty.
func (s *Site) Close(failed bool) (err error) {
	if s.held != nil {
		err = s.held.Close()
	}
	if failed {
		s.undo()
	}
	return err
}

// removeStaging removes the leftovers of a killed run.
func (s *Site) removeStaging() error {
	root, err := os.OpenRoot(s.dir)
	if err == nil {
		err = errors.Join(root.RemoveAll(pageStaging), root.Close())
	}
	if err != nil {
		return s.unwritable(err)
	}
	return nil
}

// unwritable is the error if the disk refuses the pages.
func (s *Site) unwritable(err error) error {
	return &collection.TargetError{Dir: s.dir, Problem: fmt.Sprintf("the pages cannot be written: %v", err), Remedy: "free space or check permissions, and run again", Err: err}
}

// Collection is the folder of the site's collection.
func (s *Site) Collection() string { return filepath.Join(s.dir, CollectionDir) }

// RemoveCollection removes the collection, unless its folder was there when the site was opened.
func (s *Site) RemoveCollection() error {
	if !s.Fresh {
		return nil
	}
	return os.RemoveAll(s.Collection())
}

// order lists the files of inner folders first, because pages load those, then the home page,
// and the list of files last: while the old list is there, what a killed run has not replaced
// does not look changed by hand. Within a folder the order is that of the names, so a file may
// come before one that it loads, such as eval.html before eval.js.
func order(files map[string][]byte) []string {
	depth := func(name string) int {
		switch name {
		case HomePage:
			return -1
		case static.FilesList:
			return -2
		}
		return strings.Count(name, "/")
	}
	return slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a, b))
	})
}

// Place writes the page: all of it beside what is there, and then each file to
// its place in one step. If that fails on a new site, nothing of the page stays. Files of the
// page that was there before and that the new one does not have, such as scripts that are named
// by their content, are removed; files that the site's owner added or changed stay.
func (s *Site) Place() (err error) {
	root, err := os.OpenRoot(s.dir) // so that no link in the staging folder leads elsewhere
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, root.RemoveAll(pageStaging), root.Close()); err != nil {
			err = s.unwritable(err)
		}
	}()
	names := order(s.files)
	for _, name := range names {
		if err := writeDurable(root, path.Join(pageStaging, name), s.files[name]); err != nil {
			return err
		}
	}
	var placed []string
	defer func() {
		if err != nil && !s.Updates {
			for _, name := range placed {
				err = errors.Join(err, remove(root, name))
			}
		}
	}()
	for _, name := range names {
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.Rename(path.Join(pageStaging, name), name); err != nil {
			return err
		}
		placed = append(placed, name)
	}
	for _, name := range s.older {
		if _, still := s.files[name]; still {
			continue
		}
		if err := remove(root, name); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a file, and the folders that are empty then.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "." && root.Remove(dir) == nil; dir = path.Dir(dir) {
		continue
	}
	return nil
}

// writeDurable creates a file, and returns when it is on the disk.
func writeDurable(root *os.Root, name string, content []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}
