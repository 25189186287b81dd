package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

// Verify reads every file of a collection and decodes most. It returns one fault for each
// bad file. If there is none, it opens the collection, and returns the fault of that.
// progress may be nil; it receives the number of files done. The error says why the check
// itself could not continue.
func Verify(ctx context.Context, st *store.Store, progress func(done, total int64)) (faults []error, err error) {
	m := st.Manifest()
	total := int64(len(m.Files()))
	var done int64
	check := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
		done++
		if progress != nil {
			progress(done, total)
		}
	}
	if e := m.Encoder; e != nil {
		for _, f := range e.All() {
			_, err := st.Read(ctx, f)
			check(err)
		}
	}
	for _, f := range m.Vectors {
		check(verifyRows(ctx, st, f, m.Dim))
	}
	if m.Angles != nil {
		for _, f := range m.Angles.Files {
			check(verifyRows(ctx, st, f, m.Angles.Dim))
		}
	}
	verifyTokens(ctx, st, check)
	ids := map[string]int{}
	for _, f := range m.Docs {
		check(verifyDocuments(ctx, st, f, ids))
	}
	if m.Columns != nil {
		_, err := st.Read(ctx, m.Columns.File)
		check(err)
	}
	verifyTerms(ctx, st, check)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(faults) > 0 {
		return faults, nil
	}
	// Finally, check the collection as a whole: the encoder must reproduce the
	// canaries, and columns must match rows.
	c, err := Open(ctx, st, Options{})
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return []error{err}, nil
	}
	if err := errors.Join(c.checkEncoder(ctx), c.Close()); err != nil {
		return []error{err}, nil
	}
	return nil, nil
}

// checkEncoder returns the error of an encoder that cannot be used. Open tolerates it if words
// can answer, and a lost reader of queries. If the collection has angles, checkEncoder also encodes one.
func (c *Collection) checkEncoder(ctx context.Context) error {
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return err
	}
	defer c.pool.release(in)
	if in.broken != nil {
		return in.broken
	}
	if err := in.lostReader(); err != nil || c.store.Manifest().Angles == nil {
		return err
	}
	_, err = in.angles(ctx, []string{"a"}, encoder.Query)
	return err
}

// verifyTerms loads the whole inverted index, if there is one. It calls check for every
// file.
func verifyTerms(ctx context.Context, st *store.Store, check func(error)) {
	terms := st.Manifest().Terms
	if terms == nil {
		return
	}
	content, err := st.Read(ctx, terms.Lengths)
	var x *lexical.Index
	if err == nil {
		if x, err = lexical.Open(lexical.DefaultParameters, content); err != nil {
			err = &FileError{terms.Lengths.Path, err}
		} else if x.Documents() != st.Manifest().Documents {
			err = &FileError{terms.Lengths.Path, fmt.Errorf("%d documents, the manifest says %d: index the corpus again", x.Documents(), st.Manifest().Documents)}
		}
	}
	check(err)
	for _, f := range terms.Files {
		content, err := st.Read(ctx, f.File)
		if err == nil && x != nil {
			if err = x.Load(content); err != nil {
				err = &FileError{f.Path, err}
			}
		}
		check(err)
	}
}

// verifyTokens decodes the vectors of tokens, if there are any. It calls check for every
// file.
func verifyTokens(ctx context.Context, st *store.Store, check func(error)) {
	m := st.Manifest()
	t := m.Tokens
	if t == nil {
		return
	}
	var book *tokens.Codebook
	content, err := st.Read(ctx, t.Codebook)
	if err == nil {
		if book, err = tokens.DecodeCodebook(content, t.Bits); err != nil {
			err = &FileError{t.Codebook.Path, err}
		} else if book.Len() != t.Centroids || book.Dim() != m.Dim {
			err = &FileError{t.Codebook.Path, fmt.Errorf("%d centroids of %d dimensions, the manifest says %d of %d: index the corpus again", book.Len(), book.Dim(), t.Centroids, m.Dim)}
			book = nil
		}
	}
	check(err)
	for _, f := range t.Files {
		content, err := st.Read(ctx, f.File)
		if err == nil && book != nil {
			var file *tokens.File
			if file, err = book.DecodeFile(content); err != nil {
				err = &FileError{f.Path, err}
			} else if file.Documents() != f.Count || int64(file.Vectors()) != f.Vectors {
				err = &FileError{f.Path, fmt.Errorf("%d vectors of %d documents, the manifest says %d of %d: index the corpus again", file.Vectors(), file.Documents(), f.Vectors, f.Count)}
			}
		}
		check(err)
	}
}

func verifyRows(ctx context.Context, st *store.Store, f manifest.RowFile, dim int) error {
	content, err := st.Read(ctx, f.File)
	if err != nil {
		return err
	}
	rows, err := shard.DecodeRows(content)
	if err != nil {
		return &FileError{f.Path, err}
	}
	m := st.Manifest()
	if rows.N != f.Rows || rows.Dim != dim || (rows.DType == shard.I8) != (m.DType == string(shard.I8)) {
		return &FileError{f.Path, fmt.Errorf("%d rows of %d %s, the manifest says %d of %d %s: index the corpus again", rows.N, rows.Dim, rows.DType, f.Rows, dim, m.DType)}
	}
	for i, id := range rows.IDs {
		if int64(id) >= int64(m.Documents) {
			return &FileError{f.Path, fmt.Errorf("row %d belongs to document %d, there are %d: index the corpus again", f.FirstRow+i, id, m.Documents)}
		}
	}
	return nil
}

// verifyDocuments decodes a block. ids are the ids of the earlier blocks.
func verifyDocuments(ctx context.Context, st *store.Store, f manifest.DocFile, ids map[string]int) error {
	indexes := make([]int, f.Count)
	for i := range indexes {
		indexes[i] = f.First + i
	}
	documents, err := st.Documents(ctx, indexes)
	if err != nil {
		return err
	}
	for i, d := range documents {
		if earlier, ok := ids[d.ID]; ok || d.ID == "" {
			what := fmt.Sprintf("the id %.80q of document %d", d.ID, earlier)
			if d.ID == "" {
				what = "no id"
			}
			return &FileError{f.Path, fmt.Errorf("document %d has %s: index the corpus again", f.First+i, what)}
		}
		ids[d.ID] = f.First + i
	}
	return nil
}
