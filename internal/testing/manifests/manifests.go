// Package manifests reads manifests of collections that tests have written.
package manifests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
)

// Read reads the manifest of the collection in a folder.
func Read(t testing.TB, dir string) *manifest.Manifest {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
