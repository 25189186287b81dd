package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/stall"
)

const weightsFile = "model.safetensors"

// partOf is the file that an interrupted download of the weights left.
func partOf(s settings, h *fakeHub) string {
	return filepath.Join(s.cache, "models--org--tiny-model", "blobs", etagFor(weightsFile, h.files[weightsFile])+".incomplete")
}

// The storage breaks the connection repeatedly. Each time only the rest is asked for.
func TestCutConnections(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		cut(w, r, content, 20_000)
		return true
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	ranges := 0
	for _, request := range h.seen() {
		if strings.Contains(request, "bytes=") && strings.HasPrefix(request, "GET storage/") {
			ranges++
		}
	}
	if ranges < 14 { // 300,000 bytes in pieces of 20,000
		t.Errorf("%d requests for the rest", ranges)
	}
}

// If the server does not support ranges, the download of a file that was cut begins again,
// whether the file is small or in LFS.
func TestNoRanges(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	cuts := 0
	whole := func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		r.Header.Del("Range")
		if name == weightsFile || name == "tokenizer.json" {
			if cuts++; cuts%3 != 0 {
				cut(w, r, content, len(content)*cuts/9)
			}
		}
		cut(w, r, content, len(content))
		return true
	}
	h.onStorage, h.onGet = whole, func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		return !isLFS(name) && whole(w, r, name, content)
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if cuts != 6 {
		t.Errorf("%d attempts", cuts)
	}
}

// A download without progress gives up and keeps its bytes, and the next call continues
// there.
func TestGiveUpAndResume(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	sent := 0
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name != weightsFile {
			return false
		}
		after := 0
		if sent++; sent == 1 {
			after = 123_456
		}
		cut(w, r, content, after)
		return true
	}
	_, err := pull(s, Main, Options{})
	var broken *UnreachableError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "(tried 4 times)") || !strings.Contains(err.Error(), weightsFile) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(partOf(s, h)); err != nil || info.Size() != 123_456 {
		t.Errorf("%v (%v)", info, err)
	}
	dir := filepath.Join(s.cache, "models--org--tiny-model")
	checkVisible(t, h, dir)
	if _, err := os.Stat(filepath.Join(dir, "refs")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a revision was recorded although its files are not there")
	}
	h.mu.Lock()
	h.onStorage = nil
	h.mu.Unlock()
	h.seen()
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if requests := strings.Join(h.seen(), "\n"); !strings.Contains(requests, "GET storage/lfs/model.safetensors bytes=123456-") {
		t.Errorf("not resumed:\n%s", requests)
	}
}

// The leftover of an earlier process is wrong, too long, or as long as the whole file.
func TestBadRest(t *testing.T) {
	for _, size := range []int{1, 1000, 300_000, 300_001, 500_000} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		part := partOf(s, h)
		if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, make([]byte, size), 0o644)); err != nil {
			t.Fatal(err)
		}
		snapshot, err := pull(s, Main, Options{})
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		h.isWhole(t, snapshot, tinyNeeded)
	}
}

// If a server stops sending, the rest is fetched by a second request. If it never begins
// to send, the download fails.
func TestStalled(t *testing.T) {
	for _, after := range []int{0, 50_000} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		sent := 0
		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if name != weightsFile {
				return false
			}
			if sent++; sent > 1 {
				return false
			}
			if after > 0 {
				w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				w.Write(content[:after])
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
			return true
		}
		brisk := quick
		brisk.stall = 2 * time.Second // a busy machine is not a silent host
		snapshot, err := pullWith(t.Context(), s, Main, Options{}, brisk)
		if after == 0 {
			if sent != 1 || !errors.Is(err, stall.Err) {
				t.Errorf("silent from the beginning: asked %d times, %v", sent, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)

		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			<-r.Context().Done()
			return true
		}
		_, err = pullWith(t.Context(), h.settings(t), Main, Options{}, brisk)
		if err == nil || !strings.Contains(err.Error(), stall.Err.Error()) {
			t.Errorf("%v", err)
		}
	}
}

// Cancelling the context stops the download immediately and keeps its bytes.
func TestCancelled(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name != weightsFile {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:100_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	_, err := pullWith(ctx, s, Main, Options{Progress: func(done, total int64) {
		if done > 100_000 {
			cancel()
		}
	}}, quick)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(partOf(s, h)); err != nil || info.Size() != 100_000 {
		t.Errorf("%v (%v)", info, err)
	}
	// That also holds during a pause.
	h.mu.Lock()
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	h.mu.Unlock()
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	slow := quick
	slow.Wait = time.Hour
	_, err = pullWith(ctx, s, Main, Options{Notice: func(text string) {
		if !strings.Contains(text, "429") || !strings.Contains(text, "trying again in 60 s") {
			t.Errorf("notice %q", text)
		}
		cancel()
	}}, slow)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
