package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
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
