// Package options_test tests the options page and the popup in Debian's Chromium, with the extension loaded.
package options_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	extension "github.com/vantage-search/vantage/static/extension"
)

// unpacked writes the extension's package for Chrome into a folder.
func unpacked(t *testing.T) string {
	t.Helper()
	files, err := extension.Files(harness.Root(), extension.Chrome)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// idOf is the id that Chromium gives to the extension unpacked in a folder.
func idOf(dir string) string {
	var id strings.Builder
	sum := sha256.Sum256([]byte(dir))
	for _, b := range sum[:16] {
		id.WriteByte('a' + b>>4)
		id.WriteByte('a' + b&15)
	}
	return id.String()
}

var (
	_ = context.Background
	_ = json.Marshal
	_ = time.Second
)
