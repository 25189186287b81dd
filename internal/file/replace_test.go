package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A run removes leftovers of killed runs beside its output, but not the file that
// another run is writing.
func TestReplaceClearsUp(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(filepath.Join(dir, ".out.vantage-0badcafe"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	err := Replace(path, func(w io.Writer) error {
		return errors.Join(Replace(path, text("second")), text("first")(w))
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v (%v)", entries, err)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "first" { // this run ended last
		t.Errorf("%q (%v)", content, err)
	}
	if err := os.Chmod(path, 0o200); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, text("third")); err != nil {
		t.Errorf("replacing a file that nobody may read: %v", err)
	}
}

// A file keeps its mode, whatever new files get.
func TestReplaceKeepsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A link stays a link, also if the file that it leads to is not there yet.
func TestReplaceFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(at("real"), 0o755), os.Mkdir(at("real/sub"), 0o755), os.WriteFile(at("there"), nil, 0o644), os.Symlink("real/sub", at("inside"))); err != nil {
		t.Fatal(err)
	}
	links := map[string]struct{ to, lands string }{
		"a":      {"there", "there"},
		"b":      {"real/new", "real/new"},
		"c":      {"d", "real/newer"}, // by another link
		"d":      {at("real/newer"), "real/newer"},
		"real/e": {"../e2", "e2"},
		"f":      {"inside/../f", "real/f"}, // as the system reads it
		"g":      {"gone/g", ""},
		"h":      {"i", ""},
		"i":      {at("gone/i"), ""},
		"j":      {"gone/", ""},
	}
	for link, c := range links {
		if err := os.Symlink(c.to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	for link, c := range links {
		err := Replace(at(link), write)
		if info, none := os.Lstat(at(link)); none != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
		if c.lands == "" {
			if err == nil || !strings.Contains(err.Error(), "whose folder is not there") || !strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", link, err)
			}
			continue
		}
		if content, reading := os.ReadFile(at(c.lands)); err != nil || reading != nil || string(content) != "new" {
			t.Errorf("%s: %q in %s (%v, %v)", link, content, c.lands, reading, err)
		}
	}
}

// Before any work, CheckReplace refuses what Replace would refuse after it, and nothing else.
func TestCheckReplace(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(at("folder"), 0o755), os.WriteFile(at("file"), nil, 0o644), os.Symlink("folder/new", at("link")), os.Symlink("gone/new", at("astray"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "new", "folder/new", "link"} {
		if err := CheckReplace(at(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckReplace("-"); err != nil {
		t.Error(err)
	}
	for name, kind := range map[string]fault.Kind{"folder": fault.Query, "gone/new": fault.Unavailable, "file/new": fault.Unavailable, "astray": fault.Query} {
		if err := CheckReplace(at(name)); !errors.Is(err, kind) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Replace(at(name), func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// An output is none of the inputs, by whatever path, and devices may be both.
func TestCheckOther(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("a", nil, 0o600), os.WriteFile("b", nil, 0o600), os.Symlink("a", "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for output, refused := range map[string]bool{"a": true, "./a": true, "link": true, "b": false, "new": false, "-": false, os.DevNull: false} {
		if err := CheckOther(output, "-", "none", os.DevNull, "a"); (err != nil) != refused || refused && !errors.Is(err, fault.Query) {
			t.Errorf("%s: %v", output, err)
		}
	}
}
