package search

import (
	"context"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// ErrNoTerms is returned for a search by words in a collection that has no inverted index.
var ErrNoTerms = fault.New(fault.Query, "the collection has no inverted index, which a search by words needs: index the corpus again with --terms")

// words is the inverted index of a collection in one core, with the term files that
// queries have needed so far.
type words struct {
	mu     sync.RWMutex // not held while files are read
	index  Words        // nil before the first query
	firsts []string     // the first term of each file
	loaded []bool       // which files are loaded
}

// search ranks documents by BM25 of the words of a text. It first reads the term files
// that no earlier query needed.
func (w *words) search(ctx context.Context, core Core, c *Collection, text string, k int, keep []byte) ([]lexical.Hit, error) {
	terms := c.store.Manifest().Terms
	if terms == nil {
		return nil, ErrNoTerms
	}
	if err := w.open(ctx, core, c, terms); err != nil {
		return nil, err
	}
	missing, err := w.missing(terms, text)
	if err != nil {
		return nil, err
	}
	for _, i := range missing {
		if err := w.load(ctx, c, terms, i); err != nil {
			return nil, err
		}
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.index.Search(text, k, keep)
}

// open reads the lengths of the documents, once.
func (w *words) open(ctx context.Context, core Core, c *Collection, terms *manifest.Terms) error {
	w.mu.RLock()
	opened := w.index != nil
	w.mu.RUnlock()
	if opened {
		return nil
	}
	content, err := c.read(ctx, terms.Lengths)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.index != nil {
		return nil
	}
	index, err := core.OpenWords(content)
	if documents := c.store.Manifest().Documents; err == nil && index.Documents() != documents {
		err = fmt.Errorf("%d documents, the manifest says %d: index the corpus again", index.Documents(), documents)
	}
	if err != nil {
		return &FileError{terms.Lengths.Path, err}
	}
	w.firsts = nil
	for _, f := range terms.Files {
		w.firsts = append(w.firsts, f.First)
	}
	w.index, w.loaded = index, make([]bool, len(terms.Files))
	return nil
}

// missing are the files that a text needs and that are not loaded yet.
func (w *words) missing(terms *manifest.Terms, text string) ([]int, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	wanted, err := w.index.Terms(text)
	if err != nil {
		return nil, err
	}
	var files []int
	for _, term := range wanted {
		if i := lexical.FileOf(w.firsts, term); i >= 0 && !w.loaded[i] && term <= terms.Files[i].Last {
			files = append(files, i)
		}
	}
	return files, nil
}

func (w *words) load(ctx context.Context, c *Collection, terms *manifest.Terms, i int) error {
	w.mu.RLock()
	loaded := w.loaded[i] // by another query in the meantime
	w.mu.RUnlock()
	if loaded {
		return nil
	}
	f := terms.Files[i].File
	content, err := c.read(ctx, f)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loaded[i] {
		return nil
	}
	if err := w.index.Load(content); err != nil {
		return &FileError{f.Path, err}
	}
	w.loaded[i] = true
	return nil
}
