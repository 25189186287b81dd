//go:build unix

package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A sitemap that an index names is refused if it is a pipe, whose writer may never come.
func TestSitemapInAPipe(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "sitemap.xml")
	text := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.org/pages.xml</loc></sitemap></sitemapindex>`
	if err := os.WriteFile(index, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "pages.xml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(index, Options{}); err == nil || !strings.Contains(err.Error(), "pages.xml") || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}
