//go:build linux

package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	childRevision = "VANTAGE_TEST_CHILD_REVISION"
	childLimit    = "VANTAGE_TEST_CHILD_LIMIT" // bytes of the largest file
)

// TestMain runs the tests, or is a process that gets the model for one of them.
func TestMain(m *testing.M) {
	if revision := os.Getenv(childRevision); revision != "" {
		getInChild(revision)
	}
	os.Exit(m.Run())
}

func getInChild(revision string) {
	if limit, err := strconv.ParseUint(os.Getenv(childLimit), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	snapshot, err := Get(context.Background(), testModel, revision, Options{Notice: func(text string) { fmt.Println("notice:", text) }})
	if err != nil {
		var disk *DiskError
		fmt.Printf("error: disk %v: %v\n", errors.As(err, &disk), err)
		os.Exit(7)
	}
	fmt.Println("commit:", snapshot.Commit)
	os.Exit(0)
}

// child prepares a process that fetches from the hub into a cache.
func child(t *testing.T, h *fakeHub, cache string, more ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Env = append(os.Environ(), append(more, childRevision+"="+Main, "HF_ENDPOINT="+h.URL, "HF_HUB_CACHE="+cache, "HF_TOKEN="+testToken, "HF_HUB_OFFLINE=0")...)
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	return c, &output
}

// If several processes want the same model at once, the weights are fetched once, and all
// get the whole model.
func TestManyProcesses(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	cache := filepath.Join(t.TempDir(), "hub")
	fetched := 0
	h.hookStorage(func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		h.mu.Lock()
		if name == weightsFile {
			fetched++
		}
		h.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		return false
	})
	var wait sync.WaitGroup
	for range 4 {
		c, output := child(t, h, cache)
		wait.Go(func() {
			if err := c.Run(); err != nil || !strings.Contains(output.String(), "commit: "+testCommit) {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
	wait.Wait()
	if fetched != 1 {
		t.Errorf("the weights were fetched %d times", fetched)
	}
	s := h.settings(t)
	s.cache = cache
	s.offline = true
	snapshot, err := pull(s, Main, Options{Refresh: true})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
}

// If the process is killed repeatedly in the middle of the weights, written bytes are
// not fetched twice, and nothing incomplete is ever visible.
func TestKilled(t *testing.T) {
	files := tinyModel()
	files[weightsFile] = randomBytes(9, 4_000_000)
	h := newFakeHub(t, files)
	s := h.settings(t)
	h.hookStorage(func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name != weightsFile {
			return false
		}
		from := 0
		if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
		}
		for at := from; at < len(content); at += 20_000 {
			if _, err := w.Write(content[at:min(at+20_000, len(content))]); err != nil {
				return true
			}
			w.(http.Flusher).Flush()
			time.Sleep(2 * time.Millisecond)
		}
		return true
	})
	dir := filepath.Join(s.cache, "models--org--tiny-model")
	size := func() int64 {
		info, err := os.Stat(partOf(s, h))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	kills := 0
	for step := int64(1); step <= 4; step++ {
		c, output := child(t, h, s.cache)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		for size() < step*800_000 && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		c.Process.Kill()
		if err := <-ended; err == nil {
			t.Fatalf("it had ended: %s", output)
		}
		kills++
		checkVisible(t, h, dir)
	}
	left := size()
	if kills < 4 || left < 3_200_000 {
		t.Fatalf("%d kills, %d bytes", kills, left)
	}
	h.seen()
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if requests := strings.Join(h.seen(), "\n"); !strings.Contains(requests, fmt.Sprintf("model.safetensors bytes=%d-", left)) {
		t.Errorf("not resumed at %d:\n%s", left, requests)
	}
}

// We wait for the lock of Python's filelock, even if the holder removes the file.
func TestHeldLock(t *testing.T) {
	for _, remove := range []bool{false, true} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		name := newCache(s.cache, testModel, Main).lockFile(etagFor(weightsFile, h.files[weightsFile]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		noticed := 0
		snapshot, err := pull(s, Main, Options{Notice: func(text string) {
			if noticed++; !strings.Contains(text, weightsFile+": another process is downloading it") {
				t.Errorf("notice %q", text)
			}
			for _, request := range h.seen() {
				if strings.HasPrefix(request, "GET storage/lfs/"+weightsFile) {
					t.Errorf("it did not wait: %s", request)
				}
			}
			if remove {
				os.Remove(name)
			}
			f.Close()
		}})
		if err != nil {
			t.Fatal(err)
		}
		if noticed != 1 {
			t.Errorf("%d notices", noticed)
		}
		h.isWhole(t, snapshot, tinyNeeded)
	}
}

// If the disk is full, or the size of files is limited, the error has a remedy, the
// bytes that fit are kept, and the download continues with more space.
func TestDiskFull(t *testing.T) {
	full := func(t *testing.T, h *fakeHub, cache, more string, least int64) {
		t.Helper()
		c, output := child(t, h, cache, more)
		c.Run()
		text := output.String()
		if c.ProcessState.ExitCode() != 7 || !strings.Contains(text, "error: disk true: ") || !strings.Contains(text, "free some space or set HF_HUB_CACHE") {
			t.Fatalf("exit code %d: %s", c.ProcessState.ExitCode(), text)
		}
		s := h.settings(t)
		s.cache = cache
		info, err := os.Stat(partOf(s, h))
		if err != nil || info.Size() < least {
			t.Fatalf("kept %v (%v)", info, err)
		}
		checkVisible(t, h, filepath.Join(cache, "models--org--tiny-model"))
		h.seen()
	}
	resumes := func(t *testing.T, h *fakeHub, cache string) {
		t.Helper()
		s := h.settings(t)
		s.cache = cache
		snapshot, err := pull(s, Main, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)
		if requests := strings.Join(h.seen(), "\n"); !strings.Contains(requests, "model.safetensors bytes=") {
			t.Errorf("not resumed:\n%s", requests)
		}
	}
	t.Run("limit", func(t *testing.T) {
		h := newFakeHub(t, tinyModel())
		cache := filepath.Join(t.TempDir(), "hub")
		full(t, h, cache, childLimit+"=100000", 100_000)
		resumes(t, h, cache)
	})
	t.Run("tmpfs", func(t *testing.T) {
		h := newFakeHub(t, tinyModel())
		cache := t.TempDir()
		if err := syscall.Mount("tmpfs", cache, "tmpfs", 0, "size=256k"); err != nil {
			t.Skip("no small file system can be made here: ", err)
		}
		t.Cleanup(func() { syscall.Unmount(cache, syscall.MNT_DETACH) })
		full(t, h, cache, "", 50_000)
		if err := syscall.Mount("tmpfs", cache, "tmpfs", syscall.MS_REMOUNT, "size=2m"); err != nil {
			t.Fatal(err)
		}
		resumes(t, h, cache)
	})
}
