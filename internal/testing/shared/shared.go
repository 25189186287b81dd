// Package shared finds material beside the repository, in ../shared: data sets of other
// projects, which are never committed, and reference figures for them. Continuous integration
// has this folder. Most clones do not, so tests that need it are skipped without it.
// Continuous integration therefore runs those tests a second time without the folder (see
// package readers).
package shared

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a file or folder of ../shared. The name has slashes, such as
// "data/trec/qrels.txt". If the file is missing, the test is skipped.
func Path(t testing.TB, name string) string {
	t.Helper()
	path, ok := Find(name)
	if !ok {
		t.Skipf("../shared/%s is not here: this test compares with material that is not part of the repository", name)
	}
	return path
}

// Find is like Path, for tests that also run without the file.
func Find(name string) (path string, ok bool) {
	_, file, _, _ := runtime.Caller(0)
	path = filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "shared", filepath.FromSlash(name))
	_, err := os.Stat(path)
	return path, err == nil
}
