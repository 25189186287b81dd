// Package build compiles the core. Its result is committed and checked.
package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Toolchain is the Go version whose output is committed. The go command fetches it if
// another version is installed.
const Toolchain = "go1.26.8"

// Core builds core.wasm and returns its bytes. If names is true, they include the names of
// functions and all tables; otherwise they are as shipped. Both are pruned and tightened.
func Core(names bool) ([]byte, error) {
	linked, err := link()
	if err != nil {
		return nil, err
	}
	return slim(linked, names)
}

// Slim shrinks a module that the pinned toolchain has linked, by prune, tighten, strip,
// stripTypes and computeDirectory. The module must have function names. A module of another
// toolchain is an error.
func Slim(linked []byte) ([]byte, error) { return slim(linked, false) }

func slim(linked []byte, names bool) ([]byte, error) {
	m, err := readModule(linked)
	if err != nil {
		return nil, err
	}
	t, err := findTable(m)
	if err != nil {
		return nil, err
	}
	dead, err := prune(m, t)
	if err == nil {
		err = tighten(m)
	}
	if err != nil {
		return nil, err
	}
	if names {
		return m.write(true), nil
	}
	if err := t.strip(m, dead); err != nil {
		return nil, err
	}
	if err := t.stripTypes(m); err != nil {
		return nil, err
	}
	if err := t.computeDirectory(m); err != nil {
		return nil, err
	}
	return m.write(false), nil
}

// link returns the output of the Go linker.
func link() ([]byte, error) {
	dir, err := os.MkdirTemp("", "core")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "core.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-w", "-o", out, "github.com/vantage-search/vantage/internal/wasm/core")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOEXPERIMENT=", "GOTOOLCHAIN="+Toolchain, "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./internal/wasm/core: %w\n%s", err, text)
	}
	return os.ReadFile(out)
}
