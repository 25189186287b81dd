// Package build compiles the core the one way that is committed and checked.
package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Toolchain is the Go version whose output is committed; the go command
// fetches it where another one is installed.
const Toolchain = "go1.26.8"

// Core returns the bytes of core.wasm: stripped as it is shipped, or with its
// name section and line tables.
func Core(names bool) ([]byte, error) {
	dir, err := os.MkdirTemp("", "core")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "core.wasm")
	flags := "-s -w"
	if names {
		flags = "-w"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+flags, "-o", out, "github.com/vantage-search/vantage/wasm/core")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOEXPERIMENT=", "GOTOOLCHAIN="+Toolchain, "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./wasm/core: %w\n%s", err, text)
	}
	core, err := os.ReadFile(out)
	if err != nil || names {
		return core, err
	}
	return Strip(core)
}
