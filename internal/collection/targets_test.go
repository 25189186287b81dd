package collection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
)

func TestStopped(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	dir := t.TempDir()
	before := documents(23, 0)
	mustWrite(t, dir, before, o)
	was := snapshot(t, dir)
	broken := error(&os.PathError{Op: "open", Path: "page.md", Err: errors.New("the corpus is broken here")})
	var docs []store.Document = documents(50, 1)
	failing := func(yield func(store.Document, error) bool) {
		for i, d := range docs {
			if i == 31 {
				yield(store.Document{}, broken)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
	if _, err := Write(context.Background(), dir, failing, o); err != broken { // unchanged: the fault is not the target's
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(stage string, done, total int64) {
		if done > 12 {
			cancel()
		}
	}
	if _, err := Write(ctx, dir, seq(docs), o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	o.Progress = nil
	for name, bad := range map[string]store.Document{
		"no id": {Text: "x"}, "already taken by document 3": {ID: "d3"}, "UTF-8": {ID: "x", Text: "\xff"},
		"the id has 4097 bytes, at most 4096": {ID: strings.Repeat("x", store.MaxIDBytes+1)},
		"unsupported":                         {ID: "x", Metadata: map[string]any{"f": func() {}}},
	} {
		if name == "no id" {
			name = "id is empty"
		}
		_, err := Write(context.Background(), dir, seq(append(slices.Clone(docs), bad)), o)
		var document *DocumentError
		if !errors.As(err, &document) || document.Index != 50 || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Write(context.Background(), dir, seq(nil), o); !errors.Is(err, ErrNoDocuments) {
		t.Errorf("%v", err)
	}
	if !maps.Equal(was, snapshot(t, dir)) {
		t.Error("a failed run changed the folder")
	}
}

func TestTargets(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	docs := documents(12, 0)
	newer := strings.Replace(manifestOf(t, docs, o), `"version": 1`, `"version": 99`, 1)
	for name, c := range map[string]struct {
		files   map[string]string
		problem string // "" if writing is fine
	}{
		"a page and a library":     {map[string]string{"index.html": "x", "lib/a.js": "x", ".nojekyll": ""}, ""},
		"documents of a project":   {map[string]string{"docs/README.md": "x"}, "docs/README.md"},
		"a file named docs":        {map[string]string{"docs": "x"}, "docs"},
		"a web app's manifest":     {map[string]string{"manifest.json": `{"short_name": "App", "start_url": "."}`}, "not that of a collection"},
		"no JSON":                  {map[string]string{"manifest.json": "hello"}, "not that of a collection"},
		"an empty file":            {map[string]string{"manifest.json": ""}, "not that of a collection"},
		"an empty file, and more":  {map[string]string{"manifest.json": "", "docs/0123456789abcdef.bin": "x", "docs/README.md": "x"}, "docs/README.md"},
		"a newer collection":       {map[string]string{"manifest.json": newer}, "upgrade"},
		"what a killed run leaves": {map[string]string{"docs/0123456789abcdef.bin": "x", ".vantage-staging/docs-0123456789abcdef.bin": "x"}, ""},
	} {
		dir := t.TempDir()
		for file, content := range c.files {
			os.MkdirAll(path.Dir(dir+"/"+file), 0o777)
			if err := os.WriteFile(dir+"/"+file, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		was := snapshot(t, dir)
		_, err := Write(context.Background(), dir, seq(docs), o)
		if c.problem == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			check(t, os.DirFS(dir), docs)
			for file, content := range was {
				if got := snapshot(t, dir)[file]; got != content && !strings.HasPrefix(file, stagingDir) {
					t.Errorf("%s: %s was touched", name, file)
				}
			}
			continue
		}
		var target *TargetError
		if !errors.As(err, &target) || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(was, snapshot(t, dir)) {
			t.Errorf("%s: the folder was changed", name)
		}
	}
}

// A manifest that a crash has emptied, or filled with zeros, is replaced, as a torn one is.
func TestLostManifest(t *testing.T) {
	o, docs := small(staticmodeltest.Tiny(t)), documents(12, 0)
	for _, content := range []string{"", "\x00\x00\x00"} {
		dir := t.TempDir()
		if _, err := Write(t.Context(), dir, seq(docs), o); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/manifest.json", []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(t.Context(), dir, seq(docs), o); err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		check(t, os.DirFS(dir), docs)
	}
}

// Links in the place of a collection's folders are refused. Their targets, inside or
// outside the folder, are not touched.
func TestLinkedFolders(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	for _, name := range []string{stagingDir, vectorsDir, docsDir, columnsDir, encoderDir} {
		for _, to := range []string{"precious", t.TempDir()} {
			dir := t.TempDir()
			target := to
			if !path.IsAbs(to) {
				target = path.Join(dir, to)
			}
			if err := errors.Join(os.MkdirAll(target, 0o777), os.WriteFile(target+"/0123456789abcdef.bin", []byte("x"), 0o666), os.Symlink(to, path.Join(dir, name))); err != nil {
				t.Fatal(err)
			}
			var refused *TargetError
			if _, err := Write(t.Context(), dir, seq(documents(12, 0)), o); !errors.As(err, &refused) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s to %s: %v", name, to, err)
			}
			if left := snapshot(t, target); len(left) != 1 {
				t.Errorf("%s to %s: %v", name, to, slices.Sorted(maps.Keys(left)))
			}
		}
	}
}

// A manifest cannot make Write remove other files than those of a collection, or
// anything outside the folder.
func TestHostileManifest(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	docs := documents(12, 0)
	dir := t.TempDir()
	mustWrite(t, dir, docs, o)
	b, err := os.ReadFile(dir + "/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"/"+m.Docs[0].Path, dir+"/thesis.txt"); err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte(m.Docs[0].Path), []byte("thesis.txt"), 1)
	os.WriteFile(dir+"/manifest.json", b, 0o666)
	os.Mkdir(dir+"/.vantage-staging", 0o777)
	os.WriteFile(dir+"/.vantage-staging/journal.json", []byte(`["thesis.txt", "../x", "docs/../thesis.txt"]`), 0o666)
	mustWrite(t, dir, documents(12, 4), o)
	if _, err := os.Stat(dir + "/thesis.txt"); err != nil {
		t.Error(err)
	}
}

func TestOneRunAtATime(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	dir := t.TempDir()
	held, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Write(context.Background(), dir, seq(documents(5, 0)), o)
	var target *TargetError
	if !errors.As(err, &target) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("%v", err)
	}
	held.Close()
	mustWrite(t, dir, documents(5, 0), o)

	file := filepath.Join(t.TempDir(), "kept")
	kept, err := OpenKept(file, manifest.Model{ID: "m", Dim: 2}, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if _, err := Lock(file); !errors.As(err, &target) || target.Dir != file || strings.Contains(target.Problem, "folder") {
		t.Errorf("a file: %v", err)
	}
	if _, err := Lock(filepath.Join(dir, "nowhere")); !errors.As(err, &target) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing to lock: %v", err)
	}
}

func ExampleWrite() {
	_, err := Write(context.Background(), "/nowhere/at/all", nil, Options{DType: "I4"})
	fmt.Println(err)
	// Output: rows cannot be stored as "I4": choose I8, F16 or F32
}

// If the old collection cannot be read, the error names the folder. That of the journal has its own remedy.
func TestUnreadableTarget(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("../elsewhere", filepath.Join(dir, manifest.FileName)); err != nil {
		t.Fatal(err)
	}
	var target *TargetError
	if _, err := Write(t.Context(), dir, seq(documents(3, 0)), small(staticmodeltest.Tiny(t))); !errors.As(err, &target) || target.Dir != dir {
		t.Error(err)
	}
	kept := &TargetError{Dir: "journal", Problem: "full", Remedy: "free space", Err: diskFull("write", "journal")}
	if err := explain(dir, kept); err != error(kept) {
		t.Error(err)
	}
}
