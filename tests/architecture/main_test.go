package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The committed drawings are the ones that this program writes, and are well-formed XML.
func TestDrawings(t *testing.T) {
	for _, p := range palettes {
		drawn := draw(p)
		committed, err := os.ReadFile(filepath.Join("../../docs", p.file()))
		if err != nil {
			t.Fatal(err)
		}
		if string(committed) != drawn {
			t.Errorf("docs/%s is out of date; run: go run ./tests/architecture", p.file())
		}
		for decoder := xml.NewDecoder(strings.NewReader(drawn)); ; {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", p.file(), err)
			}
		}
	}
}

// Every package that a drawing names and every file that docs/architecture.md links to exists.
func TestNamesExist(t *testing.T) {
	names := 0
	for _, match := range regexp.MustCompile(`font-family="ui-monospace[^>]*>([^<]+)<`).FindAllStringSubmatch(draw(palettes[0]), -1) {
		for name := range strings.SplitSeq(match[1], ", ") {
			if strings.Contains(name, "/ ") || strings.HasSuffix(name, "/") || name == "manifest.json" {
				continue // files of a collection
			}
			names++
			if !slices.ContainsFunc([]string{"", "internal", "internal/wasm"}, func(room string) bool {
				return exists(filepath.Join(room, name))
			}) {
				t.Errorf("the drawing names %s, which is not a package", name)
			}
		}
	}
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(page), -1)
	for _, link := range links {
		if !exists(filepath.Join("docs", link[1])) {
			t.Errorf("docs/architecture.md links to %s, which does not exist", link[1])
		}
	}
	if names < 10 || len(links) < 20 {
		t.Errorf("found only %d names and %d links", names, len(links))
	}
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join("../..", path))
	return err == nil
}
