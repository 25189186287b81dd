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

// filesList is the one file of the page that has no source: the files that the
// service worker keeps, with their hashes.
const filesList = "offline/files.js"

// Page is the page with its library, as a site has them.
type Page struct {
	// Server is the address of the encode server that the page asks, as CheckServer
	// wants it; without one the module that asks is no part of the page.
	Server string
}

// Open opens a file of the page by its name in a site: the page at the top, the
// library in lib/, and the list for the service worker. There are no folders.
func (p Page) Open(name string) (fs.File, error) {
	if name == filesList {
		list, err := p.list()
		return newWritten(name, list, err)
	}
	if name == homePage {
		content, err := p.read(name)
		return newWritten(name, content, err)
	}
	return Files.Open(source(name))
}

// lists are those of the built-in page, by the server that it asks.
var lists sync.Map

func (p Page) list() ([]byte, error) {
	if list, ok := lists.Load(p.Server); ok {
		return list.([]byte), nil
	}
	list, err := p.List(p.read)
	if err == nil {
		lists.Store(p.Server, list)
	}
	return list, err
}

// read is a file of a site as it is served.
func (p Page) read(name string) ([]byte, error) {
	content, err := Files.ReadFile(source(name))
	if err == nil && name == homePage {
		content, err = p.announce(content)
	}
	return content, err
}

// folders are those of Files.
var folders = []string{"demo", "lib", "site"}

// source is where a file of a site lies in Files.
func source(name string) string {
	switch {
	case name == "lib" || strings.HasPrefix(name, "lib/"):
		return name
	case path.Ext(name) == ".js" || path.Ext(name) == ".css":
		return path.Join("site", name)
	}
	return path.Join("demo", name)
}

// names are the files of a site in order.
func (p Page) names() (names []string, err error) {
	for _, top := range folders {
		err = cmp.Or(err, fs.WalkDir(Files, top, func(file string, entry fs.DirEntry, err error) error {
			name := strings.TrimPrefix(strings.TrimPrefix(file, "demo/"), "site/")
			if err == nil && !entry.IsDir() && p.loads(name) {
				names = append(names, name)
			}
			return err
		}))
	}
	slices.Sort(names)
	return names, err
}

// serverFile is the library's module for pages that ask an encode server.
const serverFile = "lib/server.js"

// Of the library's files, pages of a site load all but these: Node.js runs the one,
// and the other is for pages with a model of their own.
var unused = []string{"lib/thread.js", "lib/transformers.js"}

// loads says whether the page can load the file. Sites on static hosts ask no server.
func (p Page) loads(name string) bool {
	return !slices.Contains(unused, name) && (name != serverFile || p.Server != "")
}

// List writes the script that tells the service worker what to keep: the
// hash of every file of the page, of packed ones also that of their content,
// since hosts may unpack them. The version is a hash of it all, the service
// worker included, so that browsers take a new one for every change.
func (p Page) List(read func(name string) ([]byte, error)) ([]byte, error) {
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	version := sha256.New()
	for _, name := range names {
		if name == JudgementsFile { // each site's own
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
		switch {
		case name == "sw.js": // which browsers ask the host for by themselves
		case path.Ext(name) == ".png": // icons for those who install the page
		default:
			files[name] = hashes
		}
	}
	list, err := json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s%s%s\n", listBegin, list, listEnd), nil
}

// hash is the first half of a SHA-256: 128 bits, which nobody can find another
// content for. All of it would make the list the page's largest script.
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

// written is a file that is in no folder. Like the built-in ones it has no time.
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
