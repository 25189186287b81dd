package serve

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/static"
)

// Whatever path is asked for, nothing hidden and nothing outside is opened, and
// a redirect stays on the host.
func FuzzServedPath(f *testing.F) {
	for _, seed := range []string{"/", "/a", "/a/", "/sub", "/sub/", "//sub", "/../a", "/.h", "/sub/.h", "/a\x00", "/\\sub", "sub", "/%2e%2e", "/sub/./", "/:x", "/a:b"} {
		f.Add(seed)
	}
	files := fstest.MapFS{
		"index.html": {Data: []byte("home")}, "a": {Data: []byte("a")}, "sub/index.html": {Data: []byte("sub")}, "a:b/index.html": {Data: []byte("colon")},
		".h": {Data: []byte("hidden")}, "sub/.h": {Data: []byte("hidden")}, "bare/x": {Data: []byte("x")},
	}
	f.Fuzz(func(t *testing.T, path string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = &url.URL{Path: path}
		w := httptest.NewRecorder()
		(&handler{files: checked{t, files}}).ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), "hidden") {
			t.Errorf("%q: a hidden file", path)
		}
		switch w.Code {
		case http.StatusOK, http.StatusNotFound:
		case http.StatusMovedPermanently:
			to, err := url.Parse("http://host" + (&url.URL{Path: path}).EscapedPath())
			if err != nil {
				t.Fatal(err)
			}
			next, err := to.Parse(w.Header().Get("Location"))
			if err != nil || next.Host != "host" || next.Path != path+"/" {
				t.Errorf("%q leads to %v (%v)", path, next, err)
			}
		default:
			t.Errorf("%q: %d", path, w.Code)
		}
	})
}

// A file that cannot be opened for lack of permission or of a descriptor is not reported as
// missing.
func TestUnopenedFile(t *testing.T) {
	for err, want := range map[error]int{syscall.EMFILE: 503, syscall.ENFILE: 503, syscall.EACCES: 403, syscall.ENOENT: 404, syscall.ELOOP: 404} {
		w := httptest.NewRecorder()
		(&handler{files: failing{err}}).ServeHTTP(w, httptest.NewRequest("GET", "/a", nil))
		if w.Code != want {
			t.Errorf("%v: %d, want %d", err, w.Code, want)
		}
	}
}

// A range in units other than bytes is ignored, as RFC 9110 (14.2) says.
func TestRangeUnits(t *testing.T) {
	files := fstest.MapFS{"a": {Data: []byte("0123456789")}}
	for units, want := range map[string]int{"": 200, "bytes=2-3": 206, "bytes=20-": 416, "items=2-3": 200, "bytesish=2-3": 200, "Bytes=2-3": 206, "2-3": 200} {
		r := httptest.NewRequest("GET", "/a", nil)
		if units != "" {
			r.Header.Set("Range", units)
		}
		w := httptest.NewRecorder()
		(&handler{files: files}).ServeHTTP(w, r)
		body := map[int]string{200: "0123456789", 206: "23"}[want]
		if w.Code != want || body != "" && w.Body.String() != body {
			t.Errorf("%q: %d %q, want %d", units, w.Code, w.Body, want)
		}
	}
}

// failing is a file system that opens nothing.
type failing struct{ err error }

func (f failing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}

// checked is a file system that insists on valid names.
type checked struct {
	t     *testing.T
	files fs.FS
}

func (c checked) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.Contains("/"+name, "/.") && name != "." {
		c.t.Errorf("opened %q", name)
	}
	return c.files.Open(name)
}

// A browser applies the policy of the response beside the one that a page has. So it allows what the pages allow.
func TestPolicyAllowsThePages(t *testing.T) {
	sources := func(policy string) func(directive string) []string {
		named := map[string][]string{}
		for part := range strings.SplitSeq(policy, ";") {
			if words := strings.Fields(part); len(words) > 0 {
				named[words[0]] = words[1:]
			}
		}
		return func(directive string) []string {
			if found, ok := named[directive]; ok {
				return found
			}
			return named["default-src"]
		}
	}
	header := sources(policy)
	own := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	for _, name := range []string{"search/index.html", "demo/lab.html", "demo/eval.html"} {
		content, err := static.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := own.FindSubmatch(content)
		if found == nil {
			t.Fatalf("%s has no policy", name)
		}
		page := sources(strings.ReplaceAll(string(found[1]), "{{.Connect}}", ""))
		for _, directive := range []string{"script-src", "style-src", "font-src", "img-src", "connect-src", "worker-src", "manifest-src", "form-action"} {
			for _, source := range page(directive) {
				if source != "'none'" && !slices.Contains(header(directive), source) {
					t.Errorf("%s: the page allows %s from %s, and the response only from %q", name, directive, source, header(directive))
				}
			}
		}
	}
}
