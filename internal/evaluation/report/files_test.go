package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Files that cannot be written are refused, and others stay as they are.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "none", "a"), filepath.Join(there, "a"), dir} {
		if err := (&Files{JSON: there, LaTeX: path}).Check(); err == nil {
			t.Errorf("%s is not refused", path)
		}
	}
	if err := (&Files{JSON: there, CSV: filepath.Join(dir, "new"), LaTeX: os.DevNull}).Check(); err != nil {
		t.Error(err)
	}
	if err := (&Files{JSON: there}).Check(dir, there); !errors.Is(err, fault.Query) {
		t.Errorf("an input: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if content, err := os.ReadFile(there); err != nil || string(content) != "old" {
		t.Errorf("%q, %v", content, err)
	}
}

// If the disk is full when the figures are there, the other files and the terminal still get them.
func TestWriteOnFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	other := filepath.Join(t.TempDir(), "csv")
	var terminal strings.Builder
	tables := []Table{{Name: "table", Columns: []Column{{Name: "nDCG@10"}}, Rows: []Row{{Label: "bm25", Cells: []Cell{{kind: word, word: "0.5"}}}}}}
	err := (&Files{JSON: "/dev/full", CSV: other}).Write(1, tables, &terminal)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(terminal.String(), "bm25") {
		t.Errorf("%v, %q", err, terminal.String())
	}
	if content, err := os.ReadFile(other); err != nil || !strings.Contains(string(content), "bm25") {
		t.Errorf("%q, %v", content, err)
	}
}

// Two reports do not go into the same file, however its path is written.
func TestSameFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs("a")
	if err != nil {
		t.Fatal(err)
	}
	same := []string{"./a", "folder/../a", absolute}
	if err := os.Symlink("folder", "link"); err == nil { // Windows may not allow it
		same = append(same, "link/../a")
		if err := (&Files{JSON: "link/b", CSV: "folder/b"}).Check(); !errors.Is(err, fault.Query) {
			t.Errorf("in a linked folder: %v", err)
		}
		if err := os.Symlink("a", "other"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for _, other := range same {
			if err := (&Files{JSON: "a", CSV: other}).Check(); !errors.Is(err, fault.Query) {
				t.Errorf("a and %s: %v", other, err)
			}
		}
		if err := (&Files{JSON: "a", CSV: "b", Markdown: "folder/a", LaTeX: "-"}).Check(); err != nil {
			t.Error(err)
		}
		if err := (&Files{JSON: "a"}).Beside("--record", "./a").Check(); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "--record and --json") {
			t.Errorf("a recording in place of a report: %v", err)
		}
		if err := (&Files{JSON: "a"}).Beside("--sweep-to", "a").Beside("--record", "b").Check(); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "--sweep-to and --json") {
			t.Errorf("a sweep in place of a report: %v", err)
		}
		if err := (&Files{JSON: "a"}).Beside("--record", "b").Beside("--sweep-to", "").Check(); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile("a", nil, 0o600); err != nil { // and once it exists
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat("other"); err == nil {
		if err := (&Files{JSON: "a", CSV: "other"}).Check(); !errors.Is(err, fault.Query) {
			t.Errorf("a link to the file: %v", err)
		}
	}
}

// A file that could not be made is refused before anything is computed.
func TestNoPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		files Files
		kind  fault.Kind
	}{
		{Files{JSON: "gone/a"}, fault.Unavailable}, {Files{CSV: "gone/a"}, fault.Unavailable}, {Files{Markdown: "gone/a"}, fault.Unavailable},
		{Files{LaTeX: "gone/a"}, fault.Unavailable}, {Files{JSON: "."}, fault.Query},
	} {
		if err := c.files.Check(); !errors.Is(err, c.kind) {
			t.Errorf("%+v: %v", c.files, err)
		}
	}
}
