// Package headless runs the browser's WebAssembly core, the very same bytes,
// under wazero: rankings in Go programs and in CI that agree bit for bit with the
// page's.
//
//	engine, err := headless.New(ctx)
//	…
//	defer engine.Close()
//	collection, err := vantage.Open(ctx, "site", vantage.WithEngine(engine))
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

// WithCacheDir keeps the compiled core in a directory, made if need be, so that
// later processes start in milliseconds instead of about a second. If what is kept
// there is damaged, the core is compiled anew. The directory holds code that is
// run: nobody else may write to it. Default: compiled code is kept for the life of
// the process only.
func WithCacheDir(dir string) Option { return Option{host.WithCacheDir(dir)} }

// WithInstances sets how many queries of one collection are answered at a time;
// each instance holds the collection in its own memory and is made when it is
// first needed. Default: the number of processors. At least 1.
func WithInstances(n int) Option { return Option{host.WithInstances(n)} }

// WithMemoryLimit bounds the WebAssembly memory of one instance, in bytes,
// rounded down to pages of 64 KB. A collection that does not fit is an error of
// kind vantage.ErrLimit, when it is opened or searched. An empty core takes about
// 4 MB, and one that loads a collection up to twice what it has when all is loaded.
// Default and highest: 4 GB, all that 32-bit addresses reach. Files that are being
// read come on top, in the memory of the Go program.
func WithMemoryLimit(bytes int64) Option { return Option{host.WithMemoryLimit(bytes)} }

// New prepares an engine for vantage.WithEngine. The core is compiled when the
// first collection is opened. Close the collections before the engine.
//
// Errors: an option outside its bounds, a cache directory that cannot be made.
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
