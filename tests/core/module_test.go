// Package core_test checks the browser module itself: its imports, exports and
// size, and that the committed bytes come from this source.
package core_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/core/build"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
	"github.com/vantage-search/vantage/static"
)

// built is the core, built from this source.
var built = sync.OnceValues(func() ([]byte, error) {
	if err := tools.Watch("internal/wasm/core", "GOOS=js", "GOARCH=wasm"); err != nil {
		return nil, err
	}
	return build.Core(false)
})

func builtCore(t *testing.T) []byte {
	t.Helper()
	core, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return core
}

func compiled(t *testing.T, code []byte) wazero.CompiledModule {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { r.Close(ctx) })
	m, err := r.CompileModule(ctx, code)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Beside the kernel's functions, the core imports only the eight that Go's runtime needs
// without syscall/js. That keeps the hosts in the browser and under wazero small.
func TestImports(t *testing.T) {
	want := []string{
		"gojs.runtime.clearTimeoutEvent", "gojs.runtime.getRandomData", "gojs.runtime.nanotime1", "gojs.runtime.resetMemoryDataView",
		"gojs.runtime.scheduleTimeoutEvent", "gojs.runtime.walltime", "gojs.runtime.wasmExit", "gojs.runtime.wasmWrite",
	}
	kernel := compiled(t, binary.Shim).ExportedFunctions()
	var got []string
	for _, f := range compiled(t, builtCore(t)).ImportedFunctions() {
		module, name, _ := f.Import()
		if module != "kernel" {
			got = append(got, module+"."+name)
			continue
		}
		provided, ok := kernel[name]
		if !ok || !slices.Equal(provided.ParamTypes(), f.ParamTypes()) || !slices.Equal(provided.ResultTypes(), f.ResultTypes()) {
			t.Errorf("the core imports kernel.%s%v%v, which the shim does not provide", name, f.ParamTypes(), f.ResultTypes())
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the core imports %v, want %v", got, want)
	}
}

// The exports are exactly those of the ABI, with its types.
func TestExports(t *testing.T) {
	types := map[abi.Type]api.ValueType{abi.U32: api.ValueTypeI32, abi.I32: api.ValueTypeI32, abi.F64: api.ValueTypeF64}
	exports := compiled(t, builtCore(t)).ExportedFunctions()
	for _, name := range []string{"run", "resume", "getsp"} {
		delete(exports, name)
	}
	for _, f := range abi.Functions() {
		export, ok := exports[f.Name]
		if !ok {
			t.Errorf("the core does not export %s", f.Name)
			continue
		}
		delete(exports, f.Name)
		var params []api.ValueType
		for _, p := range f.Params {
			params = append(params, types[p.Type])
		}
		if !slices.Equal(export.ParamTypes(), params) || !slices.Equal(export.ResultTypes(), []api.ValueType{types[f.Result]}) {
			t.Errorf("%s is exported as %v%v, described as %v", f.Name, export.ParamTypes(), export.ResultTypes(), f)
		}
	}
	for name := range exports {
		t.Errorf("the core exports %s, which the ABI does not describe", name)
	}
}

func TestCommittedCoreIsThisSource(t *testing.T) {
	packed, err := fs.ReadFile(static.Files, "lib/core.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	committed, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, builtCore(t)) {
		t.Error("static/lib/core.wasm.gz is not built from this source: run `make core` and commit it")
	}
}

// The library's folder is published as it is, so it has copies of the kernel's
// files, with the shim in a script.
func TestLibraryCarriesTheKernel(t *testing.T) {
	for name, want := range map[string][]byte{"lib/kernel.wasm": binary.Kernel, "lib/kernel-relaxed.wasm": binary.Relaxed, "src/engine/shim.js": binary.ShimScript()} {
		got, err := os.ReadFile(filepath.Join("..", "..", "static", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("static/%s differs from internal/wasm/kernel's: run `make core`", name)
		}
	}
}

// A page loads the core and one of the kernels, the second if the browser has relaxed
// SIMD. Hosts compress them at best like this.
func TestSize(t *testing.T) {
	const budget = 512 << 10
	compressed := func(module []byte) int {
		var out bytes.Buffer
		w := brotli.NewWriterLevel(&out, brotli.BestCompression)
		if _, err := w.Write(module); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Len()
	}
	core, kernel := compressed(builtCore(t)), max(compressed(binary.Kernel), compressed(binary.Relaxed))
	t.Logf("core and the larger kernel: %d and %d bytes under brotli 11", core, kernel)
	if core+kernel > budget {
		t.Errorf("core and kernel are %d bytes under brotli 11, the budget is %d: see `make size`", core+kernel, budget)
	}
}

// The core links no package that brings syscall/js or makes the module much
// larger. TestImports shows whether one brings syscall/js; this test names it.
// Neither the core nor the headless host has arithmetic whose bits depend on the
// processor.
func TestDependencies(t *testing.T) {
	core := tools.Dependencies(t, "internal/wasm/core", "GOOS=js", "GOARCH=wasm")
	for _, pkg := range core {
		switch pkg {
		case "syscall/js", "fmt", "time", "context", "encoding/json", "os", "crypto/sha256", "encoding/hex", "math/big", "runtime/debug":
			t.Errorf("the core links %s", pkg)
		}
	}
	for _, pkg := range append(core, tools.Dependencies(t, "internal/wasm/host")...) {
		if strings.HasPrefix(pkg, "github.com/viterin/") {
			t.Errorf("the core or its host links %s", pkg)
		}
	}
}
