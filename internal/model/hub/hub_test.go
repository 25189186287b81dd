package hub

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The cache has the layout that huggingface_hub documents, and holds only the needed
// files.
func TestGet(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	var done, total int64
	snapshot, err := pull(s, Main, Options{Progress: func(d, of int64) {
		if d < done || total != 0 && of != total {
			t.Errorf("progress %d of %d after %d of %d", d, of, done, total)
		}
		done, total = d, of
	}})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	want := int64(0)
	for _, name := range tinyNeeded {
		want += int64(len(h.files[name]))
	}
	if done != want || total != want {
		t.Errorf("progress ended at %d of %d, want %d", done, total, want)
	}
	if snapshot.Commit != testCommit || snapshot.Dir != filepath.Join(s.cache, "models--org--tiny-model", "snapshots", testCommit) {
		t.Errorf("snapshot %+v", snapshot)
	}
	layout := []string{"refs/main", ".no_exist/" + testCommit + "/artifact.metadata"}
	blobs := map[string]bool{}
	for _, name := range tinyNeeded {
		layout = append(layout, "snapshots/"+testCommit+"/"+name)
		blobs["blobs/"+etagFor(name, h.files[name])] = true
		target, err := os.Readlink(filepath.Join(snapshot.Dir, name))
		if want := strings.Repeat("../", strings.Count(name, "/")) + "../../blobs/" + etagFor(name, h.files[name]); err != nil || target != want {
			t.Errorf("%s links to %s (%v), want %s", name, target, err, want)
		}
	}
	layout = append(layout, names(blobs)...)
	slices.Sort(layout)
	files := contents(t, filepath.Join(s.cache, "models--org--tiny-model"))
	if got := names(files); !slices.Equal(got, layout) {
		t.Errorf("cache\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(layout, "\n"))
	}
	if ref := string(files["refs/main"]); ref != testCommit {
		t.Errorf("refs/main is %q", ref)
	}
	locks := contents(t, filepath.Join(s.cache, ".locks", "models--org--tiny-model"))
	if len(locks) != len(blobs) {
		t.Errorf("locks %v", names(locks))
	}
}

// A complete model is used without asking the hub. Refresh asks for the current commit
// of a branch; a commit is never asked for.
func TestGetAgain(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	first, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.seen()
	for _, c := range []struct {
		revision string
		refresh  bool
	}{{Main, false}, {testCommit, false}, {testCommit, true}} {
		again, err := pull(s, c.revision, Options{Refresh: c.refresh})
		if err != nil || again.Dir != first.Dir || !slices.Equal(again.Files, first.Files) {
			t.Errorf("%+v: %+v (%v)", c, again, err)
		}
		if requests := h.seen(); len(requests) > 0 {
			t.Errorf("%+v asked %v", c, requests)
		}
	}
	if _, err := pull(s, Main, Options{Refresh: true}); err != nil {
		t.Fatal(err)
	}
	for _, request := range h.seen() {
		if strings.HasPrefix(request, "GET /org/") {
			t.Errorf("Refresh fetched again: %s", request)
		}
	}

	// The branch moves to a commit in which one small file differs.
	h.mu.Lock()
	h.commit = strings.Repeat("ab", 20)
	h.files["vocab.txt"] = []byte("[UNK]\n")
	h.mu.Unlock()
	if old, err := pull(s, Main, Options{}); err != nil || old.Commit != testCommit {
		t.Errorf("without Refresh: %+v (%v)", old, err)
	}
	h.seen()
	newer, err := pull(s, Main, Options{Refresh: true})
	if err != nil || newer.Commit != h.commit {
		t.Fatalf("%+v (%v)", newer, err)
	}
	h.isWhole(t, newer, tinyNeeded)
	fetched := slices.DeleteFunc(h.seen(), func(r string) bool { return !strings.HasPrefix(r, "GET /org/") })
	if len(fetched) != 1 || !strings.HasSuffix(fetched[0], "/vocab.txt") {
		t.Errorf("fetched %v", fetched)
	}
	if old, err := pull(s, testCommit, Options{}); err != nil || old.Commit != testCommit {
		t.Errorf("the older commit: %+v (%v)", old, err)
	}
}

func TestOtherRevisions(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		if !strings.HasSuffix(r.RequestURI, "/revision/refs%2Fpr%2F1") {
			t.Errorf("asked for %s", r.RequestURI)
		}
		return false
	}
	if _, err := pull(s, "refs/pr/1", Options{}); err != nil {
		t.Fatal(err)
	}
	h.onList = nil
	if b, err := os.ReadFile(filepath.Join(s.cache, "models--org--tiny-model", "refs", "refs", "pr", "1")); err != nil || string(b) != testCommit {
		t.Errorf("refs/refs/pr/1 is %q (%v)", b, err)
	}
	_, err := pull(s, "v7", Options{})
	var status *StatusError
	if !errors.As(err, &status) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no such revision") {
		t.Errorf("%v", err)
	}
	// The hub answers with another commit than the requested one.
	other := strings.Repeat("cd", 20)
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		fmt.Fprintf(w, `{"sha": %q, "siblings": []}`, testCommit)
		return true
	}
	if _, err := pull(s, other, Options{}); err == nil || !strings.Contains(err.Error(), "it is of commit "+testCommit) {
		t.Errorf("%v", err)
	}
}

// A pull finds a damaged file and fetches it again; offline it says so.
func TestDamagedCache(t *testing.T) {
	for _, revision := range []string{Main, testCommit} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		if _, err := pull(s, revision, Options{}); err != nil {
			t.Fatal(err)
		}
		weights := filepath.Join(s.cache, "models--org--tiny-model", "blobs", etagFor(".bin", h.files["model.safetensors"]))
		b, _ := os.ReadFile(weights)
		b[1000] ^= 1
		if err := os.WriteFile(weights, b, 0o666); err != nil {
			t.Fatal(err)
		}
		offline := s
		offline.offline = true
		_, err := pull(offline, revision, Options{Refresh: true})
		var integrity *IntegrityError
		if !errors.As(err, &integrity) || integrity.File != "model.safetensors" || !strings.Contains(err.Error(), "pull the model again") {
			t.Errorf("%v", err)
		}
		snapshot, err := pull(s, revision, Options{Refresh: true})
		if err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)

		// A broken link counts as a missing file.
		if err := os.Remove(weights); err != nil {
			t.Fatal(err)
		}
		if _, err := pull(offline, revision, Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
		if snapshot, err = pull(s, revision, Options{}); err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)
	}
}

// Without symbolic links, a file has two names or is copied.
func TestNoLinks(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	g := newGetting(s, testModel, Main, Options{Notice: func(string) {}})
	g.store.link = func(string, string) error { return errors.ErrUnsupported }
	snapshot, err := g.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	info, err := os.Lstat(filepath.Join(snapshot.Dir, "model.safetensors"))
	if err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v (%v)", info, err)
	}
	blob := filepath.Join(s.cache, "models--org--tiny-model", "blobs")
	if err := os.RemoveAll(blob); err != nil { // as huggingface_hub does on such systems
		t.Fatal(err)
	}
	h.seen()
	if snapshot, err = pull(s, Main, Options{Refresh: true}); err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	for _, request := range h.seen() {
		if strings.HasPrefix(request, "GET /org/") {
			t.Errorf("fetched again: %s", request)
		}
	}
	at := filepath.Join(t.TempDir(), "copy")
	if err := copyFile(at, filepath.Join(snapshot.Dir, "model.safetensors")); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(at); err != nil || !bytes.Equal(b, h.files["model.safetensors"]) {
		t.Errorf("the copy has %d bytes (%v)", len(b), err)
	}
}

// A read-only shared cache is enough if it is complete.
func TestReadOnlyCache(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	if _, err := pull(s, Main, Options{}); err != nil {
		t.Fatal(err)
	}
	before := contents(t, s.cache)
	readOnly(t, s.cache)
	for _, refresh := range []bool{false, true} {
		if _, err := pull(s, Main, Options{Refresh: refresh}); err != nil {
			t.Error(err)
		}
	}
	if after := contents(t, s.cache); len(after) != len(before) {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
}

func readOnly(t *testing.T, dir string) {
	change := func(mode fs.FileMode) {
		filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				err = os.Chmod(p, mode)
			}
			return err
		})
	}
	change(0o555)
	t.Cleanup(func() { change(0o755) })
}

func TestCached(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("HF_HUB_CACHE", cache)
	t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1")
	var missing *NotCachedError
	if _, err := Cached(testModel, Main); !errors.As(err, &missing) || !strings.Contains(err.Error(), "vantage pull org/tiny-model@main") {
		t.Errorf("%v", err)
	}
	if _, err := Cached(testModel, "a;b"); err == nil || !strings.Contains(err.Error(), "vantage pull 'org/tiny-model@a;b'") {
		t.Errorf("%v", err)
	}
	pythonCache(t, cache, tinyModel())
	snapshot, err := Cached(testModel, Main)
	if err != nil || snapshot.Commit != testCommit || !slices.Equal(snapshot.Files, tinyNeeded) {
		t.Errorf("%+v (%v)", snapshot, err)
	}
	if got, err := Get(t.Context(), testModel, testCommit, Options{}); err != nil || got.Dir != snapshot.Dir {
		t.Errorf("%+v (%v)", got, err)
	}
	var invalid *NameError
	if _, err := Cached("../x", Main); !errors.As(err, &invalid) {
		t.Errorf("%v", err)
	}
	if _, err := Get(t.Context(), testModel, "../../x", Options{}); !errors.As(err, &invalid) {
		t.Errorf("%v", err)
	}
}
