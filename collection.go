package vantage

import (
	"context"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Collection is an opened collection. It may be used by several goroutines.
type Collection struct {
	place    string
	store    *store.Store
	search   *search.Collection
	progress func(stage string, done, total int64)
}

func newCollection(ctx context.Context, place string, st *store.Store, o OpenOptions) (*Collection, error) {
	if o.ChooseEncoder != nil {
		chosen, err := o.ChooseEncoder(ctx, describe(st.Manifest()))
		if err != nil {
			return nil, err
		}
		if chosen != nil {
			o.Encoder = chosen
		}
	}
	internal := search.Options{Lazy: o.Lazy, Encoder: encodingBy(o.Encoder)}
	var progress func(stage string, done, total int64)
	if o.Progress != nil {
		var one sync.Mutex // a lazy collection may load while Verify runs, and Verify may run twice
		progress = func(stage string, done, total int64) {
			one.Lock()
			defer one.Unlock()
			o.Progress(stage, done, total)
		}
		internal.Progress = func(done, total int64) { progress("load", done, total) }
	}
	o.Engine.set(&internal)
	c, err := search.Open(ctx, st, internal)
	if err != nil {
		return nil, at(place, classify(ctx, err, fault.Input))
	}
	return &Collection{place, st, c, progress}, nil
}

// Place is the folder or address where the collection was found.
func (c *Collection) Place() string { return c.place }

// Search ranks the collection's documents for a query.
//
// Errors are of kind ErrQuery (the query has no defined answer, or needs an encoder or
// an index of words that the collection lacks), ErrUnsupported (the program does not run
// the collection's pack, or Contexts cannot be encoded here), ErrInput (the encoder does not
// give the vectors that its Model describes), ErrIntegrity, ErrLimit, ErrUnavailable or
// ErrInternal, or those of the context, the encoder, the file system and the network.
func (c *Collection) Search(ctx context.Context, q Query) (*Result, error) {
	r, err := c.search.Search(ctx, queryOf(q))
	if err != nil {
		return nil, located(c.place, classify(ctx, err, fault.Query))
	}
	return resultOf(r), nil
}

// Rerank ranks texts, which need not be the collection's, for a query. The index of a hit
// is the position of its text, and its id is empty. Filters, Hybrid, Contexts, MethodWords and
// a collection that is ranked by MaxSim are errors of kind ErrQuery; other errors are those of Search.
func (c *Collection) Rerank(ctx context.Context, q Query, texts []string) (*Result, error) {
	r, err := c.search.Rerank(ctx, queryOf(q), texts)
	if err != nil {
		return nil, located(c.place, classify(ctx, err, fault.Query))
	}
	return resultOf(r), nil
}

// Encode encodes texts, in order, in the same way as the collection's queries or
// documents. A collection without an encoder is an error of kind ErrQuery; other
// errors are those of Search.
func (c *Collection) Encode(ctx context.Context, texts []string, role Role) ([]Encoding, error) {
	encoded, err := encodeWith(ctx, c.search, texts, role)
	return encoded, located(c.place, err)
}

// Warning says in one sentence why an answer may be unreliable, because the encoder
// cannot read parts of the query. It is "" if nothing is wrong.
func (c *Collection) Warning(ctx context.Context, r *Result) string {
	return c.search.Warning(ctx, textsOf(r))
}

// Verify reads every file of the collection, compares its length and hash with the
// manifest, decodes every vector and document, and compares the collection's encoder
// with the vectors that the manifest has of its check texts. It returns a fault for
// each damaged file. err says why the check itself could not continue.
func (c *Collection) Verify(ctx context.Context) (faults []error, err error) {
	var progress func(done, total int64)
	if c.progress != nil {
		progress = func(done, total int64) { c.progress("verify", done, total) }
	}
	faults, err = search.Verify(ctx, c.store, progress)
	for i := range faults {
		faults[i] = classify(ctx, faults[i], fault.Integrity)
	}
	return faults, at(c.place, err)
}

// Close frees the memory of the collection after the calls under way have ended. Later
// calls that rank or encode fail with ErrClosed.
func (c *Collection) Close() error { return c.search.Close() }

func encodeWith(ctx context.Context, c *search.Collection, texts []string, role Role) ([]Encoding, error) {
	encoded, err := c.Encode(ctx, texts, encoder.Role(role))
	if err != nil {
		return nil, classify(ctx, err, fault.Query)
	}
	return encodingsOf(encoded), nil
}
