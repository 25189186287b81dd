// Package tools finds the programs that tests need beside Go, with the
// repository's scripts, which install missing ones.
package tools

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Root is the repository's root folder.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Packages returns a folder whose node_modules has the npm packages of
// scripts/npm/NAME. If they cannot be installed, the test fails and is not skipped, because
// it checks documented behaviour.
func Packages(t testing.TB, name string) string {
	t.Helper()
	return script(t, "npm.sh", name)
}

// Node returns the path of a Node.js in which the library runs. It also opens the test's folder testdata, whose scripts
// Node.js reads, so that go test does not answer from its cache after one has changed.
func Node(t testing.TB) string {
	t.Helper()
	if _, err := os.ReadDir("testdata"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return script(t, "node.sh")
}

// script runs a script that prints a path.
func script(t testing.TB, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command("sh", append([]string{filepath.Join(Root(), "scripts", name)}, args...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("scripts/%s: %v\n%s", name, err, problems.String())
	}
	return strings.TrimSpace(string(out))
}
