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

// compiled calls f for every module that comes from a C file, with the
// contents of the section that ties it to that.
func compiled(t *testing.T, f func(t *testing.T, source string, module, section []byte)) {
	modules := map[string][]byte{"kernel": binary.Kernel, "read": binary.Read}
	for _, name := range build.Sources {
		t.Run(name, func(t *testing.T) {
			section, err := wasmfile.CustomSection(modules[name], build.SourceSection)
			if err != nil {
				t.Fatal(err)
			}
			f(t, filepath.Join("binary", "simd", name+".c"), modules[name], section)
		})
	}
}

// The committed modules were built from the committed sources, with the flags
// of the recipe. No compiler is needed to see that.
func TestModulesBelongToTheirSources(t *testing.T) {
	compiled(t, func(t *testing.T, source string, module, section []byte) {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if want := build.Source(text, build.Compiler(section)); !bytes.Equal(section, want) {
			t.Errorf("the module was built from something else: %s\nit says\n%swant\n%s", remedy, section, want)
		}
		// The tie notices a change of a single byte.
		if bytes.Equal(build.Source(append(text, ' '), build.Compiler(section)), section) {
			t.Error("the hash does not depend on the source")
		}
	})
}

// The compiler gives the same bytes again, if that very version is at hand.
func TestModulesRebuildToTheSameBytes(t *testing.T) {
	compiled(t, func(t *testing.T, source string, module, section []byte) {
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
		again, err := clang.Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, module) {
			t.Errorf("rebuilding gives %d other bytes than the committed module of %d: %s", len(again), len(module), remedy)
		}
	})
}

// What follows from the signatures alone is up to date.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	imports, err := build.Imports()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("imports_wasm.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2][]byte{
		"imports_wasm.go": {committed, imports},
		"shim.wasm":       {binary.Shim, wasmfile.Shim(signature.Functions)},
		"glue.wasm":       {binary.Glue, wasmfile.Glue(signature.Functions)},
	} {
		if !bytes.Equal(pair[0], pair[1]) {
			t.Errorf("%s differs from what internal/signature gives: %s", name, remedy)
		}
	}
}
