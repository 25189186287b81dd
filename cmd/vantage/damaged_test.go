//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/testing/manifests"
)

// damagedQuery makes a search read every kind of file.
var damagedQuery = vantage.Query{Query: vantage.Text{Text: "sleeping cats"}, K: 2, Hybrid: &vantage.Hybrid{}}

// searchCode is the exit code of a search, and what it says.
func searchCode(t *testing.T, dir, engine string) (int, string) {
	t.Helper()
	c, err := open.Searcher(t.Context(), dir, open.Options{Engine: engine, Parallel: 1})
	if err == nil {
		defer c.Close()
		_, err = c.Search(t.Context(), damagedQuery)
	}
	if err == nil {
		return exitDone, ""
	}
	return exitCode(err), err.Error()
}

func inspectCode(t *testing.T, dir string, verify bool) (int, string) {
	t.Helper()
	in := &inspecting{where: dir, asJSON: true, verify: verify}
	if err := in.run(t.Context()); err != nil {
		return exitCode(err), err.Error()
	}
	return exitDone, ""
}

// Both engines report damage of any file of a collection with the exit code of bad input,
// and name the file, unless it is the encoder's. They do not block on a pipe.
func TestDamagedFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	quiet(t)
	home := t.TempDir()
	corpus, whole := filepath.Join(home, "corpus.jsonl"), filepath.Join(home, "whole")
	writeFile(t, corpus, []byte(`{"_id": "1", "text": "Cats sleep all day.", "metadata": {"kind": "cat"}}
{"_id": "2", "text": "Dogs bark at night.", "metadata": {"kind": "dog"}}
`))
	if code := run([]string{"index", corpus, "-o", whole, "--terms", "--encoder", "light"}); code != exitDone {
		t.Fatal(code)
	}
	m := manifests.Read(t, whole)
	for kind, file := range map[string]func(m *manifest.Manifest) *manifest.File{
		"tokenizer": func(m *manifest.Manifest) *manifest.File { return &m.Encoder.Tokenizer },
		"weights":   func(m *manifest.Manifest) *manifest.File { return &m.Encoder.Weights },
		"config":    func(m *manifest.Manifest) *manifest.File { return &m.Encoder.Config },
		"vectors":   func(m *manifest.Manifest) *manifest.File { return &m.Vectors[0].File },
		"documents": func(m *manifest.Manifest) *manifest.File { return &m.Docs[0].File },
		"columns":   func(m *manifest.Manifest) *manifest.File { return &m.Columns.File },
		"lengths":   func(m *manifest.Manifest) *manifest.File { return &m.Terms.Lengths },
		"terms":     func(m *manifest.Manifest) *manifest.File { return &m.Terms.Files[0].File },
		"manifest":  nil,
	} {
		path := manifest.FileName
		if file != nil {
			path = file(m).Path
		}
		content, err := os.ReadFile(filepath.Join(whole, path))
		if err != nil {
			t.Fatal(err)
		}
		damages := map[string]func(at string){"a pipe": func(at string) { mkfifo(t, at) }}
		if kind == "terms" || kind == "manifest" { // until its hash is checked, every file is read in the same way
			damages["gone"] = func(string) {}
			damages["cut off"] = func(at string) { writeFile(t, at, content[:len(content)/2]) }
			damages["a folder"] = func(at string) { mkdir(t, at) }
		}
		if file != nil {
			// The manifest has the hash of the damaged file, so only decoding finds the
			// damage.
			damages["damaged before it was named"] = func(at string) {
				junk := unpacked(t, content)
				junk = junk[:len(junk)-3]
				writeFile(t, at, junk)
				changed := manifests.Read(t, filepath.Dir(filepath.Dir(at)))
				sum := sha256.Sum256(junk)
				f := file(changed)
				f.SHA256, f.Bytes, f.Stored = hex.EncodeToString(sum[:]), int64(len(junk)), int64(len(junk))
				written, err := changed.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(filepath.Dir(filepath.Dir(at)), manifest.FileName), written)
			}
		}
		for damage, do := range damages {
			dir := filepath.Join(t.TempDir(), "c")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(dir, path)
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
			do(at)
			codes := map[string]int{}
			texts := map[string]string{}
			codes["native"], texts["native"] = searchCode(t, dir, open.Native)
			codes["headless"], texts["headless"] = searchCode(t, dir, open.Headless)
			codes["verify"], texts["verify"] = inspectCode(t, dir, true)
			if slices.Contains([]string{"manifest", "columns"}, kind) {
				codes["inspect"], texts["inspect"] = inspectCode(t, dir, false)
			}
			for who, code := range codes {
				if code != exitInput || !strings.Contains(texts[who], path) && kind != "tokenizer" && kind != "config" && kind != "weights" {
					t.Errorf("%s %s, %s: exit code %d, %s", kind, damage, who, code, texts[who])
				}
			}
			if texts["native"] != texts["headless"] {
				t.Errorf("%s %s: native says %s\nheadless says %s", kind, damage, texts["native"], texts["headless"])
			}
		}
	}
}

// quiet throws away what commands print.
func quiet(t *testing.T) {
	t.Helper()
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, text := os.Stdout, stderr
	os.Stdout, stderr = nothing, nothing
	t.Cleanup(func() {
		os.Stdout, stderr = out, text
		nothing.Close()
	})
}

func unpacked(t *testing.T, content []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content // vectors are not packed
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func mkfifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}
