// Package corpus reads documents for vantage.Index from files: JSON lines, CSV, feeds, and
// folders of Markdown or HTML pages. It is a package of its own because it links parsers of
// Markdown, HTML, YAML and TOML, which a program with documents from elsewhere does not
// need.
package corpus

import (
	"iter"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Read reads a corpus of texts for vantage.Index: a file of JSON lines ("_id" or "id",
// "title", "text", "metadata", as in BEIR), a CSV file with a header of these names, both
// optionally compressed by gzip (.gz), a sitemap beside its pages, an RSS or Atom file, or
// a folder of Markdown or HTML pages. Drafts and pages that ask not to be listed are left
// out. It streams: each range over the result reads the corpus anew.
//
// All errors, those that are yielded included, are of kind vantage.ErrInput. They name the
// file and, if one line is at fault, the line.
func Read(path string) (iter.Seq2[vantage.Document, error], error) {
	c, err := corpus.Open(path, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return func(yield func(vantage.Document, error) bool) {
		for d, err := range c.Documents() {
			if !yield(vantage.Document(d), err) {
				return
			}
		}
	}, nil
}
