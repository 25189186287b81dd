package static

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// The site contains every file that the page and the library name. Without an encode
// server it may lack the module that speaks to one.
func TestWriteSite(t *testing.T) {
	named := regexp.MustCompile(`(?:from|import\(|import|URL\(|importScripts\(|src=|href=|"src":)\s*['"](\.{0,2}/?[\w./-]+\.(?:js|css|svg|png|webmanifest|wasm|gz))['"]`)
	for _, page := range []Page{{}, {Server: "./"}} {
		dir := t.TempDir()
		if err := page.Write(dir); err != nil {
			t.Fatal(err)
		}
		references := 0
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".json") && filepath.Base(path) != JudgementsFile || strings.HasSuffix(path, ".md") {
				t.Errorf("%s is not a file that a page loads", path)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, match := range named.FindAllSubmatch(stripComments(content), -1) {
				references++
				target := filepath.Join(filepath.Dir(path), string(match[1]))
				if _, err := os.Stat(target); err != nil && (page.Server != "" || target != filepath.Join(dir, serverFile)) {
					t.Errorf("%s names %s, which is not in the site", path, match[1])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if references < 30 {
			t.Errorf("only %d references found: the test checks nothing", references)
		}
		if err := page.Write(dir); err != nil {
			t.Errorf("over an older site: %v", err)
		}
	}
}

// A site that lies in the folder of another, beside whose pages it is published, is no part of the other's texts.
func TestSiteIsNoCorpus(t *testing.T) {
	dir := t.TempDir()
	if err := (Page{Name: "Search"}).Write(filepath.Join(dir, "search")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.html"), []byte("<p>text"), 0o666); err != nil {
		t.Fatal(err)
	}
	pages, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range pages.Documents() {
		if err != nil || d.ID != "a.html" {
			t.Errorf("%v %q: %.100q", err, d.ID, d.Text)
		}
	}
}

func stripComments(source []byte) []byte {
	var lines [][]byte
	for line := range bytes.Lines(source) {
		if trimmed := bytes.TrimSpace(line); !bytes.HasPrefix(trimmed, []byte("//")) && !bytes.HasPrefix(trimmed, []byte("*")) && !bytes.HasPrefix(trimmed, []byte("/*")) {
			lines = append(lines, line)
		}
	}
	return bytes.Join(lines, nil)
}
