// Package headless runs the browser's WebAssembly core, the same bytes, under
// wazero. Rankings in Go programs and in CI then agree bit for bit with those in
// the page.
//
//	engine, err := headless.New(ctx)
//	…
//	defer engine.Close()
//	collection, err := vantage.Open(ctx, "site", &vantage.OpenOptions{Engine: engine})
//
// An engine and its collections are safe for concurrent use: each query has an
// instance of the core to itself, and an instance that blocks, panics or traps
// is thrown away and replaced.
package headless

import (
	"context"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/wasm/host"
)

// Option changes a default of New.
type Option struct{ set host.Option }

// WithCacheDir keeps the compiled core in a directory, which is made if necessary, so
// that later processes start in milliseconds instead of about a second. If the cached
// code is damaged, the core is compiled and kept again. The code in the directory is executed, so
// nobody else may write to it. Default: compiled code is only kept while the process
// runs.
func WithCacheDir(dir string) Option { return Option{host.WithCacheDir(dir)} }

// WithInstances sets how many queries of one collection are answered concurrently. Each
// instance holds the collection in its own memory and is made when it is first needed.
// Default: the number of processors. Minimum: 1.
func WithInstances(n int) Option { return Option{host.WithInstances(n)} }

// WithMemoryLimit bounds the WebAssembly memory of one instance, in bytes, rounded
// down to pages of 64 KB. A collection that does not fit is an error of kind
// vantage.ErrLimit, when it is opened or searched. An empty core takes about 4 MB.
// While a core loads a collection, it takes up to twice the memory of the loaded
// collection. Default and maximum: 4 GB, the limit of 32-bit addresses. Files that
// are being read take additional memory of the Go program.
func WithMemoryLimit(bytes int64) Option { return Option{host.WithMemoryLimit(bytes)} }

// New prepares an engine for vantage.OpenOptions and vantage.NewReranker. The core is
// compiled when the first collection is opened. Close the collections before the engine:
// afterwards they start no more instances, and fail with vantage.ErrClosed.
//
// It fails if an option is out of bounds, or if the cache directory cannot be made.
func New(ctx context.Context, options ...Option) (*vantage.Engine, error) {
	set := make([]host.Option, len(options))
	for i, o := range options {
		set[i] = o.set
	}
	engine, err := host.New(ctx, set...)
	if err != nil {
		return nil, err
	}
	return bridge.NewEngine(bridge.Engine{Core: engine.Core, Instances: engine.Instances(), Close: engine.Close}).(*vantage.Engine), nil
}
