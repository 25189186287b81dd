package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/host"
)

// Values of --engine.
const (
	engineNative   = "native"
	engineHeadless = "headless"
)

// opened is a collection with what has to be closed after it.
type opened struct {
	*search.Collection
	judge *judge
	close []func() error
}

func (o *opened) Close() error {
	err := o.Collection.Close()
	for _, f := range o.close {
		err = errors.Join(err, f())
	}
	return err
}

// Search answers a query. Where nothing encodes it, it is told what would.
func (o *opened) Search(ctx context.Context, q search.Query) (*search.Result, error) {
	r, err := o.Collection.Search(ctx, q)
	if m, _ := o.Manifest().Queries(); m.Kind == manifest.KindExternal {
		made := "made them"
		if o.Manifest().QueryModel != nil {
			made = "encodes its queries"
		}
		switch {
		case errors.Is(err, search.ErrNoEncoder):
			err = fmt.Errorf("%w: give the model that %s, or its folder: --model %s", err, made, m.ID)
		case err == nil && r.Notice != "":
			r.Notice += fmt.Sprintf("; to rank by vectors, give the model that %s: --model %s", made, m.ID)
		}
	}
	return r, err
}

// open loads the collection into the engine that was chosen. Up to parallel
// queries will be asked at a time.
func (s *searching) open(ctx context.Context, parallel int, show *progress.Bar) (*opened, error) {
	st, place, err := openStore(ctx, s.where)
	if err != nil {
		return nil, err
	}
	s.where = place
	o := search.Options{Instances: parallel, Progress: func(done, total int64) { show.Update(progress.Load, done, total) }}
	out := &opened{}
	if s.model != "" {
		if err := s.openEncoder(ctx, st.Manifest(), &o, out); err != nil {
			return nil, err
		}
	}
	out.judge = newJudge(ctx, st, o.Encoder)
	if s.engine == engineHeadless {
		cores, err := newCores(ctx)
		if err != nil {
			return nil, err
		}
		o.Cores = cores.core
		out.close = append(out.close, func() error { return cores.close(ctx) })
	}
	if out.Collection, err = search.Open(ctx, st, o); err != nil {
		for _, f := range out.close {
			err = errors.Join(err, f())
		}
		return nil, wrap(place, contentError(err))
	}
	return out, nil
}

// openEncoder opens the encoder that --model names, for the engine or beside it.
func (s *searching) openEncoder(ctx context.Context, m *manifest.Manifest, o *search.Options, out *opened) error {
	place, err := named.Find(ctx, s.model, told())
	if err != nil {
		return err
	}
	if place.Static {
		files, err := place.Files()
		if err == nil {
			o.Encoder = encoderOf(files)
		}
		return err
	}
	queries, _ := m.Queries()
	encoder, err := place.Open(ctx, asIndexed(queries), s.device.AsIndexed(queries))
	if err != nil {
		return err
	}
	o.Outside = outsideOf(ctx, encoder, m)
	out.close = append(out.close, encoder.Close)
	return nil
}

// contentError makes an error in opening a collection one of bad input, unless
// it is about the engine, the disk or the network.
func contentError(err error) error {
	if is[*engineError](err) || is[*host.LostError](err) || is[*fs.PathError](err) || is[net.Error](err) ||
		is[*remote.StatusError](err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.As(fault.Input, err)
}

// engineError says why a WebAssembly core does not start.
type engineError struct{ err error }

func (e *engineError) Error() string { return e.err.Error() }
func (e *engineError) Unwrap() error { return e.err }

// cores starts WebAssembly cores from compiled code on disk, which saves about
// a second, or, where that cannot be kept or is damaged, from code compiled
// anew.
type cores struct{ cached, plain *host.Engine }

func newCores(ctx context.Context) (*cores, error) {
	plain, err := host.New(ctx)
	if err != nil {
		return nil, err
	}
	c := &cores{plain: plain}
	dir, err := os.UserCacheDir()
	if err != nil {
		return c, nil
	}
	dir = filepath.Join(dir, "vantage")
	if os.MkdirAll(dir, 0o700) != nil || !private(dir) { // the folder holds code that is run
		return c, nil
	}
	if cached, err := host.New(ctx, host.WithCacheDir(dir)); err == nil {
		c.cached = cached
	}
	return c, nil
}

func (c *cores) core(ctx context.Context) (search.Core, error) {
	if c.cached != nil {
		if core, err := c.cached.Core(ctx); err == nil {
			return core, nil
		}
	}
	core, err := c.plain.Core(ctx)
	if err != nil {
		return nil, &engineError{err}
	}
	return core, nil
}

func (c *cores) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	err := c.plain.Close(ctx)
	if c.cached != nil {
		err = errors.Join(err, c.cached.Close(ctx))
	}
	return err
}
