package kernel

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/build"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmfile"
)

const remedy = "run `go generate ./internal/wasm/kernel` (it needs clang 16 or later)"

// sources is the folder of the C files.
var sources = filepath.Join("binary", "simd")

// compiled calls f for every module that comes from C files, with the contents of
// the section that ties it to them.
func compiled(t *testing.T, f func(t *testing.T, m build.Module, module, section []byte)) {
	modules := map[string][]byte{"kernel": binary.Kernel, "kernel-relaxed": binary.Relaxed, "read": binary.Read}
	for _, m := range build.Modules {
		t.Run(m.Name, func(t *testing.T) {
			section, err := wasmfile.CustomSection(modules[m.Name], build.SourceSection)
			if err != nil {
				t.Fatal(err)
			}
			f(t, m, modules[m.Name], section)
		})
	}
}

// The committed modules were built from the committed sources, with the flags
// of the recipe. No compiler is needed to see that.
func TestModulesBelongToTheirSources(t *testing.T) {
	compiled(t, func(t *testing.T, m build.Module, module, section []byte) {
		text, err := m.Text(sources)
		if err != nil {
			t.Fatal(err)
		}
		if want := m.Source(text, build.Compiler(section)); !bytes.Equal(section, want) {
			t.Errorf("the module was built from something else: %s\nit says\n%swant\n%s", remedy, section, want)
		}
		// The tie notices a change of a single byte.
		if bytes.Equal(m.Source(append(text, ' '), build.Compiler(section)), section) {
			t.Error("the hash does not depend on the source")
		}
	})
}

// The compiler gives the same bytes again, if that very version is at hand.
func TestModulesRebuildToTheSameBytes(t *testing.T) {
	compiled(t, func(t *testing.T, m build.Module, module, section []byte) {
		want := build.Compiler(section)
		clang, err := build.FindClang(want)
		if errors.Is(err, build.ErrNoClang) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if clang.Version != want {
			t.Skipf("the module was built by clang %s, installed is %s, whose code may differ", want, clang.Version)
		}
		again, err := clang.Compile(m, sources)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, module) {
			t.Errorf("rebuilding gives a module of %d bytes that differs from the committed one of %d: %s", len(again), len(module), remedy)
		}
	})
}

// What follows from the signatures alone is up to date.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	files := map[string][2][]byte{
		"shim.wasm": {binary.Shim, wasmfile.Shim(signature.Functions)},
		"glue.wasm": {binary.Glue, wasmfile.Glue(signature.Functions)},
	}
	for pkg, path := range build.ImportFiles {
		imports, err := build.Imports(pkg)
		if err != nil {
			t.Fatal(err)
		}
		committed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = [2][]byte{committed, imports}
	}
	for name, pair := range files {
		if !bytes.Equal(pair[0], pair[1]) {
			t.Errorf("%s differs from what internal/signature gives: %s", name, remedy)
		}
	}
}
