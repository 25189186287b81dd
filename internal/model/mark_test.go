package model

import (
	"os"
	"path/filepath"
	"testing"

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
		if filepath.Base(name) == "tokenizer.json" {
			continue
		}
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, append([]byte("\uFEFF"), b...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		marked++
	}
	if info := mustOpen(t, dir, Options{}).Info(); info.MaxLength != modeltest.Small.MaxLength || !info.Normalize || marked < 5 {
		t.Errorf("%+v with %d files", info, marked)
	}
}
