package store

import (
	"bytes"
	"container/list"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/vantage-search/vantage/wasm/manifest"
)

// Documents returns the documents of the given indexes, in the order asked. It reads the blocks that hold them, each
// once, and keeps the most recently used ones. The documents' metadata must not be modified.
func (s *Store) Documents(ctx context.Context, indexes []int) ([]Document, error) {
	out := make([]Document, len(indexes))
	wanted := map[int][]int{} // block -> positions in indexes
	var order []int
	for i, index := range indexes {
		if index < 0 || index >= s.manifest.Documents {
			return nil, fmt.Errorf("document %d: the collection has documents 0 to %d", index, s.manifest.Documents-1)
		}
		b := s.blockOf(index)
		if _, ok := wanted[b]; !ok {
			order = append(order, b)
		}
		wanted[b] = append(wanted[b], i)
	}
	for _, b := range order {
		docs, ok := s.blocks.get(b)
		if !ok {
			var err error
			if docs, err = s.readBlock(ctx, s.manifest.Docs[b]); err != nil {
				return nil, err
			}
			s.blocks.put(b, docs, s.manifest.Docs[b].Bytes)
		}
		for _, i := range wanted[b] {
			out[i] = docs[indexes[i]-s.manifest.Docs[b].First]
		}
	}
	return out, nil
}

// AllDocuments yields every document in order, one block in memory at a time. It ends after an error.
func (s *Store) AllDocuments(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, f := range s.manifest.Docs {
			docs, err := s.readBlock(ctx, f)
			if err != nil {
				yield(Document{}, err)
				return
			}
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// readBlock reads, verifies and decodes one file of JSON lines.
func (s *Store) readBlock(ctx context.Context, f manifest.DocFile) ([]Document, error) {
	content, err := s.Read(ctx, f.File)
	if err != nil {
		return nil, err
	}
	var docs []Document
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	for len(docs) <= f.Count {
		var doc Document
		err := d.Decode(&doc)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, &CorruptError{File: f.Path, What: fmt.Sprintf("document %d", f.First+len(docs)), Expected: "a JSON object", Got: err.Error(), Remedy: remedyUpload, Err: err}
		}
		docs = append(docs, doc)
	}
	if len(docs) != f.Count {
		return nil, &CorruptError{File: f.Path, What: "documents", Expected: fmt.Sprint(f.Count), Got: atMost(len(docs), f.Count), Remedy: remedyUpload}
	}
	return docs, nil
}

func atMost(got, limit int) string {
	if got > limit {
		return "more"
	}
	return fmt.Sprint(got)
}

// cacheBytes bounds the cache of document blocks, in bytes of their JSON.
const cacheBytes = 32 << 20

// blockCache keeps the least recently used blocks out. The zero value with a limit is ready.
type blockCache struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	order list.List // of *block, most recently used first
	at    map[int]*list.Element
}

type block struct {
	number int
	docs   []Document
	bytes  int64
}

func (c *blockCache) get(number int) ([]Document, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[number]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*block).docs, true
}

func (c *blockCache) put(number int, docs []Document, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.at[number]; ok || bytes > c.limit {
		return
	}
	if c.at == nil {
		c.at = map[int]*list.Element{}
	}
	c.at[number] = c.order.PushFront(&block{number, docs, bytes})
	for c.bytes += bytes; c.bytes > c.limit; {
		last := c.order.Back()
		b := c.order.Remove(last).(*block)
		delete(c.at, b.number)
		c.bytes -= b.bytes
	}
}
