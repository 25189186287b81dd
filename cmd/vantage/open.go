package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
)

// collectionDir is where a site has its collection.
const collectionDir = "collection"

// Values of --engine.
const (
	engineNative   = "native"
	engineHeadless = "headless"
)

// openCollection opens a collection by its folder or address, or by those of a site
// that holds it.
func openCollection(ctx context.Context, where string, options ...vantage.Option) (*vantage.Collection, error) {
	if isURL(where) {
		if _, err := url.Parse(where); err != nil {
			return nil, usagef("%q is no address: %w", where, err)
		}
	}
	return vantage.Open(ctx, where, options...)
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// opened is a collection with what has to be closed after it.
type opened struct {
	*vantage.Collection
	about *vantage.Description
	close []func() error
}

func (o *opened) Close() error {
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
func (o *opened) Search(ctx context.Context, q vantage.Query) (*vantage.Result, error) {
	r, err := o.Collection.Search(ctx, q)
	m, made := queriesOf(o.about), "made them"
	if o.about.QueryModel != nil {
		made = "encodes its queries"
	}
	if m.Kind != manifest.KindExternal {
		return r, err
	}
	switch {
	case errors.Is(err, search.ErrNoEncoder):
		err = fmt.Errorf("%w: give the model that %s, or its folder: --model %s", err, made, m.ID)
	case err == nil && r.Notice != "":
		r.Notice += fmt.Sprintf("; to rank by vectors, give the model that %s: --model %s", made, m.ID)
	}
	return r, err
}

// open loads the collection into the engine that was chosen. Up to parallel
// queries will be asked at a time.
func (s *searching) open(ctx context.Context, parallel int, show *progress.Bar) (_ *opened, err error) {
	out := &opened{}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Close())
		}
	}()
	options := []vantage.Option{vantage.WithProgress(show.Update)}
	if s.model != "" {
		options = append(options, vantage.WithEncoderFor(func(ctx context.Context, about *vantage.Description) (vantage.Encoder, error) {
			return s.openEncoder(ctx, about, out)
		}))
	}
	if s.engine == engineHeadless {
		engine, err := openWebAssembly(ctx, parallel)
		if err != nil {
			return nil, err
		}
		options = append(options, vantage.WithEngine(engine))
		out.close = append(out.close, engine.Close)
	}
	if out.Collection, err = openCollection(ctx, s.where, options...); err != nil {
		return nil, err
	}
	s.where, out.about = out.Place(), out.Describe()
	return out, nil
}

// openEncoder opens the encoder that --model names, for the engine or beside it.
func (s *searching) openEncoder(ctx context.Context, about *vantage.Description, out *opened) (vantage.Encoder, error) {
	place, err := named.Find(ctx, s.model, told())
	if err != nil {
		return nil, err
	}
	if place.Static {
		return staticEncoder(place)
	}
	queries := queriesOf(about)
	e, err := place.Open(ctx, asIndexed(queries), s.device.AsIndexed(queries))
	if err != nil {
		return nil, err
	}
	out.close = append(out.close, e.Close)
	return encoderOf(e), nil
}

// openWebAssembly is the WebAssembly engine with compiled code on disk, which saves about a
// second, or, if that cannot be kept, with code compiled anew.
func openWebAssembly(ctx context.Context, instances int) (*vantage.Engine, error) {
	if dir := codeFolder(); dir != "" {
		if engine, err := headless.New(ctx, headless.WithInstances(instances), headless.WithCacheDir(dir)); err == nil {
			return engine, nil
		}
	}
	return headless.New(ctx, headless.WithInstances(instances))
}

// codeFolder is where compiled code is kept, which is run later: a folder that nobody
// else may write to; "": there is none.
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

// otherManifest reports whether a folder holds no collection, be it without a
// manifest.json or with that of a web app.
func otherManifest(err error) bool {
	return is[*store.MissingError](err) || errors.Is(err, manifest.ErrNotCollection)
}
