package host

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
	"github.com/vantage-search/vantage/static/lib"
)

// Engine makes instances of the core.
type Engine struct {
	modules   modules
	cache     wazero.CompilationCache
	ownsCache bool
	compiled  func() error // compiles the modules for the cache, once
	options   options

	starting sync.RWMutex // held for reading while an instance starts, for writing by Close
	closed   bool
}

// modules are the WebAssembly binaries that make up an instance.
type modules struct{ core, kernel, shim, glue []byte }

type options struct {
	cacheDir    string
	instances   int
	memoryLimit int64
	core        []byte
}

// Option changes a default of New.
type Option func(*options)

// WithCacheDir keeps the compiled core in a directory, which it creates if necessary,
// so that later processes start in milliseconds instead of about a second. If the kept
// code is damaged, the core is compiled and kept again. By default, compiled code is kept only
// for the life of the process. New fails if the directory cannot be created.
func WithCacheDir(dir string) Option { return func(o *options) { o.cacheDir = dir } }

// WithInstances sets the number of queries of one collection that are answered at a
// time. Each instance holds the collection in its own memory and is created when it is
// first needed. The default is the number of processors.
func WithInstances(n int) Option { return func(o *options) { o.instances = n } }

// WithMemoryLimit limits the WebAssembly memory of one instance, in bytes, rounded down
// to 64 KB pages. If a collection does not fit, opening it fails with a *LostError that
// has this Limit. An empty core takes about 4 MB. While a core loads a collection, it
// takes up to twice the memory of the loaded collection. The default and maximum is 4
// GB, the limit of 32-bit addresses. Files that the host reads take additional memory,
// which internal/collection/manifest and internal/collection/unpack limit by the size
// of the collection on disk.
func WithMemoryLimit(bytes int64) Option { return func(o *options) { o.memoryLimit = bytes } }

// processCache is shared by all engines without a cache directory, so that the core is
// compiled once per process.
var processCache = sync.OnceValue(wazero.NewCompilationCache)

// keepCompiled compiles the committed modules for the process's cache.
var keepCompiled = sync.OnceValue(func() error {
	core, err := coreModule()
	if err != nil {
		return err
	}
	return keep(processCache(), modules{core: core, kernel: binary.Kernel, shim: binary.Shim, glue: binary.Glue})
})

// keep compiles modules for a cache and never lets go of them. wazero counts references to
// compiled code and drops it with the last instance. It must end before instances start,
// because wazero shows code from a directory to others before it is complete.
func keep(cache wazero.CompilationCache, m modules) error {
	ctx := context.Background()
	keeper := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	for _, code := range [][]byte{m.core, m.kernel, m.shim, m.glue} {
		if _, err := keeper.CompileModule(ctx, code); err != nil {
			return fmt.Errorf("headless: %w", err)
		}
	}
	return nil
}

// coreModule is the committed core, unpacked once.
var coreModule = sync.OnceValues(func() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(lib.Core))
	if err != nil {
		return nil, fmt.Errorf("headless: core.wasm.gz: %w", err)
	}
	return io.ReadAll(r)
})

// New prepares an engine. The core is compiled when the first collection is
// opened.
func New(ctx context.Context, opts ...Option) (*Engine, error) {
	o := options{instances: runtime.GOMAXPROCS(0), memoryLimit: maxMemory}
	for _, set := range opts {
		set(&o)
	}
	if o.instances < 1 {
		return nil, fmt.Errorf("headless: %d instances, must be at least 1", o.instances)
	}
	if o.memoryLimit < pageSize || o.memoryLimit > maxMemory {
		return nil, fmt.Errorf("headless: a memory limit of %d bytes, must be between %d and %d", o.memoryLimit, pageSize, int64(maxMemory))
	}
	e := &Engine{options: o, modules: modules{core: o.core, kernel: binary.Kernel, shim: binary.Shim, glue: binary.Glue}}
	if e.modules.core == nil {
		core, err := coreModule()
		if err != nil {
			return nil, err
		}
		e.modules.core = core
	}
	if o.cacheDir == "" {
		e.cache, e.compiled = processCache(), keepCompiled
		if o.core != nil { // the committed modules are not the ones that start
			e.compiled = func() error { return nil }
		}
		return e, nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(o.cacheDir)
	if err != nil {
		return nil, fmt.Errorf("headless: cache directory %s: %w", o.cacheDir, err)
	}
	e.cache, e.ownsCache = cache, true
	e.compiled = sync.OnceValue(e.compileKept)
	return e, nil
}

// compileKept compiles the modules for the cache directory. If the code that is kept there is
// damaged, it is removed first, or every process would find it damaged again.
func (e *Engine) compileKept() error {
	err := keep(e.cache, e.modules)
	if err == nil || fault.Is[*fs.PathError](err) || fault.Is[*os.LinkError](err) { // the directory cannot be read or written
		return err
	}
	kept, globbing := fs.Glob(os.DirFS(e.options.cacheDir), "wazero-*/"+strings.Repeat("[0-9a-f]", 64)) // as wazero names them
	for _, name := range kept {
		if os.Remove(filepath.Join(e.options.cacheDir, name)) != nil {
			return err
		}
	}
	cache, making := wazero.NewCompilationCacheWithDir(e.options.cacheDir)
	if globbing != nil || making != nil {
		return err
	}
	e.cache.Close(context.Background())
	e.cache = cache
	return keep(cache, e.modules)
}

// Open loads a collection. Each of its files is verified against the manifest when it is read.
func (e *Engine) Open(ctx context.Context, fsys fs.FS) (*search.Collection, error) {
	st, err := store.Open(ctx, fsys)
	if err != nil {
		return nil, err
	}
	return search.Open(ctx, st, search.Options{Cores: e.Core, Instances: e.options.instances})
}

// Create returns a collection without documents, which reranks texts with a static
// encoder.
func (e *Engine) Create(ctx context.Context, files staticmodel.Files) (*search.Collection, error) {
	return search.Create(ctx, search.Options{Cores: e.Core, Instances: e.options.instances, Encoder: search.InCore{Files: files}})
}

// StartError says why a core does not start. The collection is not the cause.
type StartError struct{ Err error }

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// Is reports the kind of fault: that of Err, otherwise internal.
func (e *StartError) Is(target error) bool {
	return target == fault.Internal && fault.Of(e.Err) == ""
}

// Core starts an instance for use with search.Options. Its error is a *StartError. A closed engine
// starts none: wazero would panic.
func (e *Engine) Core(ctx context.Context) (search.Core, error) {
	e.starting.RLock()
	defer e.starting.RUnlock()
	if e.closed {
		return nil, &StartError{&search.ClosedError{What: "engine"}}
	}
	var in *instance
	err := e.compiled()
	if err == nil {
		in, err = start(ctx, e.modules, e.cache, e.options.memoryLimit)
	}
	if err != nil && e.ownsCache { // the kept code may be damaged
		if err = keepCompiled(); err == nil {
			in, err = start(ctx, e.modules, processCache(), e.options.memoryLimit)
		}
	}
	if err != nil {
		return nil, &StartError{err}
	}
	return core{in}, nil
}

// Instances is the number of a collection's cores that answer at a time.
func (e *Engine) Instances() int { return e.options.instances }

// Close frees the compiled code if the engine owns it, after the instances that are starting. Close
// its collections first: they can start no more instances.
func (e *Engine) Close(ctx context.Context) error {
	e.starting.Lock()
	defer e.starting.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	if e.ownsCache {
		return e.cache.Close(ctx)
	}
	return nil
}
