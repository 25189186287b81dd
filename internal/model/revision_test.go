package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// A link that leads nowhere does not change the revision if no reader looks for its name.
// Otherwise it is an error, because the model would be read without the file.
func TestRevisionOfBrokenLinks(t *testing.T) {
	for name, sought := range map[string]bool{
		"notes.txt": false, "notes.json": false, "README.md": false, "pytorch_model-1.bin": false, // not of the checkpoint in use
		"tokenizer_config.json": true, "added_tokens.json": true, "config_sentence_transformers.json": true, "vocab.txt": true, "spiece.model": true, "artifact.metadata": true,
	} {
		dir := t.TempDir()
		if err := modeltest.Write(dir, 1); err != nil {
			t.Fatal(err)
		}
		want, err := revision(dir)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, name)
		os.Remove(link) // some of those that are sought are there
		if err := os.Symlink(filepath.Join(dir, "gone"), link); err != nil {
			t.Fatal(err)
		}
		got, err := revision(dir)
		if sought && (err == nil || !strings.Contains(err.Error(), link+" is a link that leads nowhere")) || !sought && (err != nil || got != want) {
			t.Errorf("%s: %q, want %q (%v)", name, got, want, err)
		}
	}
}
