//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package folders

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{".out.left-1", ".out.left-held", ".out", "out.left-1"} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(at(".out.left-dir/below"), 0o700), os.Symlink("out.left-1", at(".out.left-link"))); err != nil {
		t.Fatal(err)
	}
	held, err := Lock(at(".out.left-held"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(at(".out.left-held")); !errors.Is(err, ErrHeld) {
		t.Errorf("held twice: %v", err)
	}
	names := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	Sweep(dir, ".out.left-")
	if got := names(); !slices.Equal(got, []string{".out", ".out.left-held", ".out.left-link", "out.left-1"}) {
		t.Errorf("%v", got)
	}
	held.Close()
	Sweep(dir, ".out.left-")
	if got := names(); !slices.Equal(got, []string{".out", ".out.left-link", "out.left-1"}) {
		t.Errorf("after the end of the run: %v", got)
	}
	Sweep(at("nowhere"), "")
	// On a file system without locks, another run may be writing the file.
	if err := os.WriteFile(at(".out.left-1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sweep(dir, ".out.left-", func(*os.File) error { return syscall.ENOLCK })
	if got := names(); !slices.Contains(got, ".out.left-1") {
		t.Errorf("without locks: %v", got)
	}
}

// The folder that a killed run leaves has the name that the next run looks for, whatever the
// folder is called.
func TestReplaceSweeps(t *testing.T) {
	for _, name := range []string{"pack", "my*pack"} {
		root := t.TempDir()
		dir := filepath.Join(root, name)
		err := Replace(dir, map[string][]byte{"a": nil, "a/b": nil}, "a pack", nil) // a file in a file
		broken, ok := errors.AsType[*fs.PathError](err)
		if !ok {
			t.Fatal(err)
		}
		temporary, _, _ := strings.Cut(strings.TrimPrefix(broken.Path, root+string(filepath.Separator)), string(filepath.Separator))
		if err := os.Mkdir(filepath.Join(root, temporary), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Replace(dir, map[string][]byte{"a": nil}, "a pack", nil); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v (%v)", name, entries, err)
		}
	}
}
