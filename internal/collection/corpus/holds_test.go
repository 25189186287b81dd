package corpus

import (
	"path/filepath"
	"testing"
)

func TestHolds(t *testing.T) {
	pages := filepath.Join(t.TempDir(), "pages")
	for dir, want := range map[string]bool{"": true, "out": true, "a/b": true, ".out": false, "a/.b/c": false, "..": false, "../out": false, "../pages2": false, "a/../..": false, "..out": false} {
		if got := Holds(pages, filepath.Join(pages, filepath.FromSlash(dir))); got != want {
			t.Errorf("%q: %v", dir, got)
		}
	}
}
