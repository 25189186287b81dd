package vantage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Engine makes the cores that hold a collection in memory and rank it. Package
// headless has one; without any, the Go code of this package ranks.
type Engine struct{ engine bridge.Engine }

func init() {
	bridge.NewEngine = func(e bridge.Engine) any { return &Engine{e} }
}

// Close frees what the engine's collections share. Close them first.
func (e *Engine) Close() error { return e.engine.Close(context.Background()) }

// Progress is told how far a stage is: done of total units; total is 0 while it is
// not known. Stages are "load" (bytes of vectors), "verify" (files), "weigh" and
// "encode" (documents), and "write" (files). It is called from one goroutine at a time.
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

// WithEngine has a collection ranked by an engine, such as that of package headless,
// in place of the Go code of this package.
func WithEngine(e *Engine) Option { return func(o *options) { o.engine = e } }

// WithEncoder has queries encoded by e in place of the encoder that the collection
// carries. It has to be the one that made the collection's vectors: if its vectors of
// the check texts in the manifest differ from those there, the collection does not
// open.
func WithEncoder(e Encoder) Option { return func(o *options) { o.encoder = e } }

// WithEncoderFor is WithEncoder with an encoder that is chosen once the collection's
// description is known, before its vectors are read. nil: the one that it carries.
func WithEncoderFor(choose func(context.Context, *Description) (Encoder, error)) Option {
	return func(o *options) { o.choose = choose }
}

// WithProgress has the loading and the verification of a collection reported.
func WithProgress(p Progress) Option { return func(o *options) { o.progress = p } }

// WithoutLoading leaves vectors and encoder where they are until the first call that
// needs them, which then returns the errors that Open would have.
func WithoutLoading() Option { return func(o *options) { o.lazy = true } }

// siteFolder is where a site has its collection.
const siteFolder = "collection"

// Open opens the collection at a place: a folder, or an http:// or https:// address.
// If there is no collection, but a site that has one in its folder collection, that
// one is opened; Collection.Place tells where it was found. A host that sends nothing
// for 30 seconds is an error.
//
// Everything that is read is compared with the hashes of the manifest. Memory: about
// the bytes of the vectors as they are stored (Description.Files), for each instance
// of the engine. Documents are read when they are hits.
//
// Errors are of kind ErrInput (no collection, another encoder), ErrIntegrity,
// ErrVersion, ErrLimit, ErrUnsupported, ErrUnavailable or ErrInternal, or those of the
// context, the file system and the network.
func Open(ctx context.Context, place string, opts ...Option) (*Collection, error) {
	open, join := openFolder, filepath.Join
	if isAddress(place) {
		open, join = openAddress, func(elements ...string) string { return strings.Join(elements, "/") }
		address, err := url.Parse(place)
		if err != nil || address.Host == "" {
			return nil, fault.As(fault.Input, fmt.Errorf("%q is no address: %w", place, err))
		}
		join = func(...string) string { return address.JoinPath(siteFolder).String() }
	} else if err := checkFolder(place); err != nil {
		return nil, err
	}
	return openEither(ctx, place, join(place, siteFolder), open, opts)
}

// OpenFS is Open for a folder of a file system: the collection, or the site that has
// it. A file system that is an embed.FS, or another that never changes, is as good as
// a folder.
func OpenFS(ctx context.Context, fsys fs.FS, opts ...Option) (*Collection, error) {
	open := func(ctx context.Context, place string) (*store.Store, error) {
		sub, err := fs.Sub(fsys, place)
		if err != nil {
			return nil, err
		}
		return store.Open(ctx, sub)
	}
	return openEither(ctx, ".", path.Join(".", siteFolder), open, opts)
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

// checkFolder says what is wrong with a folder to be read.
func checkFolder(dir string) error {
	const remedy = "check the path, or make a collection with: vantage index CORPUS -o DIR"
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fault.As(fault.Input, fmt.Errorf("%s: no such folder: "+remedy, dir))
	case err != nil:
		return err
	case !info.IsDir():
		return fault.As(fault.Input, fmt.Errorf("%s: a file where a folder is expected: "+remedy, dir))
	}
	return nil
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

// otherManifest reports whether a folder holds no collection, be it without a
// manifest.json or with that of a web app.
func otherManifest(err error) bool {
	return fault.Is[*store.MissingError](err) || errors.Is(err, manifest.ErrNotCollection)
}

// at puts a place before an error.
func at(place string, err error) error {
	if err == nil || place == "." {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
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
