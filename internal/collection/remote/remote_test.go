package remote

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// quick is FS with short pauses.
func quick(url string, client *http.Client) fs.FS {
	h := FS(url, client).(*host)
	h.retry.Delay = time.Millisecond
	return h
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// gzipped serves the answers of next with Content-Encoding: gzip, even if the client
// did not ask for it.
func gzipped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(rec.Code)
		z := gzip.NewWriter(w)
		z.Write(rec.Body.Bytes())
		z.Close()
	})
}

// decoding serves gzip files as some hosts do: with Content-Encoding, so that the client sees them decoded.
func decoding(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(dir + r.URL.Path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.Write(b)
	})
}

func sequence(docs []store.Document) iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// check reads every file of a collection, and compares its documents with the original
// ones.
func check(t *testing.T, fsys fs.FS, want []store.Document) {
	t.Helper()
	st, err := store.Open(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	m := st.Manifest()
	if len(m.Vectors) < 2 || len(m.Docs) != 8 || m.Encoder == nil || m.Columns == nil {
		t.Fatalf("%d vector files and %d blocks", len(m.Vectors), len(m.Docs))
	}
	for _, f := range m.Files() {
		if _, err := st.Read(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	var got []store.Document
	for d, err := range st.AllDocuments(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("documents differ:\n%.500v\n%.500v", got, want)
	}
}

func TestHTTP(t *testing.T) {
	docs := make([]store.Document, 40)
	for i := range docs {
		docs[i] = store.Document{ID: fmt.Sprint(i), Title: "Document", Text: fmt.Sprint("red claim ", i), Metadata: map[string]any{"number": json.Number(fmt.Sprint(i))}}
	}
	dir := t.TempDir()
	o := collection.Options{Rows: collection.Carried{Model: staticmodeltest.Tiny(t)}, ShardBytes: 1000, BlockDocuments: 5}
	if _, err := collection.Write(t.Context(), dir, sequence(docs), o); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(dir))
	var requests atomic.Int64
	for name, handler := range map[string]http.Handler{
		"plain":           files,
		"gzip on top":     gzipped(files),
		"gzip decoded":    decoding(dir),
		"below a path":    http.StripPrefix("/a/b", files),
		"every other 503": every(2, &requests, files, status(http.StatusServiceUnavailable, "")),
		"every third 429": every(3, &requests, files, status(http.StatusTooManyRequests, "0")),
		"every third 408": every(3, &requests, files, status(http.StatusRequestTimeout, "")),
		"every third cut": every(3, &requests, files, truncated(files)),
		"every third hangs up": every(3, &requests, files, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			panic(http.ErrAbortHandler)
		})),
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, handler)
			if name == "below a path" {
				url += "/a/b/"
			}
			check(t, quick(url, nil), docs)
			raw := &http.Client{Transport: &http.Transport{DisableCompression: true}}
			check(t, quick(url, raw), docs)
		})
	}
}

// every passes n-1 of n requests on and answers the others itself.
func every(n int64, count *atomic.Int64, fine, otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1)%n == 0 {
			otherwise.ServeHTTP(w, r)
		} else {
			fine.ServeHTTP(w, r)
		}
	})
}

func status(code int, retryAfter string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		http.Error(w, "no", code)
	})
}

func truncated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		w.Header().Set("Content-Length", strconv.Itoa(rec.Body.Len()))
		w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
	})
}

func TestHTTPErrors(t *testing.T) {
	ctx := context.Background()
	var count atomic.Int64
	counted := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { count.Add(1); h.ServeHTTP(w, r) })
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<!DOCTYPE html><p>Start") })
	for _, c := range []struct {
		name     string
		handler  http.Handler
		attempts int64
		right    func(err error) bool
	}{
		{"missing", http.NotFoundHandler(), 1, func(err error) bool {
			var missing *store.MissingError
			return errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist)
		}},
		{"forbidden", status(403, ""), 1, func(err error) bool { return errors.Is(err, fs.ErrPermission) && strings.Contains(err.Error(), "403") }},
		{"down", status(500, ""), 4, func(err error) bool {
			var s *StatusError
			return errors.As(err, &s) && s.Code == 500 && strings.Contains(err.Error(), "500 Internal Server Error: try again later (tried 4 times)")
		}},
		{"page", page, 1, func(err error) bool {
			var corrupt *store.CorruptError
			return errors.As(err, &corrupt) && strings.Contains(err.Error(), "HTML page")
		}},
		{"cut", truncated(status(200, "")), 4, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) && errors.Is(err, fault.Unavailable) }},
		{"hanging up", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), 4, func(err error) bool {
			return fault.Is[net.Error](err) && errors.Is(err, fault.Unavailable)
		}},
		{"no gzip", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "{}")
		}), 4, func(err error) bool { return errors.Is(err, fault.Unavailable) }},
		{"endless", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}), 1, func(err error) bool { return errors.Is(err, store.ErrTooLong) }},
	} {
		count.Store(0)
		_, err := store.Open(ctx, quick(serve(t, counted(c.handler)), nil))
		if err == nil || !c.right(err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if count.Load() != c.attempts {
			t.Errorf("%s: %d attempts, want %d", c.name, count.Load(), c.attempts)
		}
	}
	for _, url := range []string{"", "ftp://example.org/x", "/local", "http://", "http://127.0.0.1:1/", "http://%zz"} {
		if _, err := store.Open(ctx, quick(url, nil)); err == nil {
			t.Errorf("%q was read", url)
		} else if url == "http://" && !errors.Is(err, fault.Input) {
			t.Errorf("%q: %v", url, err)
		}
	}
	ended, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	slow := FS(serve(t, status(503, "20")), nil)
	if _, err := store.Open(ended, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestHTTPFile(t *testing.T) {
	url := serve(t, http.FileServerFS(fstest.MapFS{"a/b.txt": {Data: []byte("hello")}}))
	fsys := quick(url, nil)
	b, err := fs.ReadFile(fsys, "a/b.txt")
	if err != nil || string(b) != "hello" {
		t.Errorf("%q %v", b, err)
	}
	info, err := fs.Stat(fsys, "a/b.txt")
	if err != nil || info.Size() != 5 || info.Name() != "b.txt" {
		t.Errorf("%v %v", info, err)
	}
	for _, name := range []string{"", ".", "../x", "/x", "a/b.txt/../b.txt"} {
		if _, err := fsys.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := fsys.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A host may take any time, but it must not be silent for long, before or in the middle
// of its answer.
func TestHTTPStalled(t *testing.T) {
	t.Parallel()                                                  // the test mostly waits
	const silence, long = 300 * time.Millisecond, 2 * time.Second // a busy machine is not a silent host
	content := []byte("some content")
	var asked atomic.Int64
	slowly := func(pause time.Duration, bytes int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if bytes > 0 {
				w.Header().Set("Content-Length", strconv.Itoa(len(content)))
			}
			for _, b := range content[:bytes] {
				w.Write([]byte{b})
				w.(http.Flusher).Flush()
				time.Sleep(pause)
			}
			if bytes < len(content) {
				<-r.Context().Done()
			}
		})
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // the host accepts connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for name, url := range map[string]string{
		"never answers":       serve(t, slowly(0, 0)),
		"stops in the middle": serve(t, slowly(0, 5)),
		"slow":                serve(t, slowly(long/8, len(content))),
		"takes no request":    "http://" + silent.Addr().String(),
		"no TLS":              "https://" + silent.Addr().String(),
	} {
		asked.Store(0)
		fsys := quick(url, nil).(*host)
		if fsys.stall = silence; name == "slow" {
			fsys.stall = long
		}
		start := time.Now()
		got, err := fsys.Fetch(t.Context(), "file", 100)
		if name == "slow" {
			if err != nil || !bytes.Equal(got, content) || time.Since(start) < long {
				t.Errorf("%s: %q after %v: %v", name, got, time.Since(start), err)
			}
			continue
		}
		var stalled *StalledError
		if !errors.As(err, &stalled) || stalled.URL != url+"/file" || asked.Load() > 1 {
			t.Errorf("%s: asked %d times: %v", name, asked.Load(), err)
		}
	}
}

// A time limit of the caller's client is named as what it is.
func TestHTTPClientTimeout(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	_, err := quick(url, &http.Client{Timeout: 50 * time.Millisecond}).(*host).Fetch(t.Context(), "file", 100)
	var late net.Error
	if _, ok := errors.AsType[*StalledError](err); ok || !errors.Is(err, fault.Unavailable) || !errors.As(err, &late) ||
		!strings.Contains(err.Error(), "50ms that the http.Client allows") {
		t.Error(err)
	}
}

// The host compresses by a large factor although it is asked not to.
func TestHTTPExpansion(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(make([]byte, 1<<20))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	zeros := packed.Bytes()
	var asked []string
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(zeros)
		if r.URL.Path == "/far" {
			for range 40 { // a concatenation of gzip files is a gzip file, too
				w.Write(zeros)
			}
		}
	}))
	defer host.Close()
	reader := FS(host.URL, nil).(store.Fetcher)
	if b, err := reader.Fetch(context.Background(), "near", 1<<20); err != nil || !bytes.Equal(b, make([]byte, 1<<20)) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	var limit *unpack.ExpansionError
	if _, err := reader.Fetch(context.Background(), "far", manifest.MaxFileBytes); !errors.As(err, &limit) || !strings.Contains(err.Error(), "/far") {
		t.Error(err)
	}
	if len(asked) != 2 || asked[0] != "identity" {
		t.Errorf("asked for %q", asked)
	}
}
