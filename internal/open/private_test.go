//go:build unix

package open

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Compiled code is kept only in a folder that nobody else can write to.
func TestCodeCache(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string) error
		kept bool
	}{
		"none yet":          {func(string) error { return nil }, true},
		"ours":              {func(dir string) error { return os.Mkdir(dir, 0o755) }, true},
		"everybody's":       {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) }, false},
		"the group's":       {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) }, false},
		"a link to a place": {func(dir string) error { return os.Symlink(t.TempDir(), dir) }, false},
	} {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(user, 0o700), c.make(filepath.Join(user, "vantage"))); err != nil {
			t.Fatal(err)
		}
		if kept := codeFolder() != ""; kept != c.kept {
			t.Errorf("%s: kept %v", name, kept)
		}
		engine, err := openWebAssembly(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if files, _ := os.ReadDir(filepath.Join(user, "vantage")); (len(files) > 0) != c.kept {
			t.Errorf("%s: %d files there", name, len(files))
		}
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}
}
