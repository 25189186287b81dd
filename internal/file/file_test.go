package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	if _, err := Read(path, 10, "configuration"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(path, 10, "configuration"); err != nil || string(b) != "0123456789" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Read(path, 9, "configuration"); err == nil || !strings.Contains(err.Error(), "config.json: more than 9 bytes, the most for a configuration") {
		t.Errorf("a longer file: %v", err)
	}
}

// Only regular files of a file system are read, and none that is too long.
func TestReadFS(t *testing.T) {
	fsys := fstest.MapFS{"config.json": {Data: []byte("0123456789")}, "folder/a": {}, "pipe": {Mode: fs.ModeNamedPipe}}
	if b, err := ReadFS(fsys, "config.json", 10, "configuration"); err != nil || string(b) != "0123456789" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := ReadFS(fsys, "config.json", 9, "configuration"); err == nil || !strings.Contains(err.Error(), "config.json: more than 9 bytes") {
		t.Errorf("a longer file: %v", err)
	}
	for _, name := range []string{"folder", "pipe"} {
		if _, err := ReadFS(fsys, name, 10, "configuration"); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
