package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/core/build"
)

// faulty builds the core with the faults of testdata/faulty, pruned like the core.
// Exports that it lacks do nothing.
func faulty(t *testing.T) []byte {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("testdata", "faulty"))
	if err != nil {
		t.Fatal(err)
	}
	var source []byte
	for _, name := range []string{"main.go", "strain.go"} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, b...)
	}
	rest := []byte("package main\n")
	for _, f := range abi.Functions() {
		if bytes.Contains(source, []byte("//go:wasmexport "+f.Name+"\n")) {
			continue
		}
		types := map[abi.Type]string{abi.U32: "uint32", abi.I32: "int32", abi.F64: "float64"}
		rest = fmt.Appendf(rest, "\n//go:wasmexport %s\nfunc rest_%s(", f.Name, f.Name)
		for _, p := range f.Params {
			rest = fmt.Appendf(rest, "%s %s, ", p.Name, types[p.Type])
		}
		rest = fmt.Appendf(rest, ") %s { sequence++; return 1 }\n", types[f.Result])
	}
	dir := t.TempDir()
	restFile, overlay, out := filepath.Join(dir, "rest.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "faulty.wasm")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "rest.go"): restFile}})
	if err := errors.Join(err, os.WriteFile(restFile, rest, 0o666), os.WriteFile(overlay, replace, 0o666)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-ldflags=-w", "-overlay", overlay, "-o", out, "./testdata/faulty")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "GOTOOLCHAIN="+build.Toolchain)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	linked, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	core, err := build.Slim(linked)
	if err != nil {
		t.Fatal(err)
	}
	return core
}

func TestFaultsLoseTheInstance(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx, func(o *options) { o.core = faulty(t) })
	if err != nil {
		t.Fatal(err)
	}
	for text, reason := range map[string]string{
		"block":    "it blocked",
		"panic":    "a fault in the core", // recognised by the runtime's output
		"internal": "internal error: recovered",
		"trap":     "trap: ",
		"wild":     "beyond its memory",
	} {
		c, err := engine.Core(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read("fine"); err != nil || c.Lost() {
			t.Fatalf("%s: before the fault: %v", text, err)
		}
		var lost *LostError
		if _, err := c.Read(text); !errors.As(err, &lost) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", text, err, reason)
		}
		if !c.Lost() {
			t.Errorf("%s: the core does not know that it is lost", text)
		}
		if _, err := c.Read("fine"); !errors.As(err, &lost) {
			t.Errorf("%s: a lost core answers: %v", text, err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, option := range map[string]Option{
		"instances":    WithInstances(0),
		"little room":  WithMemoryLimit(1),
		"much room":    WithMemoryLimit(1 << 40),
		"cache folder": WithCacheDir(file),
	} {
		if _, err := New(ctx, option); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The pruned runtime of the shipped core still collects garbage, grows stacks, recovers
// from panics and schedules goroutines: see testdata/faulty/strain.go.
func TestPrunedRuntime(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx, func(o *options) { o.core = faulty(t) })
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 3 {
		if _, err := c.Read("strain"); err != nil {
			t.Fatal(err)
		}
	}
}
