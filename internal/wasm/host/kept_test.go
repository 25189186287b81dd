package host

import (
	"context"
	"runtime"
	"testing"

	"github.com/tetratelabs/wazero"
)

// When all instances are closed, the process keeps the compiled core: the next start
// allocates at most a third of what compiling takes.
func TestCompiledCodeIsKept(t *testing.T) {
	ctx := context.Background()
	e, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	allocated := func(cache wazero.CompilationCache) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		in, err := start(ctx, e.modules, cache, maxMemory)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if err := in.close(); err != nil {
			t.Error(err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	empty := wazero.NewCompilationCache()
	compiling := allocated(empty)
	empty.Close(ctx)

	first, err := e.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	if again := allocated(e.cache); again > compiling/3 {
		t.Errorf("a start after all instances were closed allocates %d bytes, one that compiles %d", again, compiling)
	} else {
		t.Logf("%d bytes, of %d with compiling", again, compiling)
	}
}
