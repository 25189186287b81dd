package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vantage-search/vantage/static"
	"github.com/vantage-search/vantage/wasm/manifest"
	"github.com/vantage-search/vantage/wasm/store"
)

// pageStaging begins the name of the folder that holds the files of the page
// until all of them are on the disk.
const pageStaging = ".vantage-page-"

// staleStaging is how old such a folder is when it can only be what a run that
// was killed has left.
const staleStaging = time.Hour

// homePage is what a host serves for a folder.
const homePage = "index.html"

// site is a folder that a static host can serve as it is: the page, the library
// and the collection.
//
// An interrupted update must leave a site that works. A library reads every
// collection of its own format version and below, so where there is a
// collection already, the new page goes before the new collection; where there
// is none, it goes after, and until then there is no page that shows nothing.
type site struct {
	dir     string
	updates bool     // there is a collection already
	staging string   // name of a folder in dir
	files   []string // of the page, in the order in which they take their places
}

// stageSite prepares the page, and refuses a folder that is something else's.
func stageSite(ctx context.Context, dir string, page static.Page, judged *judgements) (_ *site, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s := &site{dir: dir}
	if _, err := store.Open(ctx, os.DirFS(dir)); err == nil {
		return nil, usagef("%s is a collection itself: choose another folder for the site", dir)
	}
	if _, err := os.Stat(filepath.Join(s.collection(), manifest.FileName)); err == nil {
		s.updates = true
	}
	removeStale(dir)
	staging, err := os.MkdirTemp(dir, pageStaging)
	if err != nil {
		return nil, err
	}
	s.staging = filepath.Base(staging)
	defer func() {
		if err != nil {
			s.drop()
		}
	}()
	if err := page.Write(staging); err != nil {
		return nil, err
	}
	if judged != nil {
		if err := judged.write(filepath.Join(staging, static.JudgementsFile)); err != nil {
			return nil, err
		}
	}
	if s.files, err = syncTree(staging); err != nil {
		return nil, err
	}
	for _, name := range s.files {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && !s.updates {
			return nil, fmt.Errorf("%s: %q in it would be overwritten, and it is no site of Vantage: choose another folder", dir, name)
		}
	}
	return s, nil
}

// removeStale removes what killed runs have left. It is no matter if it cannot.
func removeStale(dir string) {
	left, err := filepath.Glob(filepath.Join(dir, pageStaging+"*"))
	if err != nil {
		return // the name of dir looks like a pattern
	}
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && info.IsDir() && time.Since(info.ModTime()) > staleStaging {
			os.RemoveAll(name)
		}
	}
}

// collection is the folder of the site's collection.
func (s *site) collection() string { return filepath.Join(s.dir, collectionDir) }

// syncTree makes the files of a folder durable and lists them: what others
// load before what loads it, the home page last.
func syncTree(dir string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files = append(files, name)
		f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
	depth := func(name string) int {
		if name == homePage {
			return -1
		}
		return strings.Count(name, "/")
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a, b))
	})
	return files, err
}

// place puts the page in its place, each file in one step.
func (s *site) place() error {
	root, err := os.OpenRoot(s.dir) // so that no link in it leads elsewhere
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range s.files {
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.Rename(path.Join(s.staging, name), name); err != nil {
			return err
		}
	}
	return nil
}

// drop removes what is left in staging.
func (s *site) drop() { os.RemoveAll(filepath.Join(s.dir, s.staging)) }
