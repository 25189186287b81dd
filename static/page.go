package static

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// FilesList is a generated script: the list of the files that the service worker
// keeps, with their hashes.
const FilesList = "offline/files.js"

// Page is the pages of a site with their library: the search page at the address of the
// site, the lab that compares methods, and the evaluation page.
type Page struct {
	// Server is the address of the encode server that the pages use (see
	// CheckServer). If it is empty, the site does not include the module that
	// speaks to a server.
	Server string

	Name     string   // title and heading of the search page; "": DefaultName
	Examples []string // queries that the search page and the lab offer; the lab begins with the first one
	Judged   []string // queries that the lab offers if there are no Examples; it has more room for long ones
	NoCredit bool     // the search page does not say who made it

	// Template is an html/template of the search page, executed with a Home; "": the
	// built-in one. TemplateName names it in errors.
	Template, TemplateName string
}

// Open opens a file of the pages by its name in a site: the pages at the top, the
// library in lib/, and the list for the service worker. It is not for folders.
func (p Page) Open(name string) (fs.File, error) {
	switch name {
	case FilesList:
		list, err := p.list()
		return newWritten(name, list, err)
	case homePage, labPage, evalPage, appFile:
		content, err := p.read(name)
		return newWritten(name, content, err)
	}
	return Files.Open(source(name))
}

// lists caches the lists of the files by the hashes of the search page and of the lab, and by
// Name and Server. Nothing else in a list depends on the owner's choices.
var lists sync.Map

func (p Page) list() ([]byte, error) {
	home, err := p.home()
	if err != nil {
		return nil, err
	}
	lab, err := p.lab()
	if err != nil {
		return nil, err
	}
	key := [4]string{hash(home), hash(lab), p.Name, p.Server}
	if list, ok := lists.Load(key); ok {
		return list.([]byte), nil
	}
	list, err := p.List(p.read)
	if err == nil {
		lists.Store(key, list)
	}
	return list, err
}

// read returns a file of a site as it is served.
func (p Page) read(name string) ([]byte, error) {
	switch name {
	case homePage:
		return p.home()
	case labPage:
		return p.lab()
	case evalPage:
		return p.builtin(name, config{})
	case appFile:
		return p.app()
	}
	return Files.ReadFile(source(name))
}

// folders lists the folders of Files.
var folders = []string{"demo", "lib", "search", "site"}

// source returns the path in Files of a file of a site.
func source(name string) string {
	switch {
	case name == "lib" || strings.HasPrefix(name, "lib/"):
		return name
	case name == homePage || name == ThemeFile:
		return path.Join("search", name)
	case path.Ext(name) == ".js" || path.Ext(name) == ".css":
		return path.Join("site", name)
	}
	return path.Join("demo", name)
}

// names lists the files of a site in order.
func (p Page) names() (names []string, err error) {
	for _, top := range folders {
		err = cmp.Or(err, fs.WalkDir(Files, top, func(file string, entry fs.DirEntry, err error) error {
			name := file
			if top != "lib" {
				name = strings.TrimPrefix(file, top+"/")
			}
			if err == nil && !entry.IsDir() && p.loads(name) {
				names = append(names, name)
			}
			return err
		}))
	}
	slices.Sort(names)
	return names, err
}

// serverFile is the library's module for pages that use an encode server.
const serverFile = "lib/server.js"

// unused lists the library's files that a site's pages do not load: thread.js is
// for Node.js, transformers.js for pages with a model of their own.
var unused = []string{"lib/thread.js", "lib/transformers.js"}

// loads says whether the page can load the file. Only a page with a server loads
// serverFile.
func (p Page) loads(name string) bool {
	return !slices.Contains(unused, name) && (name != serverFile || p.Server != "")
}

// List writes the script that tells the service worker what to keep: the hashes
// of the page's files (see listed). A packed file also has the hash of its content,
// because hosts may unpack it. The version is a hash of all files but those that the
// owner may change. It includes the service worker, so every change gives a new version.
func (p Page) List(read func(name string) ([]byte, error)) ([]byte, error) {
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	version := sha256.New()
	for _, name := range names {
		if name == JudgementsFile || name == ThemeFile { // the owner may change them
			continue
		}
		content, err := read(name)
		if err != nil {
			return nil, err
		}
		hashes := hash(content)
		if path.Ext(name) == ".gz" {
			unpacked, err := gunzip(content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			hashes += " " + hash(unpacked)
		}
		fmt.Fprintln(version, name, hashes)
		if listed(name) {
			files[name] = hashes
		}
	}
	list, err := json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s%s%s\n", listBegin, list, listEnd), nil
}

// listed says whether the list has a file of the page. It lacks the service worker, which
// browsers fetch from the host themselves, the icons, used only when the page is
// installed, and what the owner may change.
func listed(name string) bool {
	return name != "sw.js" && path.Ext(name) != ".png" && name != JudgementsFile && name != ThemeFile
}

// hash returns the first half of a SHA-256: 128 bits are enough to prevent a
// second content with the same hash. Whole hashes would make the list the
// page's largest script.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:sha256.Size/2])
}

func gunzip(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func newWritten(name string, content []byte, err error) (fs.File, error) {
	if err != nil {
		return nil, err
	}
	return &written{Reader: bytes.NewReader(content), name: path.Base(name)}, nil
}

// written is a file in memory. Like the built-in files, it has no modification
// time.
type written struct {
	*bytes.Reader
	name string
}

func (w *written) Stat() (fs.FileInfo, error) { return w, nil }
func (w *written) Close() error               { return nil }
func (w *written) Name() string               { return w.name }
func (w *written) Mode() fs.FileMode          { return 0o444 }
func (w *written) ModTime() time.Time         { return time.Time{} }
func (w *written) IsDir() bool                { return false }
func (w *written) Sys() any                   { return nil }
