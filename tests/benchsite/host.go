package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// packs are the kinds of files that static hosts compress on the way.
var packs = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// host serves a folder as static hosts do: with gzip for texts and WebAssembly, and ten
// minutes in the browser's cache.
type host struct {
	dir    string
	asked  func(path string) // called for each request
	packed sync.Map
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.asked(r.URL.Path)
	name := filepath.FromSlash(strings.TrimPrefix(r.URL.Path, "/"))
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	w.Header().Set("Cache-Control", "max-age=600")
	kind, ok := packs[filepath.Ext(name)]
	if !ok || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || !filepath.IsLocal(name) {
		http.ServeFile(w, r, filepath.Join(h.dir, filepath.Clean("/"+name)))
		return
	}
	found, _ := h.packed.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) { return pack(filepath.Join(h.dir, name)) }))
	content, err := found.(func() ([]byte, error))()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.Write(content)
}

func pack(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := io.Copy(z, file); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}
