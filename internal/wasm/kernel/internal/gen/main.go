// Command gen writes the kernel's generated files: the wasm modules of
// binary/simd and the Go declarations that import them. It runs in the
// kernel's folder, as `go generate ./internal/wasm/kernel` does.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/build"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmfile"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	dir := filepath.Join("binary", "simd")
	clang, err := build.FindClang(committedCompiler(dir))
	if err != nil {
		return err
	}
	files := map[string][]byte{
		filepath.Join(dir, "shim.wasm"): wasmfile.Shim(signature.Functions),
		filepath.Join(dir, "glue.wasm"): wasmfile.Glue(signature.Functions),
	}
	for _, m := range build.Modules {
		module, err := clang.Compile(m, dir)
		if err != nil {
			return err
		}
		files[filepath.Join(dir, m.Name+".wasm")] = module
		fmt.Printf("%s.wasm: %d bytes by clang %s\n", m.Name, len(module), clang.Version)
	}
	for pkg, path := range build.ImportFiles {
		if files[path], err = build.Imports(pkg); err != nil {
			return err
		}
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// committedCompiler returns the version that built the kernel.wasm at hand, so
// that it is built by the same one again if that is installed.
func committedCompiler(dir string) string {
	module, err := os.ReadFile(filepath.Join(dir, "kernel.wasm"))
	if err != nil {
		return ""
	}
	section, err := wasmfile.CustomSection(module, build.SourceSection)
	if err != nil {
		return ""
	}
	return build.Compiler(section)
}
