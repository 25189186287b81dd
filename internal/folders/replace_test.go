package folders_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A folder of files in folders takes the place of one of the same kind, and of
// nothing else.
func TestReplace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "new", "pack")
	ours := func(path string) bool { return slices.Contains([]string{"a", "data", "data/b", "data/c"}, path) }
	for _, files := range []map[string][]byte{{"a": []byte("1"), "data/b": []byte("2")}, {"a": []byte("3"), "data/c": []byte("4")}} {
		if err := folders.Replace(dir, files, "a pack", ours); err != nil {
			t.Fatal(err)
		}
		var found []string
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				name, _ := filepath.Rel(dir, path)
				content, _ := os.ReadFile(path)
				if found = append(found, filepath.ToSlash(name)); string(content) != string(files[filepath.ToSlash(name)]) {
					t.Errorf("%s is %q", name, content)
				}
			}
			return err
		})
		if err != nil || len(found) != len(files) {
			t.Errorf("%v (%v)", found, err)
		}
	}
	for _, foreign := range []string{"data/thesis.txt", "empty/"} {
		at := filepath.Join(dir, filepath.FromSlash(foreign))
		var err error
		if strings.HasSuffix(foreign, "/") {
			err = os.Mkdir(at, 0o755)
		} else {
			err = os.WriteFile(at, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = folders.Replace(dir, nil, "a pack", ours)
		if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(foreign, "/")+", which is no part of a pack") {
			t.Errorf("over %s: %v", foreign, err)
		}
		if before := folders.CheckReplace(dir, "a pack", ours); before == nil || before.Error() != err.Error() {
			t.Errorf("over %s, before: %v", foreign, before)
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
	}
	for _, free := range []string{dir, filepath.Join(root, "none")} {
		if err := folders.CheckReplace(free, "a pack", ours); err != nil {
			t.Errorf("%s: %v", free, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("beside it: %v (%v)", entries, err)
	}
}

// A folder that cannot be written is refused before the work, with its name.
func TestUnwritableReplace(t *testing.T) {
	const dir = "/proc/none/pack" // not even root makes folders there
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip(err)
	}
	if err := folders.CheckReplace(dir, "a pack", nil); !errors.Is(err, fault.Unavailable) || !strings.HasPrefix(err.Error(), dir+": cannot be written: /proc: ") {
		t.Error(err)
	}
}

// A link to a folder stays a link. One that leads nowhere is refused before the work.
func TestReplaceLink(t *testing.T) {
	root := t.TempDir()
	link, dir := filepath.Join(root, "link"), filepath.Join(root, "real", "pack")
	if err := os.Symlink(filepath.Join("real", "pack"), link); err != nil {
		t.Fatal(err)
	}
	if err := folders.CheckReplace(link, "a pack", nil); err == nil || !strings.Contains(err.Error(), link+" is a link that leads nowhere") {
		t.Error(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := folders.Replace(link, map[string][]byte{"a": []byte("1")}, "a pack", nil); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(content) != "1" {
		t.Errorf("%q (%v)", content, err)
	}
	if to, err := os.Readlink(link); err != nil || to != filepath.Join("real", "pack") {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
}

// Several runs may replace a folder at the same time. None of them fails, and the folder is that of one of them.
func TestReplaceTogether(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "pack")
	ours := func(path string) bool { return path == "a" || path == "b" }
	check := func(path string) {
		t.Helper()
		a, errA := os.ReadFile(filepath.Join(path, "a"))
		b, errB := os.ReadFile(filepath.Join(path, "b"))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%q %v, %q %v", a, errA, b, errB)
		}
	}
	var runs sync.WaitGroup
	for i := range 6 {
		runs.Go(func() {
			for j := range 15 {
				content := fmt.Appendf(nil, "%d of %d", j, i)
				if err := folders.CheckReplace(dir, "a pack", ours); err != nil {
					t.Errorf("check %d of %d: %v", j, i, err)
				}
				if err := folders.Replace(dir, map[string][]byte{"a": content, "b": content}, "a pack", ours); err != nil {
					t.Errorf("%d of %d: %v", j, i, err)
				}
			}
		})
	}
	runs.Wait()
	check(dir)
	if err := folders.Replace(dir, map[string][]byte{"a": []byte("x"), "b": []byte("x")}, "a pack", ours); err != nil {
		t.Fatal(err)
	}
	check(dir)
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 {
		t.Errorf("leftovers: %v %v", entries, err)
	}
}
