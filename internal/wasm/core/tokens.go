//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

var tokenIndexes = newHandles[*tokens.Index]("index of tokens")

// summed keeps the vectors of the last tokens_sum alive.
var summed []float32

//go:wasmexport tokens_open
func tokensOpen(codebook, codebookLength, dim, bits, documents uint32) int32 {
	return call(func() (int, error) {
		b, err := bytes(codebook, codebookLength)
		if err != nil {
			return 0, err
		}
		book, err := tokens.DecodeCodebook(b, int(bits))
		if err != nil {
			return 0, err
		}
		if book.Dim() != int(dim) {
			return 0, fault.New(fault.Input, "centroids of "+strconv.Itoa(book.Dim())+" dimensions, the collection's vectors have "+strconv.Itoa(int(dim))+": index the corpus again")
		}
		ix, err := tokens.New(book, int(documents))
		if err != nil {
			return 0, err
		}
		return tokenIndexes.add(ix), nil
	})
}

//go:wasmexport tokens_close
func tokensClose(handle uint32) int32 { return tokenIndexes.close(handle) }

// withTokens is call with an index of tokens.
func withTokens(handle uint32, body func(ix *tokens.Index) (int, error)) int32 {
	return call(func() (int, error) {
		ix, err := tokenIndexes.get(handle)
		if err != nil {
			return 0, err
		}
		return body(ix)
	})
}

//go:wasmexport tokens_load
func tokensLoad(handle, first, file, fileLength uint32) int32 {
	return withTokens(handle, func(ix *tokens.Index) (int, error) {
		b, err := owned(file, fileLength)
		if err != nil {
			return 0, err
		}
		before := ix.Len()
		if err := ix.Load(int(first), b); err != nil {
			return 0, err
		}
		delete(buffers, file) // the vectors alias the buffer from here on
		return ix.Len() - before, nil
	})
}

//go:wasmexport tokens_sum
func tokensSum(sum uint32) int32 {
	return call(func() (int, error) {
		raw, err := view[abi.TokenSum](sum, 1)
		if err != nil {
			return 0, err
		}
		s := &raw[0]
		method, err := bytes(s.Method, s.MethodLength)
		if err != nil {
			return 0, err
		}
		query, err := optional[float32](s.Query, s.QueryLength)
		if err != nil {
			return 0, err
		}
		root, err := optional[float32](s.Root, s.RootLength)
		if err != nil {
			return 0, err
		}
		lengths, err := view[uint32](s.PerspectiveLengths, s.PerspectiveCount)
		if err != nil {
			return 0, err
		}
		perspectives := make([][]float32, len(lengths))
		at := s.Perspectives
		for i, n := range lengths {
			if perspectives[i], err = view[float32](at, n); err != nil {
				return 0, err
			}
			at += 4 * n
		}
		q, err := perspective.SumTokens(string(method), int(max(s.Dim, 1)), query, root, perspectives)
		if err != nil {
			return 0, queryError(err)
		}
		summed = q.Vectors
		s.Vectors, s.Gate = pointer(summed), uint32(len(q.Gate))
		return len(summed), nil
	})
}

//go:wasmexport tokens_search
func tokensSearch(handle, request, hits, capacity uint32) int32 {
	return withTokens(handle, func(ix *tokens.Index) (int, error) {
		raw, err := view[abi.TokenRequest](request, 1)
		if err != nil {
			return 0, err
		}
		r := raw[0]
		q := tokens.Request{K: int(r.K), Probes: int(r.Probes), Candidates: int(r.Candidates)}
		if q.Vectors, err = view[float32](r.Vectors, r.Length); err != nil {
			return 0, err
		}
		if r.Gate > 0 {
			if q.Gate, err = view[float32](r.Vectors, r.Gate); err != nil {
				return 0, err
			}
		}
		if q.Allowed, err = mask(r.Allowed, r.AllowedLength); err != nil {
			return 0, err
		}
		found, err := ix.Search(&q)
		if err != nil {
			return 0, queryError(err)
		}
		out, err := view[abi.WordHit](hits, capacity)
		if err != nil {
			return 0, err
		}
		if len(found) > len(out) {
			return 0, errRoom("tokens_search", len(found), len(out))
		}
		for i, h := range found {
			out[i] = abi.WordHit{Document: h.Document, Score: float64(h.Score)}
		}
		return len(found), nil
	})
}

//go:wasmexport tokens_score
func tokensScore(handle, vectors, length, hits, count uint32) int32 {
	return withTokens(handle, func(ix *tokens.Index) (int, error) {
		v, err := view[float32](vectors, length)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.WordHit](hits, count)
		if err != nil {
			return 0, err
		}
		q, err := ix.Query(v)
		if err != nil {
			return 0, queryError(err)
		}
		found := make([]tokens.Hit, len(out))
		for i, h := range out {
			found[i].Document = h.Document
		}
		if err := ix.Score(q, found); err != nil {
			return 0, queryError(err)
		}
		for i, h := range found {
			out[i].Score = float64(h.Score)
		}
		return 0, nil
	})
}
