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
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// A site is written completely, is recognised the next time, and leftovers of a killed
// run are removed.
func TestPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	s, err := Open(context.Background(), dir, static.Page{}, nil, false)
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
	again, err := Open(context.Background(), dir, static.Page{}, nil, false)
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

// Files of an older page that the new one lacks are removed; files that the owner added or
// changed stay, whatever the page's list says.
func TestOlderPage(t *testing.T) {
	dir := t.TempDir()
	page := static.Page{Server: "./"} // has one module more than a page without a server
	s, err := Open(t.Context(), dir, page, nil, false)
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
	if s, err = Open(t.Context(), dir, static.Page{}, nil, false); err != nil {
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
	// A list that cannot be parsed is replaced. No force is needed here, because the pages on the
	// site are the same as the new ones.
	for _, content := range []string{"", "self.VANTAGE_FILES = {;", "mine"} {
		if err := os.WriteFile(list, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(t.Context(), dir, static.Page{}, nil, false); err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if err := errors.Join(s.Place(), s.Close(false)); err != nil {
			t.Fatal(err)
		}
	}
}

// Pages that were changed by hand, or that no list of files names, are overwritten only by
// force; the owner's styles never are.
func TestEditedByHand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	place := func(page static.Page, force bool) error {
		s, err := Open(t.Context(), dir, page, nil, force)
		if err != nil {
			return err
		}
		return errors.Join(s.Place(), s.Close(false))
	}
	write(static.ThemeFile, "/* mine, before the first run */")
	if err := place(static.Page{Name: "A"}, false); err != nil {
		t.Fatal(err)
	}
	write("collection/"+manifest.FileName, "{}")
	if err := place(static.Page{Name: "B", Server: "./"}, false); err != nil { // nobody has changed it
		t.Fatal(err)
	}
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	for _, name := range []string{"index.html", "lab.html", "eval.html", "search.css", "app.webmanifest"} {
		before := read(name)
		write(name, before+"<!-- mine -->")
		err := place(static.Page{Name: "C"}, false)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--force") || !strings.Contains(err.Error(), filepath.Join(dir, CollectionDir)) {
			t.Errorf("%s: %v", name, err)
		}
		if got := read(name); got != before+"<!-- mine -->" {
			t.Errorf("%s was overwritten", name)
		}
		if home := read("index.html"); !strings.Contains(home, "<title>B</title>") {
			t.Errorf("%s: something else was written", name)
		}
		if err := place(static.Page{Name: "B"}, true); err != nil || strings.Contains(read(name), "mine") {
			t.Errorf("%s by force: %v", name, err)
		}
	}
	// If a site has no list, nobody can tell who made its pages.
	if err := os.Remove(filepath.Join(dir, "offline", "files.js")); err != nil {
		t.Fatal(err)
	}
	if err := place(static.Page{Name: "C"}, false); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Errorf("without a list: %v", err)
	}
	if got := read(static.ThemeFile); got != "/* mine, before the first run */" {
		t.Errorf("the owner's styles: %s", got)
	}
}

// If a run is killed while it replaces the pages, at whatever file, the next run does not
// think that they were changed by hand.
func TestKilledWhilePlacing(t *testing.T) {
	for _, done := range []int{1, -3, -2, -1} { // number of files that are replaced; below 0: fewer than all by so many
		dir := t.TempDir()
		for i, name := range []string{"A", "B", "B"} {
			s, err := Open(t.Context(), dir, static.Page{Name: name}, nil, false)
			if err != nil {
				t.Fatalf("run %d after %d files: %v", i, done, err)
			}
			if i == 1 { // it is killed
				names := order(s.files)
				for _, name := range names[:(done+len(names))%len(names)] {
					if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), s.files[name], 0o600); err != nil {
						t.Fatal(err)
					}
				}
			} else if err := s.Place(); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Close(false), os.MkdirAll(s.Collection(), 0o700), os.WriteFile(filepath.Join(s.Collection(), manifest.FileName), nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if home, err := os.ReadFile(filepath.Join(dir, HomePage)); err != nil || !strings.Contains(string(home), "<title>B</title>") {
			t.Errorf("%v: %s", err, home)
		}
	}
}

// An error of the disk names the site.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, static.Page{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, pageStaging), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Place(); !errors.Is(err, fault.Unavailable) || !strings.HasPrefix(err.Error(), dir+": the pages cannot be written: ") {
		t.Error(err)
	}
	if err := s.Close(true); err != nil {
		t.Error(err)
	}
}

// A site that has lost its manifest, or its whole collection, is still one, by the list of its files.
func TestLostManifest(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		s, err := Open(t.Context(), dir, static.Page{Name: "A"}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if s.Updates != (i > 0) {
			t.Errorf("run %d updates the site: %v", i, s.Updates)
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
	s, err := Open(context.Background(), filepath.Join(dir, "a", "b"), static.Page{}, nil, false)
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
	if _, err := Open(context.Background(), dir, static.Page{}, nil, false); err == nil || errors.Is(err, fault.Input) {
		t.Errorf("somebody's page: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, HomePage)); err != nil || string(content) != "mine" {
		t.Errorf("%q (%v)", content, err)
	}
}
