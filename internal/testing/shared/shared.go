// Package shared finds the material that lies beside the repository, in ../shared:
// data sets of others, which are never committed, and reference figures on them.
// Continuous integration has it; a clone elsewhere does not, and no test needs it to
// pass. Continuous integration finds the packages that use it by their import of this
// one, and tests them a second time without it.
package shared

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path is where the named file or folder of ../shared is. The name has slashes, such as
// "data/trec/qrels.txt". A test without it is skipped.
func Path(t testing.TB, name string) string {
	t.Helper()
	path, ok := Find(name)
	if !ok {
		t.Skipf("../shared/%s is not here: this test compares with material that is not part of the repository", name)
	}
	return path
}

// Find is Path for a test that has something to say without it.
func Find(name string) (path string, ok bool) {
	_, file, _, _ := runtime.Caller(0)
	path = filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "shared", filepath.FromSlash(name))
	_, err := os.Stat(path)
	return path, err == nil
}
