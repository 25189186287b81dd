package folders

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMake(t *testing.T) {
	top := t.TempDir()
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(top, name))
		return err == nil
	}
	make := func(name string) func() {
		t.Helper()
		undo, err := Make(filepath.Join(top, name))
		if err != nil || !there(name) {
			t.Fatal(err)
		}
		return undo
	}
	make("a/b/c")()
	if there("a") {
		t.Error("a created folder is still there")
	}
	make("old")
	make("old/new/newer")()
	if !there("old") || there("old/new") {
		t.Error("a folder that existed before was removed")
	}
	undo := make("full/of")
	if err := os.WriteFile(filepath.Join(top, "full", "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	undo()
	if !there("full/file") || there("full/of") {
		t.Error("a folder that is not empty")
	}
	t.Chdir(top)
	undo, err := Make("x/y")
	if err != nil || !there("x/y") {
		t.Fatal(err)
	}
	if undo(); there("x") {
		t.Error("a relative path")
	}
	if _, err := Make("full/file/below"); err == nil {
		t.Error("a folder in a file")
	}
	if !there("full/file") {
		t.Error("the file was removed")
	}
}
