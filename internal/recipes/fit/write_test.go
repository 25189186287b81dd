package fit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
)

func TestWriteDir(t *testing.T) {
	f, err := Fit(context.Background(), slices.Values(slices.Concat(topics["de"]...)), Options{Name: "backen", Language: "de", Dim: 4, VocabSize: 200})
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "models", "mine")
	for _, left := range []string{".mine.vantage-new-1/README.md", ".mine.vantage-new-1.old/README.md"} { // leftover of a killed run
		path := filepath.Join(root, "models", left)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // create the folder, then replace it
		if err := f.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		loaded, err := staticmodel.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.ID != "backen" || loaded.Language != "de" || loaded.Revision != f.Revision {
			t.Errorf("%s %s %s", loaded.ID, loaded.Language, loaded.Revision)
		}
		if card, err := os.ReadFile(filepath.Join(dir, "README.md")); err != nil || string(card) != string(f.Card) {
			t.Errorf("card: %v", err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "models"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}

	foreign := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(foreign, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteDir(dir); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("a folder with other files: %v", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
	if _, err := (&Job{Corpus: filepath.Join(root, "none.jsonl"), Output: dir}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("the folder is not refused before the corpus is read: %v", err)
	}
	if err := f.WriteDir(foreign); err == nil {
		t.Error("a file was replaced")
	}
	if err := f.WriteDir(filepath.Join(root, "new", "\x00")); err == nil {
		t.Error("a name that no folder can have")
	}
	if _, err := os.Lstat(filepath.Join(root, "new")); err == nil {
		t.Error("a failure left a folder")
	}
}

// The command that is printed at the end takes names with spaces whole, and reads the corpus as it was read.
func TestReportSaysHowToIndex(t *testing.T) {
	dir := t.TempDir()
	j := Job{Corpus: filepath.Join(dir, "it's.csv"), Output: filepath.Join(dir, "my model")}
	j.Fields.TextField = "body"
	if err := os.WriteFile(j.Corpus, []byte("note;body\na long remark;night trains\nanother long remark;a bridge\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.HasSuffix(out.String(), `/it'\''s.csv' --text-field=body -o DIR --model '`+j.Output+"'\n") {
		t.Errorf("%s%v", out.String(), err)
	}
}
