package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/sides"
)

// task is a corpus, and the queries to ask.
type task struct {
	name      string
	documents []vantage.Document
	asked     []list
	judged    list // all queries that ask for a side of a root; empty if there are none
}

// list is a list of queries. If they are judged, relevant has the ids of the documents that are
// relevant to each.
type list struct {
	name     string
	queries  []string
	relevant []map[string]bool
}

// rate is how many queries of a list got the answer that nothing is close. answered are those of
// them that have a relevant document among their hits.
type rate struct {
	of                     string
	empty, answered, asked int
}

func (r rate) share() float64 { return float64(r.empty) / float64(r.asked) }

// figures are the rates of a task, in the order of its lists.
type figures struct {
	level float64
	rates []rate
	sides told // if the encoder tells sides
}

// open indexes the corpus with an encoder, sides or light, and opens the collection. done closes
// and removes it.
func (t *task) open(ctx context.Context, name string) (c *vantage.Collection, level float64, done func(), err error) {
	dir, err := os.MkdirTemp("", "close")
	if err != nil {
		return nil, 0, nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	encoder := sides.Encoder()
	if name == "light" {
		encoder = english.Encoder()
	}
	documents := func(yield func(vantage.Document, error) bool) {
		for _, d := range t.documents {
			if !yield(d, nil) {
				return
			}
		}
	}
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: encoder, Words: true}); err != nil {
		return nil, 0, nil, err
	}
	content, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		return nil, 0, nil, err
	}
	m, err := manifest.Parse(content)
	if err != nil {
		return nil, 0, nil, err
	}
	if c, err = vantage.Open(ctx, dir, nil); err != nil {
		return nil, 0, nil, err
	}
	return c, m.Close, func() {
		c.Close()
		os.RemoveAll(dir)
	}, nil
}

// measure indexes the corpus with an encoder, and asks all queries.
func (t *task) measure(ctx context.Context, name string) (figures, error) {
	c, level, done, err := t.open(ctx, name)
	if err != nil {
		return figures{}, err
	}
	defer done()
	f, err := t.ask(ctx, c, level)
	if err == nil && name == "sides" {
		f.sides, err = t.judged.tellSides(ctx, c, len(t.documents))
	}
	return f, err
}

// ask asks a collection of the corpus all queries. Like a page, it names no method.
func (t *task) ask(ctx context.Context, c *vantage.Collection, level float64) (figures, error) {
	f := figures{level: level}
	for _, l := range t.asked {
		r := rate{of: l.name, asked: len(l.queries)}
		for i, q := range l.queries {
			result, err := c.Search(ctx, vantage.Query{Query: vantage.Text{Text: q}})
			switch {
			case err != nil:
				return f, fmt.Errorf("%q: %w", q, err)
			case result.Close == nil:
				return f, fmt.Errorf("%q: the result does not say whether anything is close", q)
			case !*result.Close:
				r.empty++
				if l.relevant != nil && slices.ContainsFunc(result.Hits, func(h vantage.Hit) bool { return l.relevant[i][h.ID] }) {
					r.answered++
				}
			}
		}
		f.rates = append(f.rates, r)
	}
	return f, nil
}
