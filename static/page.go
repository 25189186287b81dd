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
// service worker keeps, with their SHA-256.
const filesList = "offline/files.js"

// Open opens a file of the page by its name in a site: the page at the top, the
// library in lib/, and the list for the service worker. There are no folders.
func Open(name string) (fs.File, error) {
	if name == filesList {
		list, err := builtinList()
		if err != nil {
			return nil, err
		}
		return &written{Reader: bytes.NewReader(list), name: path.Base(name)}, nil
	}
	switch path.Ext(name) {
	case ".js", ".css":
		content, err := read(name)
		if err != nil {
			return nil, err
		}
		return &written{Reader: bytes.NewReader(content), name: path.Base(name)}, nil
	}
	return Files.Open(source(name))
}

// source is where a file of a site lies in Files.
func source(name string) string {
	if name == "lib" || strings.HasPrefix(name, "lib/") {
		return name
	}
	return path.Join("demo", name)
}

var builtinList = sync.OnceValues(func() ([]byte, error) {
	return ListFiles(read)
})

// names are the files of a site in order, as they are in Files.
func names() (names []string, err error) {
	for _, top := range []string{"demo", "lib"} {
		err = cmp.Or(err, fs.WalkDir(Files, top, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && loaded(name) {
				names = append(names, strings.TrimPrefix(name, "demo/"))
			}
			return err
		}))
	}
	slices.Sort(names)
	return names, err
}

// EncodeFiles are the library's modules for pages that ask an encode server or
// transformers.js, by their names in a site. Sites on static hosts do without.
var EncodeFiles = []string{"lib/exchange.js", "lib/fallback.js", "lib/job.js", "lib/refusal.js", "lib/server.js", "lib/socket.js", "lib/transformers.js", "lib/wire.js"}

// loaded says whether a page can load the file: types and what describes the
// npm package stay behind.
func loaded(name string) bool {
	if slices.Contains(EncodeFiles, name) {
		return false
	}
	if name == source(JudgementsFile) {
		return true
	}
	switch path.Ext(name) {
	case ".html", ".css", ".js", ".svg", ".png", ".webmanifest", ".wasm", ".gz":
		return true
	}
	return false
}

// ListFiles writes the script that tells the service worker what to keep: the
// SHA-256 of every file of the page, of packed ones also that of their content,
// since hosts may unpack them. The version is a hash of it all, the service
// worker included, so that browsers take a new one for every change.
func ListFiles(read func(name string) ([]byte, error)) ([]byte, error) {
	names, err := names()
	if err != nil {
		return nil, err
	}
	files := map[string][]string{}
	version := sha256.New()
	for _, name := range names {
		if name == JudgementsFile { // each site's own
			continue
		}
		content, err := read(name)
		if err != nil {
			return nil, err
		}
		hashes := []string{hash(content)}
		if path.Ext(name) == ".gz" {
			unpacked, err := gunzip(content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			hashes = append(hashes, hash(unpacked))
		}
		fmt.Fprintln(version, name, hashes)
		switch {
		case name == "sw.js": // which browsers ask the host for by themselves
		case path.Ext(name) == ".png": // icons for those who install the page
		default:
			files[name] = hashes
		}
	}
	list, err := json.MarshalIndent(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files}, "", " ")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "self.VANTAGE_FILES = %s;\n", list), nil
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func gunzip(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
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
