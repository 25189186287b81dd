//go:build unix

package hub

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/internal/file"
)

// Files and links that somebody has planted in a shared cache never make us write
// elsewhere.
func TestPlantedLinks(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	victim := filepath.Join(t.TempDir(), "victim")
	const precious = "somebody's own"
	for name, c := range map[string]struct {
		at      func(c *cache) string
		folder  bool // the link leads to a folder
		refused bool
	}{
		"the part of a file":  {at: func(c *cache) string { return c.blob(etagFor(weightsFile, h.files[weightsFile])) + ".incomplete" }},
		"a blob":              {at: func(c *cache) string { return c.blob(etagFor(weightsFile, h.files[weightsFile])) }},
		"an entry":            {at: func(c *cache) string { return c.entry(h.commit, weightsFile) }},
		"a ref":               {at: func(c *cache) string { return c.ref(Main) }},
		"a lock":              {at: func(c *cache) string { return c.lockFile(etagFor(weightsFile, h.files[weightsFile])) }, refused: true},
		"the snapshot":        {at: func(c *cache) string { return c.snapshot(h.commit) }, folder: true, refused: true},
		"the folder of blobs": {at: func(c *cache) string { return filepath.Join(c.dir, "blobs") }, folder: true, refused: true},
		"the model":           {at: func(c *cache) string { return c.dir }, folder: true, refused: true},
		"the refs":            {at: func(c *cache) string { return filepath.Join(c.dir, "refs") }, folder: true, refused: true},
		"what is absent":      {at: func(c *cache) string { return filepath.Join(c.dir, ".no_exist") }, folder: true, refused: true},
	} {
		s := h.settings(t)
		at := c.at(newCache(s.cache, testModel, Main))
		if err := errors.Join(os.RemoveAll(victim), os.MkdirAll(filepath.Dir(at), 0o755)); err != nil {
			t.Fatal(err)
		}
		var err error
		if c.folder {
			err = os.Mkdir(victim, 0o755)
		} else {
			err = os.WriteFile(victim, []byte(precious), 0o644)
		}
		if err := errors.Join(err, os.Symlink(victim, at)); err != nil {
			t.Fatal(err)
		}
		snapshot, err := pull(s, Main, Options{})
		var disk *DiskError
		switch {
		case c.refused && (!errors.As(err, &disk) || !strings.Contains(err.Error(), at) || !strings.Contains(err.Error(), "remove it")):
			t.Errorf("%s: %v", name, err)
		case !c.refused && err != nil:
			t.Errorf("%s: %v", name, err)
		case !c.refused:
			h.isWhole(t, snapshot, tinyNeeded)
		}
		if c.folder {
			if files := contents(t, victim); len(files) > 0 {
				t.Errorf("%s: written through the link: %v", name, files)
			}
		} else if b, err := os.ReadFile(victim); err != nil || string(b) != precious {
			t.Errorf("%s: written through the link: %q (%v)", name, b, err)
		}
	}
}

// A pipe in the cache does not block.
func TestPlantedPipes(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	for name, c := range map[string]struct {
		at      func(c *cache) string
		refused bool
	}{
		"the part of a file": {at: func(c *cache) string { return c.blob(etagFor(weightsFile, h.files[weightsFile])) + ".incomplete" }},
		"a blob":             {at: func(c *cache) string { return c.blob(etagFor(weightsFile, h.files[weightsFile])) }, refused: true},
		"a ref":              {at: func(c *cache) string { return c.ref(Main) }},
		"a lock":             {at: func(c *cache) string { return c.lockFile(etagFor(weightsFile, h.files[weightsFile])) }, refused: true},
	} {
		s := h.settings(t)
		at := c.at(newCache(s.cache, testModel, Main))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), syscall.Mkfifo(at, 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := pull(s, Main, Options{}); (err != nil) != c.refused || c.refused && !errors.Is(err, file.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
