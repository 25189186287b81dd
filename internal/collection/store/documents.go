package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/vantage-search/vantage/internal/collection/manifest"
)

// Documents returns the documents with the given indexes, in the same order. It reads
// each block that holds one of them once, and caches the lines of the most recently used
// blocks. The documents are decoded anew in each call.
func (s *Store) Documents(ctx context.Context, indexes []int) ([]Document, error) {
	out := make([]Document, len(indexes))
	wanted := map[int][]int{} // block → positions in indexes
	var order []int
	for i, index := range indexes {
		if index < 0 || index >= s.manifest.Documents {
			has := "no documents"
			if last := s.manifest.Documents - 1; last >= 0 {
				has = fmt.Sprintf("documents 0 to %d", last)
			}
			return nil, fmt.Errorf("document %d: the collection has %s", index, has)
		}
		b := s.blockOf(index)
		if _, ok := wanted[b]; !ok {
			order = append(order, b)
		}
		wanted[b] = append(wanted[b], i)
	}
	for _, b := range order {
		lines, ok := s.blocks.Get(b)
		f := s.manifest.Docs[b]
		if !ok {
			var err error
			if lines, err = s.readBlock(ctx, f); err != nil {
				return nil, err
			}
			s.blocks.Put(b, lines, f.Bytes+lineBytes*int64(cap(lines)))
		}
		for _, i := range wanted[b] {
			var err error
			if out[i], err = decodeLine(f, lines, indexes[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// AllDocuments yields every document in order, one block in memory at a time. It ends after an error.
func (s *Store) AllDocuments(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, f := range s.manifest.Docs {
			lines, err := s.readBlock(ctx, f)
			if err != nil {
				yield(Document{}, err)
				return
			}
			for i := range lines {
				d, err := decodeLine(f, lines, f.First+i)
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

// readBlock reads and verifies one file of JSON lines. The lines are kept undecoded,
// because a decoded document takes many times as much memory, and few documents of a
// block are needed.
func (s *Store) readBlock(ctx context.Context, f manifest.DocFile) ([][]byte, error) {
	content, err := s.Read(ctx, f.File)
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	for line := range bytes.Lines(content) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(lines) > f.Count {
			break
		}
		lines = append(lines, line)
	}
	if len(lines) != f.Count {
		return nil, &CorruptError{File: f.Path, What: "documents", Expected: fmt.Sprint(f.Count), Got: atMost(len(lines), f.Count), Remedy: remedyUpload}
	}
	return lines, nil
}

// decodeLine decodes a document of a block.
func decodeLine(f manifest.DocFile, lines [][]byte, document int) (Document, error) {
	d, err := decode(lines[document-f.First])
	if err != nil {
		return Document{}, &CorruptError{File: f.Path, What: fmt.Sprintf("document %d", document), Expected: "a JSON object", Got: err.Error(), Remedy: remedyUpload, Err: err}
	}
	return d, nil
}

func atMost(got, limit int) string {
	if got > limit {
		return "more"
	}
	return fmt.Sprint(got)
}

// cacheBytes is the limit of the cache of document blocks, in bytes of their JSON and of the
// list of its lines.
const cacheBytes = 32 << 20

// lineBytes is what a line takes in that list: a slice header of three words.
const lineBytes = 24
