package fit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/model/static"
)

func TestWriteDir(t *testing.T) {
	f, err := Fit(context.Background(), slices.Values(slices.Concat(topics["de"]...)), Options{Name: "backen", Language: "de", Dim: 4, VocabSize: 200})
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "models", "mine")
	for range 2 { // new, then replacing itself
		if err := f.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		loaded, err := static.Load(dir)
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
	if err := f.WriteDir(foreign); err == nil {
		t.Error("a file was replaced")
	}
}
