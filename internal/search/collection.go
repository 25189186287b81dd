package search

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Options are the options of Open and Create.
type Options struct {
	// Cores makes a core. It is called for every core up to Instances, and to
	// replace a lost one. nil means Native.
	Cores func(ctx context.Context) (Core, error)
	// Instances is the number of cores that may answer at a time, each with the whole
	// collection in its memory; 0 means 1. One native core is enough.
	Instances int
	// Encoder replaces the encoder that the collection carries, and must match the
	// collection's canaries, too. nil means the carried encoder, if there is one.
	Encoder Encoding
	// Progress is called while the vectors of the first core load.
	Progress func(done, total int64)
	// Lazy delays loading the first core until a call needs it.
	Lazy bool
}

// Collection answers queries. It is safe for concurrent use.
type Collection struct {
	store    *store.Store // nil for a collection without documents
	options  Options
	encoding Encoding // nil if texts cannot be encoded
	encoder  EncoderRef
	pool     *pool
	reads    reads
	broken   error // see Broken

	vocabulary vocabulary
	askedRoots askedRoots
}

// read returns the content of a file of the collection; see store.Store.Read.
func (c *Collection) read(ctx context.Context, f manifest.File) ([]byte, error) {
	return c.reads.read(ctx, f.Path, func(ctx context.Context) ([]byte, error) { return c.store.Read(ctx, f) })
}

// EncoderMismatchError says that an encoder, given or carried, did not make the
// collection's vectors.
type EncoderMismatchError struct {
	Encoder, Model EncoderRef
	Reason         string // and the remedy, if it is not a canary that tells them apart
	Canary         string
	Cosine, Least  float64
}

func (e *EncoderMismatchError) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = fmt.Sprintf("the canary %q has cosine %.4f with the vector in the manifest, must be at least %g", e.Canary, e.Cosine, e.Least) + useItsModel
	}
	return fmt.Sprintf("encoder %s does not match the collection's model %s: %s", e.Encoder.name(), e.Model.name(), reason)
}

const useItsModel = ": use the model that made the collection, or index it again"

// Is reports the kind of fault: integrity.
func (e *EncoderMismatchError) Is(target error) bool { return target == fault.Integrity }

// ErrNoEncoder is returned for a text if the collection carries no encoder
// and none was given.
var ErrNoEncoder = fault.New(fault.Query, "the collection carries no encoder: give one, or give the query as vectors")

// Open loads a collection into a core.
func Open(ctx context.Context, st *store.Store, o Options) (*Collection, error) {
	m, _ := st.Manifest().Queries()
	c := &Collection{store: st, options: o, vocabulary: newVocabulary(), encoding: o.Encoder, encoder: EncoderRef{m.ID, m.Revision}}
	if c.encoding == nil && st.Manifest().Encoder != nil {
		c.encoding = carried{c}
		if st.Manifest().Model.Kind == manifest.KindPack {
			c.encoding = carriedPack{c}
		}
	}
	if c.encoding != nil && st.Manifest().Tokens != nil {
		var err error
		if c.encoding, err = asLate(c.encoding); err != nil {
			return nil, err
		}
	}
	return c.start(ctx)
}

// Create returns a collection without documents, for Rerank and SidesOf.
func Create(ctx context.Context, o Options) (*Collection, error) {
	if o.Encoder == nil {
		return nil, ErrNoEncoder
	}
	c := &Collection{options: o, vocabulary: newVocabulary(), encoding: o.Encoder, encoder: o.Encoder.ref()}
	return c.start(ctx)
}

// start opens the first core, unless Options.Lazy is set.
func (c *Collection) start(ctx context.Context) (*Collection, error) {
	c.askedRoots.roots = lru.New[string, rootVectors](rootBytes)
	cores, instances := c.options.Cores, c.options.Instances
	shared := cores == nil
	if shared {
		cores = func(context.Context) (Core, error) { return Native(), nil }
		instances = 1
	}
	owner := "collection"
	if c.store == nil {
		owner = "reranker"
	}
	var told atomic.Bool // the progress of a first core
	c.pool = newPool(owner, max(instances, 1), shared, func(ctx context.Context) (*instance, error) {
		core, err := cores(ctx)
		if err != nil {
			return nil, err
		}
		var progress func(done, total int64)
		first := told.CompareAndSwap(false, true)
		if first {
			progress = c.options.Progress
		}
		in, err := c.load(ctx, core, progress)
		if err != nil {
			if first {
				told.Store(false)
			}
			return nil, errors.Join(err, core.Close())
		}
		return in, nil
	})
	if c.options.Lazy {
		return c, nil
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, errors.Join(err, c.pool.close())
	}
	c.broken = in.broken
	c.pool.release(in)
	return c, nil
}

// Broken says why Open could not use the encoder that the collection carries, so that words
// answer. It is nil if it could, and with Options.Lazy.
func (c *Collection) Broken() error { return c.broken }

// Manifest describes the collection; nil if it has no documents.
func (c *Collection) Manifest() *manifest.Manifest {
	if c.store == nil {
		return nil
	}
	return c.store.Manifest()
}

// Close frees the cores. It waits for the running queries, unless they share the native core.
func (c *Collection) Close() error { return c.pool.close() }
