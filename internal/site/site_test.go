package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// A site is written completely, is recognised the next time, and leftovers of a killed
// run are removed.
func TestPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	s, err := Open(context.Background(), dir, static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Updates {
		t.Error("an empty folder has a collection")
	}
	if err := s.Place(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(s.Collection(), 0o700), os.WriteFile(filepath.Join(s.Collection(), manifest.FileName), nil, 0o600),
		os.Mkdir(filepath.Join(dir, pageStaging), 0o700), s.Close(false)); err != nil {
		t.Fatal(err)
	}
	again, err := Open(context.Background(), dir, static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close(false)
	if !again.Updates {
		t.Error("its collection is not seen")
	}
	if _, err := os.Stat(filepath.Join(dir, pageStaging)); err == nil {
		t.Error("the leftover is still there")
	}
	if info, err := os.Stat(filepath.Join(dir, HomePage)); err != nil || info.Size() == 0 {
		t.Errorf("home page: %v", err)
	}
}

// What an older page brought along and the new one has not goes; what the owner added or
// changed stays, whatever the page's list says.
func TestOlderPage(t *testing.T) {
	dir := t.TempDir()
	page := static.Page{Server: "./"} // has a module more than a page without a server
	s, err := Open(t.Context(), dir, page, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Place(), s.Close(false)); err != nil {
		t.Fatal(err)
	}
	sum := func(content string) string {
		sum := sha256.Sum256([]byte(content))
		return hex.EncodeToString(sum[:16])
	}
	list := filepath.Join(dir, "offline", "files.js")
	content, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	listed := fmt.Sprintf(`{"files":{"lib/engine-OLD.js":%q,"lib/core-OLD.gz":"%s more","old/parts/a.js":%q,"lib/mine.js":%q,"../outside.js":%q,"collection/a.js":%[1]q,"lib/link.js":%[1]q,"lib/gone.js":%[1]q,`,
		sum("old"), sum("packed"), sum("a"), sum("as it was"), sum("outside"))
	content = bytes.Replace(content, []byte(`{"files":{`), []byte(listed), 1)
	for name, content := range map[string]string{
		"offline/files.js": string(content), "lib/engine-OLD.js": "old", "lib/core-OLD.gz": "packed", "old/parts/a.js": "a", "lib/mine.js": "as it is",
		"../outside.js": "outside", "collection/a.js": "old", "collection/" + manifest.FileName: "{}", "lib/unlisted.js": "old", "README.md": "mine",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("unlisted.js", filepath.Join(dir, "lib", "link.js")); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), dir, static.Page{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Place(), s.Close(false)); err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{
		"lib/engine-OLD.js": false, "lib/core-OLD.gz": false, "old": false, "lib/server.js": false,
		"lib/mine.js": true, "lib/link.js": true, "../outside.js": true, "collection/a.js": true, "lib/unlisted.js": true, "README.md": true,
		"index.html": true, "sw.js": true, "lib/index.js": true, "offline/files.js": true,
	} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != stays {
			t.Errorf("%s: %v, stays is %v", name, err, stays)
		}
	}
	// A list that is none is an owner's own file; the page is written all the same.
	for _, content := range []string{"", "self.VANTAGE_FILES = {;", "mine"} {
		if err := os.WriteFile(list, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(t.Context(), dir, static.Page{}, nil); err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if err := errors.Join(s.Place(), s.Close(false)); err != nil {
			t.Fatal(err)
		}
	}
}

// A run that fails leaves no folder that was not there; a folder of something else is
// not written to.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(context.Background(), filepath.Join(dir, "a", "b"), static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("a folder is left")
	}
	if err := os.WriteFile(filepath.Join(dir, HomePage), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, static.Page{}, nil); err == nil || errors.Is(err, fault.Input) {
		t.Errorf("somebody's page: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, HomePage)); err != nil || string(content) != "mine" {
		t.Errorf("%q (%v)", content, err)
	}
}
