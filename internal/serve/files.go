package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/vantage-search/vantage/internal/site"
	"github.com/vantage-search/vantage/static"
)

// handler serves the regular files of a file system, and for a folder its home page.
// Hidden files are not served, folders are not listed.
type handler struct {
	files fs.FS
	cors  bool
}

// policy is the content security policy: scripts, styles and workers of this origin only,
// and WebAssembly. The page may also read collections from other hosts, show the pictures of their
// documents, and connect to the encode server that it names. Browsers apply it beside the page's own
// policy, so it allows all that one of our pages needs.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' http: https: ws: wss:; " +
	"img-src 'self' http: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

// types are the media types by file extension. Gzip is a type here, not an encoding: what
// is stored is what the library expects to get.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".webmanifest": "application/manifest+json",
	".wasm": "application/wasm", ".gz": "application/gzip",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".csv": "text/csv; charset=utf-8", ".jsonl": "application/jsonl", ".xml": "application/xml", ".pdf": "application/pdf",
}

// hashed matches the names of files that are named by their hash, except those of an encoder that end in .json or
// .txt: such files never change.
var hashed = regexp.MustCompile(`^[0-9a-f]{16,64}\.(safetensors|bin)$`)

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if h.cors {
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
		return
	}
	name, folder, ok := nameOf(r.URL.Path)
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	if folder {
		name = path.Join(name, site.HomePage)
	}
	info, err := fs.Stat(h.files, name) // before it is opened: opening a pipe would wait
	switch {
	case err != nil:
		refuse(w, failure(err))
	case info.IsDir() && !folder && h.has(path.Join(name, site.HomePage)):
		redirect(w, r)
	case !info.Mode().IsRegular():
		refuse(w, http.StatusNotFound)
	default:
		h.serve(w, r, name)
	}
}

// nameOf returns the file or folder that a URL's path names. ok is false if it is not
// served.
func nameOf(urlPath string) (name string, folder, ok bool) {
	name, ok = strings.CutPrefix(urlPath, "/")
	if name == "" {
		return ".", true, ok
	}
	name, folder = strings.CutSuffix(name, "/")
	if !ok || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return "", false, false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(segment, ".") {
			return "", false, false
		}
	}
	return name, folder, true
}

func (h *handler) has(name string) bool {
	info, err := fs.Stat(h.files, name)
	return err == nil && info.Mode().IsRegular()
}

// redirect adds a slash, without which a page's relative links would be wrong. The
// address is relative, so that it is right behind a proxy, too.
func redirect(w http.ResponseWriter, r *http.Request) {
	to := url.URL{Path: "./" + path.Base(r.URL.Path) + "/", RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", to.String())
	refuse(w, http.StatusMovedPermanently)
}

// refuse answers with a status and its name alone.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, http.StatusText(status))
}

// failure returns the status for a file that cannot be opened. It is not 404 if permission,
// a descriptor or the whole folder is lacking: readers must not conclude that the collection is gone.
func failure(err error) int {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return http.StatusForbidden
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, errAway):
		return http.StatusServiceUnavailable
	}
	return http.StatusNotFound
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, name string) {
	f, err := h.files.Open(name)
	if err != nil {
		refuse(w, failure(err))
		return
	}
	defer f.Close()
	info, err := f.Stat()
	content, seekable := f.(io.ReadSeeker)
	if err != nil || !seekable || !info.Mode().IsRegular() {
		refuse(w, http.StatusNotFound)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	if kind, ok := types[strings.ToLower(path.Ext(name))]; ok {
		header.Set("Content-Type", kind)
	}
	header.Set("Cache-Control", "no-cache") // cached, but revalidated each time
	if hashed.MatchString(path.Base(name)) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	when := timeOf(info)
	if tag := tag(when, info.Size(), content); tag != "" {
		header.Set("ETag", tag)
	}
	if unit, ranges, ok := strings.Cut(r.Header.Get("Range"), "="); ok && strings.EqualFold(unit, "bytes") {
		r.Header.Set("Range", "bytes="+ranges) // as ServeContent spells it
	} else {
		r.Header.Del("Range") // in units that nobody knows here; ServeContent would refuse it
	}
	http.ServeContent(w, r, name, when, content)
}

// timeOf returns the time when a file was changed, or zero if it has none. Files of the built-in page have none,
// and neither have those whose time was set to a fixed one: images and packages that can be built again bit for bit
// give every file a second of 1970 or the first day that zip knows, whatever is in it.
func timeOf(info fs.FileInfo) time.Time {
	if t := info.ModTime(); t.After(fixed) {
		return t
	}
	return time.Time{}
}

// fixed is later than the fixed times of files, in every time zone.
var fixed = time.Date(1980, time.January, 3, 0, 0, 0, 0, time.UTC)

// tag returns a file's entity tag, made from its time and length, or from its content if it has no time.
func tag(t time.Time, size int64, content io.ReadSeeker) string {
	if !t.IsZero() {
		return fmt.Sprintf(`"%x-%x"`, t.UnixNano(), size)
	}
	sum := sha256.New()
	_, err := io.Copy(sum, content)
	if _, seeking := content.Seek(0, io.SeekStart); err != nil || seeking != nil {
		return ""
	}
	return `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`
}

// pageAround is the built-in page with a collection where the page looks for
// it.
type pageAround struct {
	page       static.Page
	collection fs.FS
}

func (p pageAround) Open(name string) (fs.File, error) {
	first, rest, _ := strings.Cut(name, "/")
	if rest == "" {
		rest = "."
	}
	if first == site.CollectionDir {
		return p.collection.Open(rest)
	}
	return p.page.Open(name)
}
