package host

import (
	"context"
	"os"
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

// If the code in a cache directory is damaged, the core is compiled once, and not for each instance, and kept again.
func TestDamagedCodeIsCompiledOnce(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	allocated := func() uint64 {
		e, err := New(ctx, WithCacheDir(dir))
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(ctx)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := e.Core(ctx)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	compiling := allocated()
	lengths := map[string]int64{}
	for path := range modified(t, dir) {
		info, err := os.Stat(path)
		if err == nil {
			lengths[path] = info.Size()
			err = os.Truncate(path, 1000)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	allocated()
	for path, want := range lengths {
		if info, err := os.Stat(path); err != nil || info.Size() != want {
			t.Errorf("%s is not as it was: %v %v", path, info, err)
		}
	}
	if again := allocated(); again > compiling/2 {
		t.Errorf("a second start allocates %d bytes, one that compiles %d", again, compiling)
	} else {
		t.Logf("%d bytes, of %d with compiling", again, compiling)
	}
}
