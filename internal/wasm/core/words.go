//go:build wasm

package main

import (
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

var wordIndexes = newHandles[*lexical.Index]("index of words")

// terms keeps the text of the last words_terms alive.
var terms []byte

//go:wasmexport words_open
func wordsOpen(lengths, lengthsLength uint32) int32 {
	return call(func() (int, error) {
		if lengths == 0 {
			x, err := lexical.New(lexical.DefaultParameters)
			if err != nil {
				return 0, err
			}
			return wordIndexes.add(x), nil
		}
		b, err := bytes(lengths, lengthsLength)
		if err != nil {
			return 0, err
		}
		x, err := lexical.Open(lexical.DefaultParameters, b)
		if err != nil {
			return 0, err
		}
		return wordIndexes.add(x), nil
	})
}

//go:wasmexport words_close
func wordsClose(handle uint32) int32 { return wordIndexes.close(handle) }

//go:wasmexport words_documents
func wordsDocuments(handle uint32) int32 {
	return withWords(handle, func(x *lexical.Index) (int, error) { return x.Documents(), nil })
}

//go:wasmexport words_terms
func wordsTerms(text, textLength, ref uint32) int32 {
	return call(func() (int, error) {
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.TextRef](ref, 1)
		if err != nil {
			return 0, err
		}
		found := lexical.Terms(string(t))
		terms = []byte(strings.Join(found, "\n"))
		out[0] = abi.TextRef{Pointer: address(terms), Length: uint32(len(terms))}
		return len(found), nil
	})
}

//go:wasmexport words_load
func wordsLoad(handle, file, fileLength uint32) int32 {
	return withWords(handle, func(x *lexical.Index) (int, error) {
		b, err := owned(file, fileLength)
		if err != nil {
			return 0, err
		}
		if err := x.Load(b); err != nil {
			return 0, err
		}
		delete(buffers, file) // the postings alias the buffer from here on
		return 0, nil
	})
}

//go:wasmexport words_add
func wordsAdd(handle, text, textLength uint32) int32 {
	return withWords(handle, func(x *lexical.Index) (int, error) {
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		document, err := x.Add(string(t))
		return int(document), err
	})
}

//go:wasmexport words_remove
func wordsRemove(handle, document uint32) int32 {
	return withWords(handle, func(x *lexical.Index) (int, error) {
		if x.Remove(document) {
			return 1, nil
		}
		return 0, nil
	})
}

//go:wasmexport words_search
func wordsSearch(handle, text, textLength, k, keep, keepLength, hits, capacity uint32) int32 {
	return withWords(handle, func(x *lexical.Index) (int, error) {
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		kept, err := mask(keep, keepLength)
		if err != nil {
			return 0, err
		}
		q := lexical.Query{Text: string(t), K: int(k)}
		if kept != nil {
			q.Keep = func(document uint32) bool { return uint64(document) < uint64(len(kept)) && kept[document] != 0 }
		}
		found, err := x.Search(q)
		if err != nil {
			return 0, queryError(err)
		}
		return writeWordHits(found, hits, capacity)
	})
}

//go:wasmexport words_fuse
func wordsFuse(fusion, fusionLength uint32, weight float64, vectors, vectorCount, words, wordCount, hits, capacity uint32) int32 {
	return call(func() (int, error) {
		name, err := bytes(fusion, fusionLength)
		if err != nil {
			return 0, err
		}
		a, err := readWordHits(vectors, vectorCount)
		if err != nil {
			return 0, err
		}
		b, err := readWordHits(words, wordCount)
		if err != nil {
			return 0, err
		}
		fused, err := lexical.Fuse(string(name), weight, a, b)
		if err != nil {
			return 0, queryError(err)
		}
		return writeWordHits(fused, hits, capacity)
	})
}

// withWords is call with an index of words.
func withWords(handle uint32, body func(x *lexical.Index) (int, error)) int32 {
	return call(func() (int, error) {
		x, err := wordIndexes.get(handle)
		if err != nil {
			return 0, err
		}
		return body(x)
	})
}

func readWordHits(pointer, count uint32) ([]lexical.Hit, error) {
	raw, err := view[abi.WordHit](pointer, count)
	if err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, len(raw))
	for i, h := range raw {
		hits[i] = lexical.Hit{Document: h.Document, Score: h.Score}
	}
	return hits, nil
}

func writeWordHits(found []lexical.Hit, hits, capacity uint32) (int, error) {
	out, err := view[abi.WordHit](hits, capacity)
	if err != nil {
		return 0, err
	}
	if len(found) > len(out) {
		return 0, fault.New(fault.Limit, strconv.Itoa(len(found))+" hits, room for "+strconv.Itoa(len(out)))
	}
	for i, h := range found {
		out[i] = abi.WordHit{Score: h.Score, Document: h.Document}
	}
	return len(found), nil
}
