package indexing

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/site"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// write makes the collection, or the whole site with Job.Site.
func (r *run) write(ctx context.Context, c *corpus.Corpus) (*Report, error) {
	if r.Site {
		return r.writeSite(ctx, c)
	}
	inside := filepath.Join(r.Output, site.CollectionDir)
	if _, err := os.Stat(filepath.Join(inside, manifest.FileName)); err == nil {
		return nil, fault.Errorf(fault.Query, "%s is a site: give --site to renew it, or write to %s", r.Output, inside)
	}
	done, err := vantage.Index(ctx, open.Documents(c.Documents()), r.Output, r.options)
	if err != nil {
		return nil, err
	}
	return &Report{Collection: r.Output, Report: done}, nil
}

// writeSite writes a collection and its pages. If there was a collection before, the pages
// are written first, otherwise last: package site says why. If a new site fails after its
// collection is written, the collection is removed, unless its folder was there before, or a
// transformer or a pack made its vectors: they may be the work of hours. If an update fails
// then, the new collection stays.
func (r *run) writeSite(ctx context.Context, c *corpus.Corpus) (_ *Report, err error) {
	page, err := r.page(ctx)
	if err != nil {
		return nil, err
	}
	s, err := site.Open(ctx, r.Output, page, r.judged, r.Force)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close(err != nil)) }()
	if s.Updates {
		if err := s.Place(); err != nil {
			return nil, err
		}
	}
	done, err := vantage.Index(ctx, open.Documents(r.judged.Watch(c.Documents())), s.Collection(), r.options)
	if err != nil {
		return nil, err
	}
	defer func() {
		switch {
		case err == nil:
		case s.Updates:
			r.kept, r.next = s.Collection(), "chooses its default ranking"
		case r.options.Journal != "" || !s.Fresh:
			r.kept, r.next = s.Collection(), "adds the pages"
		default:
			err = errors.Join(err, s.RemoveCollection())
		}
	}()
	choice, err := r.choose(ctx, s.Collection(), done.Tokens)
	if err != nil {
		return nil, err
	}
	if !s.Updates {
		if err := s.Place(); err != nil {
			return nil, err
		}
	}
	report := &Report{Collection: s.Collection(), Site: r.Output, Choice: choice, Report: done}
	if r.judged != nil {
		report.JudgedQueries = len(r.judged.Queries)
	}
	return report, nil
}
