package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Engine makes the cores that hold a collection in memory and rank it. Package headless
// has one. By default, Go code ranks.
type Engine struct{ engine bridge.Engine }

func init() {
	bridge.NewEngine = func(e bridge.Engine) any { return &Engine{e} }
}

// Close frees the memory that the engine's collections share. Close the collections
// first.
func (e *Engine) Close() error { return e.engine.Close(context.Background()) }

// Progress receives the progress of a stage: done of total units. total is 0 if it is
// unknown. Stages are "load" (bytes of vectors), "verify" (files), "weigh" and "encode"
// (documents), and "write" (files). Only one goroutine calls it at a time.
type Progress func(stage string, done, total int64)

// Option changes how a collection is opened.
type Option func(*options)

type options struct {
	engine   *Engine
	encoder  Encoder
	choose   func(context.Context, *Description) (Encoder, error)
	progress Progress
	lazy     bool
}

// WithEngine makes an engine, such as package headless's, rank the collection instead
// of Go code.
func WithEngine(e *Engine) Option { return func(o *options) { o.engine = e } }

// WithEncoder makes e encode queries instead of the encoder in the collection. It must
// be the encoder that made the collection's vectors: Open fails if it gives other
// vectors for the check texts in the manifest.
func WithEncoder(e Encoder) Option { return func(o *options) { o.encoder = e } }

// WithEncoderFor is like WithEncoder, but the function chooses the encoder when the
// collection's description is known, before vectors are read. If it returns nil, the
// encoder in the collection is used.
func WithEncoderFor(choose func(context.Context, *Description) (Encoder, error)) Option {
	return func(o *options) { o.choose = choose }
}

// WithProgress reports the progress of loading and verifying a collection.
func WithProgress(p Progress) Option { return func(o *options) { o.progress = p } }

// WithoutLoading reads vectors and encoder only at the first call that needs them. That
// call then returns the errors that Open would return.
func WithoutLoading() Option { return func(o *options) { o.lazy = true } }

// siteFolder is where a site has its collection.
const siteFolder = "collection"

// Open opens the collection at a place: a folder, or an http:// or https:// address. If
// the place is a site, Open opens the collection in its folder "collection";
// Collection.Place says where it was found. A host that sends nothing for 30 seconds is
// an error.
//
// All files are compared with the hashes in the manifest. Each instance of the engine
// takes about as much memory as the stored vectors (Description.Files). Documents are
// only read for hits.
//
// Errors are of kind ErrInput (no collection, another encoder), ErrIntegrity,
// ErrVersion, ErrLimit, ErrUnsupported, ErrUnavailable or ErrInternal, or those of the
// context, the file system and the network.
func Open(ctx context.Context, place string, opts ...Option) (*Collection, error) {
	open, inside := openFolder, filepath.Join(place, siteFolder)
	if isAddress(place) {
		address, err := url.Parse(place)
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%q is no address: %w", place, err)
		}
		open, inside = openAddress, address.JoinPath(siteFolder).String()
	} else if err := file.CheckFolder(place, "make a collection with: vantage index CORPUS -o DIR"); err != nil {
		return nil, err
	}
	return openEither(ctx, place, inside, open, opts)
}

// OpenFS is Open for a folder of a file system, such as an embed.FS, that contains a
// collection or a site.
func OpenFS(ctx context.Context, fsys fs.FS, opts ...Option) (*Collection, error) {
	open := func(ctx context.Context, place string) (*store.Store, error) {
		sub, err := fs.Sub(fsys, place)
		if err != nil {
			return nil, err
		}
		return store.Open(ctx, sub)
	}
	return openEither(ctx, ".", siteFolder, open, opts)
}

func isAddress(place string) bool {
	return strings.HasPrefix(place, "http://") || strings.HasPrefix(place, "https://")
}

func openFolder(ctx context.Context, place string) (*store.Store, error) {
	return store.Open(ctx, os.DirFS(place))
}

func openAddress(ctx context.Context, place string) (*store.Store, error) {
	return store.Open(ctx, remote.FS(place, nil))
}

// openEither opens the collection at a place, or else the one inside.
func openEither(ctx context.Context, place, inside string, open func(context.Context, string) (*store.Store, error), opts []Option) (*Collection, error) {
	st, err := open(ctx, place)
	if err != nil && (otherManifest(err) || fault.Is[*store.CorruptError](err)) { // some hosts answer with a page whatever is asked for
		other, otherErr := open(ctx, inside)
		if otherErr == nil || otherManifest(err) && !otherManifest(otherErr) {
			st, err, place = other, otherErr, inside
		}
	}
	if err != nil {
		return nil, at(place, err)
	}
	return newCollection(ctx, place, st, opts)
}

// otherManifest reports whether a folder has no collection: it has no manifest.json, or
// that of a web app.
func otherManifest(err error) bool {
	return fault.Is[*store.MissingError](err) || errors.Is(err, manifest.ErrNotCollection)
}

// at puts a place before an error.
func at(place string, err error) error {
	if place == "." {
		return err // the file system of OpenFS has no name
	}
	return fault.At(place, err)
}

// located is at for errors about files, which need to be found.
func located(place string, err error) error {
	if fault.Is[*store.MissingError](err) || fault.Is[*store.CorruptError](err) || fault.Is[*search.FileError](err) {
		return at(place, err)
	}
	return err
}

// searchOptions are the options as the searching side takes them.
func (o *options) searchOptions() search.Options {
	out := search.Options{Lazy: o.lazy}
	if o.progress != nil {
		out.Progress = func(done, total int64) { o.progress("load", done, total) }
	}
	if o.engine != nil {
		out.Cores, out.Instances = o.engine.engine.Core, o.engine.engine.Instances
	}
	return out
}
