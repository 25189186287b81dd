package hub

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The storage sends wrong content, once or always, or the right content without its length.
func TestWrongContent(t *testing.T) {
	corrupt := func(content []byte) []byte {
		b := append([]byte(nil), content...)
		b[len(b)/2] ^= 1
		return b
	}
	for name, c := range map[string]struct {
		send  func(w http.ResponseWriter, r *http.Request, content []byte)
		what  string // part of the error
		times int    // number of faults before all is well; 0 means forever
	}{
		"flipped once":    {func(w http.ResponseWriter, r *http.Request, b []byte) { w.Write(corrupt(b)) }, "", 1},
		"flipped":         {func(w http.ResponseWriter, r *http.Request, b []byte) { w.Write(corrupt(b)) }, "SHA-256 is ", 0},
		"shorter":         {sized(func(b []byte) []byte { return b[:100] }), "size is 100 bytes, expected 300000 bytes", 0},
		"longer":          {sized(func(b []byte) []byte { return append(b[:len(b):len(b)], 1, 2) }), "size is 300002 bytes, expected 300000 bytes", 0},
		"chunked, longer": {chunked(func(b []byte) []byte { return append(b[:len(b):len(b)], 1) }), "size is more than that, expected 300000 bytes", 0},
		"chunked, shorter": {chunked(func(b []byte) []byte { return b[:len(b)-1] }),
			"after 299999 of 300000 bytes", 0},
		"chunked":          {chunked(func(b []byte) []byte { return b }), "", 99},
		"page of a portal": {func(w http.ResponseWriter, r *http.Request, b []byte) { fmt.Fprint(w, "<html>Log in</html>") }, "size is 19 bytes", 0},
		"compressed": {func(w http.ResponseWriter, r *http.Request, b []byte) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(b)
		}, "encoding", 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t, tinyModel())
			s := h.settings(t)
			sent := 0
			h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
				if name != weightsFile {
					return false
				}
				if sent++; c.times > 0 && sent > c.times {
					return false
				}
				c.send(w, r, content)
				return true
			}
			snapshot, err := pull(s, Main, Options{})
			if c.what == "" {
				if err != nil {
					t.Fatal(err)
				}
				h.isWhole(t, snapshot, tinyNeeded)
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.what) || !strings.Contains(err.Error(), weightsFile) {
				t.Errorf("%v, want %q", err, c.what)
			}
			checkVisible(t, h, filepath.Join(s.cache, "models--org--tiny-model"))
			if sent > 20 {
				t.Errorf("asked %d times", sent)
			}
		})
	}
}

func sized(of func([]byte) []byte) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, content []byte) {
		b := of(content)
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		w.Write(b)
	}
}

func chunked(of func([]byte) []byte) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, content []byte) {
		w.(http.Flusher).Flush()
		w.Write(of(content))
	}
}

// A range that was not asked for is never written.
func TestWrongRange(t *testing.T) {
	for _, header := range []string{"bytes 0-299999/300000", "bytes 1001-299999/300000", "bytes 1000-299999/999999", "bytes 1000-", "pages 1-2/3", ""} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		part := partOf(s, h)
		if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, h.files[weightsFile][:1000], 0o644)); err != nil {
			t.Fatal(err)
		}
		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if r.Header.Get("Range") == "" {
				return false
			}
			w.Header().Set("Content-Range", header)
			w.WriteHeader(http.StatusPartialContent)
			w.Write(content)
			return true
		}
		if _, err := pull(s, Main, Options{}); err == nil || !strings.Contains(err.Error(), weightsFile) {
			t.Errorf("%q: %v", header, err)
		}
		if b, err := os.ReadFile(part); err != nil || string(b) != string(h.files[weightsFile][:1000]) {
			t.Errorf("%q: %d bytes are left (%v)", header, len(b), err)
		}
	}
}

// If the file changes between HEAD and GET, HEAD is repeated.
func TestChangedBetween(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name == weightsFile {
			h.mu.Lock()
			h.onStorage, h.files[weightsFile] = nil, randomBytes(77, 310_000)
			h.mu.Unlock()
			w.Write(h.files[weightsFile])
		}
		return name == weightsFile
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
}

// Answers to HEAD without a usable hash, and invalid lists of files, are refused.
func TestUselessAnswers(t *testing.T) {
	for name, set := range map[string]func(http.Header){
		"neither a SHA-1 nor a SHA-256": func(h http.Header) { h.Set("X-Linked-Etag", `"../../evil"`) },
		`"../evil" is neither`:          func(h http.Header) { h.Set("X-Linked-Etag", `../evil`) },
		`X-Linked-Size is "many"`:       func(h http.Header) { h.Set("X-Linked-Size", "many") },
		"size is 9007199254740992":      func(h http.Header) { h.Set("X-Linked-Size", "9007199254740992") },
		"tells no size":                 func(h http.Header) { h.Set("X-Linked-Size", "-5") },
		"it is of commit":               func(h http.Header) { h.Set("X-Repo-Commit", strings.Repeat("a", 40)) },
	} {
		h := newFakeHub(t, tinyModel())
		h.onHead = func(w http.ResponseWriter, r *http.Request, file string, content []byte) bool {
			if file == weightsFile {
				set(w.Header())
			}
			return false
		}
		s := h.settings(t)
		if _, err := pull(s, Main, Options{}); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), weightsFile) {
			t.Errorf("%s: %v", name, err)
		}
		checkVisible(t, h, filepath.Join(s.cache, "models--org--tiny-model"))
	}
	for body, part := range map[string]string{
		"<html>": "invalid character", "{}": "not a hash", `{"sha": "main"}`: "not a hash", `{"sha": 3}`: "cannot unmarshal", `{"sha": "../../../../../../../../../../../../../../.."}`: "not a hash",
		`{"sha": "` + testCommit + `"}`: "no weights", `{"sha": "` + testCommit + `", "siblings": [{"rfilename": "model.safetensors"}]}`: "no config.json",
		`{"sha": "` + testCommit + `", "siblings": [` + strings.Repeat(`{"rfilename": "x"},`, maxListed) + `{}]}`: "100001 files, at most 100000",
		strings.Repeat(" ", maxListing+1): "more than 67108864 bytes",
	} {
		h := newFakeHub(t, tinyModel())
		h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
			fmt.Fprint(w, body)
			return true
		}
		if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%.80s: %v", body, err)
		}
	}
	h := newFakeHub(t, tinyModel())
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		return false
	}
	if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), "header") {
		t.Errorf("%v", err)
	}
}

// A small file that is said to be huge is refused before anything of the model is fetched, and one that is huge although it
// is said to be small is never stored: whether its answer tells no length, or a false one.
func TestHugeSmallFiles(t *testing.T) {
	for file, most := range map[string]string{modulesFile: "16777216", "config.json": "16777216", "tokenizer_config.json": "16777216",
		"1_Pooling/config.json": "16777216", "tokenizer.json": "268435456"} {
		h := newFakeHub(t, tinyModel())
		h.onHead = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if name == file {
				w.Header().Set("Content-Length", "999999999")
			}
			return name == file
		}
		s := h.settings(t)
		_, err := pull(s, Main, Options{})
		var fault *ModelError
		if !errors.As(err, &fault) || fault.File != file || !strings.Contains(err.Error(), file+": 999999999 bytes, at most "+most) {
			t.Errorf("%s: %v", file, err)
		}
		for _, request := range h.seen() {
			if strings.HasPrefix(request, "GET /"+testModel) && !strings.Contains(request, modulesFile) || strings.HasPrefix(request, "GET storage") {
				t.Errorf("%s: %s", file, request)
			}
		}
	}
	for _, length := range []string{"", "22", "50000000"} { // tiny's config.json has 22 bytes
		h := newFakeHub(t, tinyModel())
		h.onGet = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if name != "config.json" {
				return false
			}
			if length != "" {
				w.Header().Set("Content-Length", length)
			}
			w.(http.Flusher).Flush()
			for range 50 {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 1_000_000)); err != nil {
					break
				}
			}
			return true
		}
		s := h.settings(t)
		if _, err := pull(s, Main, Options{}); err == nil || !strings.Contains(err.Error(), "config.json: ") {
			t.Errorf("length %q: %v", length, err)
		}
		stored := 0
		for _, content := range contents(t, s.cache) {
			stored += len(content)
		}
		if stored > 10_000 {
			t.Errorf("length %q: %d bytes are stored", length, stored)
		}
	}
}
