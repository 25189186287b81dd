package search

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/wasm/lexical"
	"github.com/vantage-search/vantage/wasm/manifest"
	"github.com/vantage-search/vantage/wasm/store"
)

// ErrNoTerms is returned for a search by words in a collection that has no inverted index.
var ErrNoTerms = errors.New("the collection has no inverted index, which a search by words needs: index the corpus again with --terms")

// words is the inverted index of a collection in one core, as far as queries have needed it.
type words struct {
	mu     sync.RWMutex
	index  Words    // nil before the first query
	firsts []string // the first term of each file
	loaded []bool   // files
}

// search ranks documents by BM25 of the words of a text. It reads the files of the terms that no query had before.
func (w *words) search(ctx context.Context, core Core, st *store.Store, text string, k int, keep []bool) ([]lexical.Hit, error) {
	terms := st.Manifest().Terms
	if terms == nil {
		return nil, ErrNoTerms
	}
	if err := w.load(ctx, core, st, terms, text); err != nil {
		return nil, err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.index.Search(text, k, keep)
}

func (w *words) load(ctx context.Context, core Core, st *store.Store, terms *manifest.Terms, text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.index == nil {
		if err := w.open(ctx, core, st, terms); err != nil {
			return err
		}
	}
	wanted, err := w.index.Terms(text)
	if err != nil {
		return err
	}
	for _, term := range wanted {
		i := lexical.FileOf(w.firsts, term)
		if i < 0 || w.loaded[i] || term > terms.Files[i].Last {
			continue
		}
		f := terms.Files[i].File
		content, err := st.Read(ctx, f)
		if err != nil {
			return err
		}
		if err := w.index.Load(content); err != nil {
			return &FileError{f.Path, err}
		}
		w.loaded[i] = true
	}
	return nil
}

// open reads the lengths of the documents.
func (w *words) open(ctx context.Context, core Core, st *store.Store, terms *manifest.Terms) error {
	content, err := st.Read(ctx, terms.Lengths)
	if err != nil {
		return err
	}
	index, err := core.OpenWords(content)
	if err == nil && index.Documents() != st.Manifest().Documents {
		err = fmt.Errorf("%d documents, the manifest says %d: index the corpus again", index.Documents(), st.Manifest().Documents)
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
