// Package corpus reads the documents that vantage.Index takes from files: JSON lines,
// CSV, and folders of Markdown or HTML pages. It is a package of its own because of the
// parsers that it links, of Markdown, HTML, YAML and TOML; a program whose documents come
// from elsewhere has no need of it.
package corpus

import (
	"iter"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Read reads a corpus of texts for vantage.Index: a file of JSON lines ("_id" or "id",
// "title", "text", "metadata", as in BEIR), a CSV file with a header of these names,
// either also compressed by gzip (.gz), or a folder of Markdown or HTML pages. It
// streams: the corpus is read while it is ranged over, and again each time.
//
// Errors, also those that are yielded, are of kind vantage.ErrInput and name the file
// and the line.
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
