package kernel

import (
	"context"
	"math"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmfile"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmtest"
)

// testPages hold the operands of the largest test, in pages of 64 KB.
const testPages = 512

func f32(v float32) uint64 { return uint64(math.Float32bits(v)) }

func wasmImplementation(t testing.TB) implementation {
	k := wasmtest.New(t, testPages)
	f64 := math.Float64bits
	return implementation{
		name: "wasm",
		dotF32: func(a, b []float32) float32 {
			return math.Float32frombits(uint32(k.Call("dot_f32", wasmtest.In(k, a), wasmtest.In(k, b), uint64(len(a)))))
		},
		dotI8: func(a, b []int8) int32 {
			return int32(k.Call("dot_i8", wasmtest.In(k, a), wasmtest.In(k, b), uint64(len(a))))
		},
		scanF32: func(x, rows []float32, stride int, q []float32) {
			k.Call("scan_f32", wasmtest.Out(k, x), wasmtest.In(k, rows), wasmtest.In(k, q), uint64(len(x)), uint64(stride))
		},
		scan2F32: func(x, y, rows []float32, stride int, q, p []float32) {
			k.Call("scan2_f32", wasmtest.Out(k, x), wasmtest.Out(k, y), wasmtest.In(k, rows), wasmtest.In(k, q), wasmtest.In(k, p), uint64(len(x)), uint64(stride))
		},
		scanI8: func(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
			k.Call("scan_i8", wasmtest.Out(k, x), wasmtest.In(k, rows), wasmtest.In(k, scales), wasmtest.In(k, q.Q), f32(q.Scale), uint64(len(x)), uint64(stride))
		},
		scan2I8: func(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
			k.Call("scan2_i8", wasmtest.Out(k, x), wasmtest.Out(k, y), wasmtest.In(k, rows), wasmtest.In(k, scales), wasmtest.In(k, q.Q), wasmtest.In(k, p.Q),
				f32(q.Scale), f32(p.Scale), uint64(len(x)), uint64(stride))
		},
		score: func(o, x, y, norm2 []float32, f *Form) {
			var at uint64
			if y != nil {
				at = wasmtest.In(k, y)
			}
			k.Call("score", wasmtest.Out(k, o), wasmtest.In(k, x), at, wasmtest.In(k, norm2), uint64(len(o)),
				f64(f.A), f64(f.X0), f64(f.D0), f64(f.D1), f64(f.D2))
		},
		selectGE: func(idx []uint32, scores []float32, threshold float32) int {
			return int(k.Call("select_ge", wasmtest.Out(k, idx), wasmtest.In(k, scores), uint64(len(scores)), f32(threshold)))
		},
		addScaled: func(out, x, scale []float32, most float32) {
			k.Call("add_scaled", wasmtest.Out(k, out), wasmtest.In(k, x), wasmtest.In(k, scale), f32(most), uint64(len(out)))
		},
	}
}

// The built module has the exports of the signature list, imports the core's
// memory, and has nothing of its own.
func TestModuleMatchesSignatures(t *testing.T) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer runtime.Close(ctx)
	check := func(name string, module []byte, memory, functions int) map[string]api.FunctionDefinition {
		m, err := runtime.CompileModule(ctx, module)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := len(m.ExportedFunctions()); n != functions {
			t.Errorf("%s exports %d functions, want %d", name, n, functions)
		}
		if n := len(m.ImportedMemories()); n != memory {
			t.Errorf("%s imports %d memories, want %d", name, n, memory)
		}
		return m.ExportedFunctions()
	}
	n := len(signature.Functions)
	kernel := check("kernel.wasm", binary.Kernel, 1, n)
	shim := check("shim.wasm", binary.Shim, 0, n)
	check("glue.wasm", binary.Glue, 0, 0)
	for _, f := range signature.Functions {
		params, results := f.Wasm()
		for name, exports := range map[string]map[string]api.FunctionDefinition{"kernel.wasm": kernel, "shim.wasm": shim} {
			def, ok := exports[f.Name]
			if !ok {
				t.Errorf("%s does not export %s", name, f.Name)
				continue
			}
			if !equalTypes(def.ParamTypes(), params) || !equalTypes(def.ResultTypes(), results) {
				t.Errorf("%s: %s has type %x → %x, want %x → %x", name, f.Name, def.ParamTypes(), def.ResultTypes(), params, results)
			}
		}
	}
	// No table, global, start, element or data section: no shadow stack, no
	// static data. That the module validates (above) shows that no code
	// refers to what is not there.
	sections, err := wasmfile.Sections(binary.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		switch s.ID {
		case wasmfile.Type, wasmfile.Import, wasmfile.Func, wasmfile.Export, wasmfile.Code, wasmfile.Custom:
		default:
			t.Errorf("kernel.wasm has a section %d", s.ID)
		}
	}
}

func equalTypes(a []api.ValueType, b []signature.ValueType) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != api.ValueType(b[i]) {
			return false
		}
	}
	return true
}

// Before the glue is there, a call traps; it does not do something else.
func TestShimTrapsWithoutGlue(t *testing.T) {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	shim, err := runtime.Instantiate(ctx, binary.Shim)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shim.ExportedFunction("dot_f32").Call(ctx, 0, 0, 0); err == nil {
		t.Error("no trap")
	}
}

// read.wasm, with which scans are compared, reads every byte it is told to read.
func TestReadModule(t *testing.T) {
	k := wasmtest.New(t, 1)
	module, err := k.Runtime.Instantiate(context.Background(), binary.Read)
	if err != nil {
		t.Fatal(err)
	}
	const at, size = 256, 1024
	for i := at - 64; i < at+size+64; i++ {
		k.Memory[i] = 1
		result, err := module.ExportedFunction("read").Call(context.Background(), at, size)
		if err != nil {
			t.Fatal(err)
		}
		if seen, inside := result[0] != 0, i >= at && i < at+size; seen != inside {
			t.Errorf("byte %d: seen %t, want %t", i, seen, inside)
		}
		k.Memory[i] = 0
	}
}
