// Package open opens collections as the command does: with models given by name, on a
// chosen engine.
package open

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	_ "github.com/vantage-search/vantage/packs" // runs the packs that collections carry
)

// Engines, by their names.
const (
	Native   = "native"
	Headless = "headless"
)

// Options of Searcher.
type Options struct {
	Engine   string // Native or Headless
	Parallel int    // queries that will be asked at a time
	Model    string // that encodes the queries, by its name; "": the one of the collection
	Device   named.Device
	Progress func(stage string, done, total int64)
	Console  *console.Console
}

// Collection opens a collection by its folder or address, or by those of a site
// that holds it.
func Collection(ctx context.Context, where string, o vantage.OpenOptions) (*vantage.Collection, error) {
	if remote.IsAddress(where) {
		address, err := url.Parse(where)
		if err != nil {
			return nil, fault.Errorf(fault.Query, "%q is not an address: %w", where, err)
		}
		if address.Host == "" {
			return nil, fault.Errorf(fault.Query, "%q names no host: give an address such as https://example.org/site/", where)
		}
	}
	return vantage.Open(ctx, where, &o)
}

// Opened is a collection with what has to be closed after it.
type Opened struct {
	*vantage.Collection
	About *vantage.Description

	close []func() error
}

// Close closes the collection, its engine and its model.
func (o *Opened) Close() error {
	var err error
	if o.Collection != nil {
		err = o.Collection.Close()
	}
	for _, f := range o.close {
		err = errors.Join(err, f())
	}
	return err
}

// Search answers a query. If nothing can encode it, the error says what could.
func (o *Opened) Search(ctx context.Context, q vantage.Query) (*vantage.Result, error) {
	r, err := o.Collection.Search(ctx, q)
	m, made := queriesOf(o.About), "made them"
	if o.About.QueryModel != nil {
		made = "encodes its queries"
	}
	if m.Kind != manifest.KindExternal {
		return r, err
	}
	switch {
	case errors.Is(err, search.ErrNoEncoder):
		err = fmt.Errorf("%w: give the model that %s, or its folder: --model %s", err, made, human.Argument(m.ID))
	case err == nil && r.Notice != "":
		r.Notice += fmt.Sprintf("; to rank by vectors, give the model that %s: --model %s", made, human.Argument(m.ID))
	}
	return r, err
}

// Searcher loads a collection into the chosen engine.
func Searcher(ctx context.Context, where string, o Options) (_ *Opened, err error) {
	if o.Model == "" && o.Device.Given() {
		return nil, fault.New(fault.Query, "--device and --bf16 are for a transformer that encodes queries: name it with --model; this process computes the encoder that a collection carries")
	}
	out := &Opened{}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Close())
		}
	}()
	options := vantage.OpenOptions{Progress: o.Progress}
	if o.Model != "" {
		options.ChooseEncoder = func(ctx context.Context, about *vantage.Description) (vantage.Encoder, error) {
			return o.encoder(ctx, about, out)
		}
	}
	if o.Engine == Headless {
		engine, err := openWebAssembly(ctx, o.Parallel)
		if err != nil {
			return nil, err
		}
		options.Engine = engine
		out.close = append(out.close, engine.Close)
	}
	if out.Collection, err = Collection(ctx, where, options); err != nil {
		return nil, err
	}
	out.About = out.Describe()
	return out, nil
}

// encoder opens the encoder of the queries: a static model, which runs in the engine, or a transformer, which does not.
func (o *Options) encoder(ctx context.Context, about *vantage.Description, out *Opened) (vantage.Encoder, error) {
	place, err := named.Find(ctx, o.Model, o.Console)
	if err != nil {
		return nil, err
	}
	if place.Static {
		if o.Device.Given() {
			return nil, fault.Errorf(fault.Query, "--device and --bf16 are for transformers: %s is a static model", o.Model)
		}
		return StaticEncoder(place)
	}
	queries := queriesOf(about)
	e, err := place.Open(ctx, named.AsIndexed(queries), o.Device.AsIndexed(queries))
	if err != nil {
		return nil, err
	}
	out.close = append(out.close, e.Close)
	return Encoder(e), nil
}

// openWebAssembly returns the WebAssembly engine. It keeps the compiled code on disk if
// it can, which saves about a second.
func openWebAssembly(ctx context.Context, instances int) (*vantage.Engine, error) {
	if dir := codeFolder(); dir != "" {
		if engine, err := headless.New(ctx, headless.WithInstances(instances), headless.WithCacheDir(dir)); err == nil {
			return engine, nil
		}
	}
	return headless.New(ctx, headless.WithInstances(instances))
}

// codeFolder returns the folder of the compiled code. As that code is executed later,
// nobody else may write to the folder. "": there is no such folder.
func codeFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "vantage")
	if os.MkdirAll(dir, 0o700) != nil || !private(dir) {
		return ""
	}
	return dir
}
