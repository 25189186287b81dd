package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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
}

// list is a list of queries.
type list struct {
	name    string
	queries []string
}

// rate is how many queries of a list got the answer that nothing is close.
type rate struct {
	of           string
	empty, asked int
}

func (r rate) share() float64 { return float64(r.empty) / float64(r.asked) }

// figures are the rates of a task, in the order of its lists.
type figures struct {
	level float64
	rates []rate
}

// measure indexes the corpus with an encoder, sides or light, and asks all queries. Like a
// page, it names no method.
func (t *task) measure(ctx context.Context, name string) (f figures, err error) {
	dir, err := os.MkdirTemp("", "close")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
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
		return f, err
	}
	content, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		return f, err
	}
	m, err := manifest.Parse(content)
	if err != nil {
		return f, err
	}
	f.level = m.Close
	c, err := vantage.Open(ctx, dir, nil)
	if err != nil {
		return f, err
	}
	defer c.Close()
	for _, l := range t.asked {
		r := rate{of: l.name, asked: len(l.queries)}
		for _, q := range l.queries {
			result, err := c.Search(ctx, vantage.Query{Query: vantage.Text{Text: q}})
			switch {
			case err != nil:
				return f, fmt.Errorf("%q: %w", q, err)
			case result.Close == nil:
				return f, fmt.Errorf("%q: the result does not say whether anything is close", q)
			case !*result.Close:
				r.empty++
			}
		}
		f.rates = append(f.rates, r)
	}
	return f, nil
}
