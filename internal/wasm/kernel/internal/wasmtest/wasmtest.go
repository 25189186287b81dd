// Package wasmtest runs the kernel's module under wazero, for tests of the packages that
// define its functions in Go.
package wasmtest

import (
	"context"
	"testing"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmfile"
)

// Kernel is kernel.wasm over a memory that holds the operands of one call.
// It is called through shim and glue, as the core calls it.
type Kernel struct {
	t       testing.TB
	Runtime wazero.Runtime
	Memory  []byte
	shim    api.Module
	next    uintptr
	result  []func() // copy results back out of the memory
}

// New returns the kernel over a memory of that many pages of 64 KB.
func New(t testing.TB, pages uint32) *Kernel {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { runtime.Close(ctx) })
	load := func(name string, module []byte) api.Module {
		m, err := runtime.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithName(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return m
	}
	shim := load(wasmfile.ShimModule, binary.Shim)
	host := load(wasmfile.MemoryModule, wasmfile.Host(pages))
	load(wasmfile.KernelModule, binary.Kernel)
	load("glue", binary.Glue)
	memory, _ := host.ExportedMemory(wasmfile.MemoryName).Read(0, pages<<16)
	return &Kernel{t: t, Runtime: runtime, Memory: memory, shim: shim}
}

// Call runs an export and copies the results out.
func (k *Kernel) Call(name string, args ...uint64) uint64 {
	k.t.Helper()
	results, err := k.shim.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		k.t.Fatalf("%s: %v", name, err)
	}
	for _, f := range k.result {
		f()
	}
	k.next, k.result = 0, nil
	if len(results) == 0 {
		return 0
	}
	return results[0]
}

// In copies an operand into the memory and returns its address. Operands lie
// at odd multiples of 4, so that the kernel is seen to need no alignment beyond
// the elements'; the first address is not 0, which means nil to score.
func In[T any](k *Kernel, v []T) uint64 {
	at := (k.next+64)&^63 + 4
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), uintptr(len(v))*unsafe.Sizeof(*new(T)))
	if copy(k.Memory[at:], b) < len(b) {
		k.t.Fatal("the operands do not fit the test's memory")
	}
	k.next = at + uintptr(len(b))
	return uint64(at)
}

// Out does the same for a result, which is copied back after the call.
func Out[T any](k *Kernel, v []T) uint64 {
	at := In(k, v)
	k.result = append(k.result, func() {
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), uintptr(len(v))*unsafe.Sizeof(*new(T)))
		copy(b, k.Memory[at:])
	})
	return at
}
