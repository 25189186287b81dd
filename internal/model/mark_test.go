package model

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// A byte order mark before a JSON file is passed over, as it is when a model is downloaded.
func TestByteOrderMark(t *testing.T) {
	dir := folder(t, "m", nil)
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, name := range append(names, filepath.Join(dir, "1_Pooling", "config.json")) {
		mark(t, name)
		marked++
	}
	if info := mustOpen(t, dir, Options{}).Info(); info.MaxLength != modeltest.Small.MaxLength || !info.Normalize || marked < 6 {
		t.Errorf("%+v with %d files", info, marked)
	}
}

// So are those of a static model. What a collection carries of it has no marks, because the engine knows none.
func TestStaticByteOrderMark(t *testing.T) {
	files := staticmodeltest.Tiny(t)
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		staticmodel.TokenizerFile: files.Tokenizer, staticmodel.WeightsFile: files.Weights, staticmodel.ConfigFile: files.Config,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mark(t, filepath.Join(dir, staticmodel.TokenizerFile))
	mark(t, filepath.Join(dir, staticmodel.ConfigFile))
	loaded, err := LoadStatic(dir)
	if err != nil || !bytes.Equal(loaded.Config, files.Config) || !bytes.Equal(loaded.Tokenizer, files.Tokenizer) {
		t.Errorf("%.100q %v", loaded.Config, err)
	}
}

// mark puts a byte order mark before a file.
func mark(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append([]byte("\uFEFF"), b...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
