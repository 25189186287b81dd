package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A test is found if it calls package shared directly, through functions and variables of
// its package, or through another package. Others are not.
func TestReaders(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"direct/a_test.go":  `package direct; import "` + Package + `"; func TestA(t *testing.T) { shared.Path(t, "a") }; func TestB(t *testing.T) {}`,
		"through/a_test.go": `package through; import at "` + Package + `"; var path = func(t *testing.T) string { return at.Path(t, "a") }; func helper(t *testing.T) { path(t) }`,
		"through/b_test.go": `package through_test; func TestC(t *testing.T) { t.Run("c", helper) }; func TestMain(m *testing.M) { helper(nil) }; func BenchmarkC(b *testing.B) { helper(b) }; func FuzzC(f *testing.F) { helper(f) }`,
		"help/help.go":      `package help; import "` + Package + `"; func Path(t *testing.T) string { return shared.Path(t, "a") }`,
		"helped/a_test.go":  `package helped; import "` + module + `/help"; func TestD(t *testing.T) { help.Path(t) }`,
		"other/a_test.go":   `package other; import "testing"; func TestE(t *testing.T) { shared := 1; _ = shared }`,
		".hidden/a_test.go": `package hidden; import "` + Package + `"; func TestF(t *testing.T) { shared.Path(t, "a") }`,
		"notes.txt":         `shared.Path`,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readers(root)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"direct": {"TestA"}, "through": {"FuzzC", "TestC"}, "helped": {"TestD"}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// In this repository, every test package that imports package shared has such a test, and
// no other test names a file of ../shared.
func TestRepository(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	found, err := readers(root)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		files++
		switch text := string(content); {
		case strings.HasPrefix(filepath.ToSlash(dir), "internal/testing/shared"):
		case strings.Contains(text, `"`+Package+`"`):
			if len(found[dir]) == 0 {
				t.Errorf("%s imports package shared, and no test of the folder is found", path)
			}
		case strings.Contains(text, `/shared/`+`data`), strings.Contains(text, `"shared"`+`,`):
			t.Errorf("%s names ../shared by itself: use package shared", path)
		}
		return nil
	})
	if err != nil || files < 300 {
		t.Errorf("%d files of tests, %v", files, err)
	}
}
