package host

import (
	"encoding/binary"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// words is an index of words in the core's memory.
type words struct {
	in     *instance
	handle uint64
}

func (c core) OpenWords(lengths []byte) (search.Words, error) {
	b := batch{in: c.in}
	defer b.release()
	pointer := b.put(lengths)
	if b.err != nil {
		return nil, b.err
	}
	handle, err := c.in.call("words_open", uint64(pointer), uint64(len(lengths)))
	if err != nil {
		return nil, err
	}
	return words{c.in, uint64(handle)}, nil
}

// Documents is 0 if the core is lost.
func (w words) Documents() int {
	n, err := w.in.call("words_documents", w.handle)
	if err != nil {
		return 0
	}
	return int(n)
}

func (w words) Terms(text string) ([]string, error) {
	b := batch{in: w.in}
	defer b.release()
	pointer, ref := b.put([]byte(text)), b.room(binary.Size(abi.TextRef{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := w.in.call("words_terms", uint64(pointer), uint64(len(text)), uint64(ref))
	if err != nil || n == 0 {
		return nil, err
	}
	joined, err := w.in.text(ref)
	return strings.Split(joined, "\n"), err
}

func (w words) Load(file []byte) error {
	pointer, err := w.in.put(file)
	if err != nil {
		return err
	}
	if _, err := w.in.call("words_load", w.handle, uint64(pointer), uint64(len(file))); err != nil {
		w.in.release(pointer)
		return err
	}
	return nil
}

func (w words) Search(text string, k int, keep []byte) ([]lexical.Hit, error) {
	b := batch{in: w.in}
	defer b.release()
	capacity := min(max(k, 0), w.Documents())
	kept, length := b.mask(keep)
	pointer, hits := b.put([]byte(text)), b.room(capacity*binary.Size(abi.WordHit{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := w.in.call("words_search", w.handle, uint64(pointer), uint64(len(text)), uint64(wanted(k)), uint64(kept), uint64(length), uint64(hits), uint64(capacity))
	if err != nil {
		return nil, err
	}
	return w.in.wordHits(hits, n)
}

func (c core) Fuse(fusion string, weight float64, vectors, words []lexical.Hit) ([]lexical.Hit, error) {
	b := batch{in: c.in}
	defer b.release()
	capacity := len(vectors) + len(words)
	name, first, second := b.put([]byte(fusion)), b.wordHits(vectors), b.wordHits(words)
	hits := b.room(capacity * binary.Size(abi.WordHit{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := c.in.call("words_fuse", uint64(name), uint64(len(fusion)), api.EncodeF64(weight),
		uint64(first), uint64(len(vectors)), uint64(second), uint64(len(words)), uint64(hits), uint64(capacity))
	if err != nil {
		return nil, err
	}
	return c.in.wordHits(hits, n)
}

func (b *batch) wordHits(hits []lexical.Hit) uint32 {
	raw := make([]abi.WordHit, len(hits))
	for i, h := range hits {
		raw[i] = abi.WordHit{Document: h.Document, Score: h.Score}
	}
	return b.encode(raw)
}

func (in *instance) wordHits(pointer uint32, n int32) ([]lexical.Hit, error) {
	raw := make([]abi.WordHit, n)
	if err := in.decode(pointer, raw); err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, n)
	for i, h := range raw {
		hits[i] = lexical.Hit{Document: h.Document, Score: h.Score}
	}
	return hits, nil
}
