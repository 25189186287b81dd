//go:build wasm

package main

import (
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
)

// This file has the exports for a collection whose rows are divided among several
// cores.

//go:wasmexport index_add_at
func indexAddAt(handle, row, vector uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		v, err := view[float32](vector, uint32(ix.Dim()))
		if err != nil {
			return 0, err
		}
		return 0, ix.AddAt(int(row), v)
	})
}

//go:wasmexport index_gate
func indexGate(handle, request, scores, capacity uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[float32](scores, capacity)
		if err != nil {
			return 0, err
		}
		gate, err := ranking.GateScores(ix, r)
		if err != nil {
			return 0, queryError(err)
		}
		if len(gate) > len(out) {
			return 0, errRoom("index_gate", len(gate), len(out))
		}
		return copy(out, gate), nil
	})
}

//go:wasmexport index_cut
func indexCut(handle, request, scores, count, cut uint32) int32 {
	return withRequest(handle, request, func(_ *index.Index, r *ranking.Request) (int, error) {
		values, err := view[float32](scores, count)
		if err != nil {
			return 0, err
		}
		out, err := view[float64](cut, 1)
		if err != nil {
			return 0, err
		}
		out[0], err = ranking.Cut(r, values)
		return 0, queryError(err)
	})
}

//go:wasmexport index_ahead
func indexAhead(handle, request, hits, count uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[abi.Hit](hits, count)
		if err != nil {
			return 0, err
		}
		wanted := make([]ranking.Hit, len(out))
		for i, h := range out {
			wanted[i].Row, wanted[i].Cosine = int(h.Row), h.Cosine
		}
		ahead, err := ranking.Ahead(ix, r, wanted)
		if err != nil {
			return 0, queryError(err)
		}
		for i, n := range ahead {
			out[i].CosineRank = uint32(n)
		}
		return len(out), nil
	})
}

//go:wasmexport index_records
func indexRecords(handle, rows, count, records, capacity uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		size := ix.RecordSize()
		if count == 0 {
			return size, nil
		}
		numbers, err := view[uint32](rows, count)
		if err != nil {
			return 0, err
		}
		out, err := bytes(records, capacity)
		if err != nil {
			return 0, err
		}
		if len(numbers) > len(out)/size {
			return 0, errRoom("index_records", len(numbers), len(out)/size)
		}
		out = out[:0]
		for _, row := range numbers {
			if out, err = ix.AppendRecord(out, int(row)); err != nil {
				return 0, err
			}
		}
		return size, nil
	})
}

//go:wasmexport index_diversify
func indexDiversify(handle, request, hits, count, records, recordsLength uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[abi.Hit](hits, count)
		if err != nil {
			return 0, err
		}
		b, err := bytes(records, recordsLength)
		if err != nil {
			return 0, err
		}
		scores := make([]float32, len(out))
		for i, h := range out {
			scores[i] = h.Score
		}
		chosen, err := ranking.Diversify(ix, r, scores, b)
		if err != nil {
			return 0, queryError(err)
		}
		from := slices.Clone(out)
		for i, at := range chosen {
			out[i] = from[at]
		}
		return len(chosen), nil
	})
}

func errRoom(call string, need, room int) error {
	return fault.New(fault.Limit, call+": "+strconv.Itoa(need)+" of them, room for "+strconv.Itoa(room))
}
