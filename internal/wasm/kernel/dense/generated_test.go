package dense_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The committed assembly is what internal/gen writes.
func TestAssemblyIsUpToDate(t *testing.T) {
	const assembly, stubs = "dense_amd64.s", "stubs_amd64.go"
	// Go's cache of test results sees the files that the test reads itself.
	sources, err := filepath.Glob("internal/gen/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	for _, name := range sources {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	gen := exec.Command("go", "run", "./internal/gen", "-out", filepath.Join(dir, assembly), "-stubs", filepath.Join(dir, stubs), "-pkg", "dense")
	if out, err := gen.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{assembly, stubs} {
		committed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		// The first line is the command, with its folders.
		_, committed, _ = bytes.Cut(committed, []byte("\n"))
		_, written, _ = bytes.Cut(written, []byte("\n"))
		if len(committed) == 0 || !bytes.Equal(committed, written) {
			t.Errorf("%s does not match internal/gen: run `go generate ./internal/wasm/kernel/dense`", name)
		}
	}
}
