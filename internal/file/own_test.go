//go:build unix

package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOwn(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("victim"), []byte("somebody else's"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "ours"} { // created, then opened again
		f, err := Own(at("own"), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(f); err != nil || string(b) != content {
			t.Errorf("%q, %v", b, err)
		}
		if _, err := f.WriteAt([]byte("ours"), 0); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	for name, plant := range map[string]func(path string) error{
		"link":         func(path string) error { return os.Symlink("victim", path) },
		"broken link":  func(path string) error { return os.Symlink("nobody", path) },
		"second name":  func(path string) error { return os.Link(at("victim"), path) },
		"pipe":         func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder":       func(path string) error { return os.Mkdir(path, 0o700) },
		"link to null": func(path string) error { return os.Symlink(os.DevNull, path) },
	} {
		if err := plant(at(name)); err != nil {
			t.Fatal(err)
		}
		if f, err := Own(at(name), 0o600); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: opened: %v", name, err)
			f.Close()
		}
	}
	if _, err := os.Lstat(at("nobody")); err == nil {
		t.Error("a broken link made a file")
	}
	if _, err := Own(at("nowhere/file"), 0o600); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
	t.Chdir(dir)
	f, err := Own("own", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
