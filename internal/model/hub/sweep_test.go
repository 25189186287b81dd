package hub

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A pull removes what interrupted downloads of the model have left, and nothing that may still be
// of use: parts of other revisions that are not old, and files that another process writes.
func TestSweep(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	store := newCache(s.cache, "org/tiny-model", Main)
	other := func(c string) string { return strings.Repeat(c, 64) }
	there := etagFor(weightsFile, h.files[weightsFile])
	long := 2 * leftoverAge
	locked := other("d")
	if err := makeDir(store.root, filepath.Dir(store.lockFile(locked))); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(context.Background(), store.root, store.lockFile(locked), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for _, revision := range []string{Main, h.commit} {
		if _, err := pull(s, revision, Options{}); err != nil {
			t.Fatal(err)
		}
		files := map[string]struct {
			age  time.Duration
			stay bool
		}{
			"blobs/" + there + ".incomplete":               {0, false}, // Python fetched the rest under another name
			"blobs/" + there + ".0123abcd.incomplete":      {0, true},  // a link that is being made
			"blobs/" + there + ".0123abce.incomplete":      {long, false},
			"blobs/" + other("a") + ".incomplete":          {time.Hour, true}, // may be resumed
			"blobs/" + other("b") + ".incomplete":          {long, false},
			"blobs/" + other("c") + ".89abcdef.incomplete": {long, false},
			"blobs/" + locked + ".incomplete":              {long, true},
			"blobs/notes.incomplete":                       {long, true}, // not ours
			"refs/main.0123abcd.incomplete":                {long, false},
			"refs/pr/1.0123abcd.incomplete":                {0, true},
			"refs/old.incomplete":                          {long, true}, // a branch may have that name
		}
		for name, f := range files {
			path := filepath.Join(store.dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
			when := time.Now().Add(-f.age)
			if err := os.Chtimes(path, when, when); err != nil {
				t.Fatal(err)
			}
		}
		snapshot, err := pull(s, revision, Options{Refresh: true})
		if err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)
		for name, f := range files {
			path := filepath.Join(store.dir, filepath.FromSlash(name))
			if _, err := os.Lstat(path); (err == nil) != f.stay {
				t.Errorf("pull of %s: %s: stays %v, want %v", revision, name, err == nil, f.stay)
			}
			os.Remove(path)
		}
	}
}
