package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
