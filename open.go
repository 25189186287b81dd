package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"reflect"

	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Engine holds collections in memory and ranks them, in place of the Go code that does so by
// default. Package headless has one.
type Engine struct{ engine bridge.Engine }

func init() {
	bridge.NewEngine = func(e bridge.Engine) any { return &Engine{e} }
}

// Close frees the memory that the engine's collections share. Close the collections and
// rerankers first: whatever needs the engine afterwards fails with ErrClosed, such as Open, or
// a query for which the collection starts another instance.
func (e *Engine) Close() error { return e.engine.Close(context.Background()) }

// set makes the engine rank a collection. If the engine is nil, Go code ranks.
func (e *Engine) set(o *search.Options) {
	if e != nil {
		o.Cores, o.Instances = e.engine.Core, e.engine.Instances
	}
}

// OpenOptions are the options of Open. All of them may be left out.
type OpenOptions struct {
	// FS is a file system, such as an embed.FS, in which the place is a folder; nil: the
	// place is a folder of the operating system, or an address.
	FS fs.FS
	// Engine, such as package headless's, ranks the collection; nil: Go code does.
	Engine *Engine
	// Encoder encodes queries; nil: the encoder in the collection does, if there is one.
	// It must be the encoder that made the collection's vectors, or, if queries have one of
	// their own (IndexOptions.QueryEncoder), that one: Open fails if it gives other vectors for
	// the check texts in the manifest.
	Encoder Encoder
	// ChooseEncoder chooses Encoder when the collection's description is known, before
	// vectors are read. If it returns nil, Encoder is used. nil: there is no choice.
	ChooseEncoder func(context.Context, *Description) (Encoder, error)
	// Progress receives the progress of loading the collection (stage "load", in bytes of
	// vectors) and of verifying it ("verify", in files): done of total units. It is called
	// from one goroutine at a time. It may be nil.
	Progress func(stage string, done, total int64)
	// Lazy postpones reading the vectors and the encoder to the first call that needs
	// them. That call then returns the errors that Open would return.
	Lazy bool
}

// siteFolder is the folder of a site that holds its collection.
const siteFolder = "collection"

// Open opens the collection at a place: a folder, or an http:// or https:// address. If
// the place is a site, Open opens the collection in its folder "collection";
// Collection.Place says where it was found. A host that sends nothing for 30 seconds is
// an error. o may be nil.
//
// If the encoder that the collection carries is missing or damaged, and the collection has
// an index of words, Open succeeds: words answer queries that name no method, their
// Result.Notice says why, and other calls that encode fail with the fault.
//
// All files are compared with the hashes in the manifest. If one is missing or damaged because
// the collection was indexed anew meanwhile, Open starts again once, and calls ChooseEncoder
// again. Each instance of the engine takes about as much memory as the stored vectors
// (Description.Files), or twice as much if they are F16. Documents are read only for hits.
//
// Errors are of kind ErrInput (no such folder, no collection in it, a manifest.json of
// another program), ErrIntegrity (a file is missing or damaged, the encoder is not the
// one that made the vectors), ErrVersion, ErrLimit, ErrUnsupported, ErrUnavailable or
// ErrInternal, or those of the context, the encoder, the file system and the network.
func Open(ctx context.Context, place string, o *OpenOptions) (*Collection, error) {
	if o == nil {
		o = &OpenOptions{}
	}
	open, inside := openFolder, filepath.Join(place, siteFolder)
	switch {
	case o.FS != nil:
		if !fs.ValidPath(place) {
			return nil, fault.Errorf(fault.Input, "%q is not a path in a file system: give \".\" or a path such as data/site", place)
		}
		open, inside = inFS(o.FS), path.Join(place, siteFolder)
	case remote.IsAddress(place):
		address, err := url.Parse(place)
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%q is not an address: %w", place, err)
		}
		open, inside = openAddress, address.JoinPath(siteFolder).String()
	default:
		if err := file.CheckFolder(place, "make a collection with: vantage index CORPUS -o DIR"); err != nil {
			return nil, err
		}
	}
	return openEither(ctx, place, inside, open, *o)
}

func openFolder(ctx context.Context, place string) (*store.Store, error) {
	return store.Open(ctx, os.DirFS(place))
}

func openAddress(ctx context.Context, place string) (*store.Store, error) {
	return store.Open(ctx, remote.FS(place, nil))
}

// inFS opens folders of a file system.
func inFS(fsys fs.FS) func(context.Context, string) (*store.Store, error) {
	return func(ctx context.Context, place string) (*store.Store, error) {
		sub, err := fs.Sub(fsys, place)
		if err != nil {
			return nil, err
		}
		return store.Open(ctx, sub)
	}
}

// openEither opens the collection at a place, or else the one inside.
func openEither(ctx context.Context, place, inside string, open func(context.Context, string) (*store.Store, error), o OpenOptions) (*Collection, error) {
	st, err := open(ctx, place)
	if err != nil && (otherManifest(err) || fault.Is[*store.CorruptError](err)) { // some hosts answer every path with a page
		other, otherErr := open(ctx, inside)
		if otherErr == nil || otherManifest(err) && !otherManifest(otherErr) {
			st, err, place = other, otherErr, inside
		}
	}
	if err != nil {
		return nil, at(place, ended(ctx, err))
	}
	c, err := newCollection(ctx, place, st, o)
	if errors.Is(err, ErrIntegrity) || err == nil && c.search.Broken() != nil {
		if newer, _ := open(ctx, place); newer != nil && !reflect.DeepEqual(newer.Manifest(), st.Manifest()) { // it was indexed anew meanwhile
			if c != nil {
				c.Close()
			}
			return newCollection(ctx, place, newer, o)
		}
	}
	return c, err
}

// otherManifest reports whether a folder has no collection: it has no manifest.json, or
// one that belongs to a web app.
func otherManifest(err error) bool {
	return errors.Is(err, manifest.ErrNotCollection)
}

// at puts a place before an error.
func at(place string, err error) error {
	if place == "." {
		return err // the file system has no name
	}
	return fault.At(place, err)
}

// located puts the place before an error about a file, so that a user finds the file.
func located(place string, err error) error {
	if fault.Is[*store.MissingError](err) || fault.Is[*store.CorruptError](err) || fault.Is[*search.FileError](err) || fault.Is[*search.EncoderError](err) ||
		fault.Is[*fs.PathError](err) && !fault.Is[*encoderFault](err) {
		return at(place, err)
	}
	return err
}
