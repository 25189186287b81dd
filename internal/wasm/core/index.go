//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

var indexes = newHandles[*index.Index]("index")

//go:wasmexport index_open
func indexOpen(dim, rowType, rows uint32) int32 {
	return call(func() (int, error) {
		var dtype shard.DType
		switch rowType {
		case abi.RowsF32:
			dtype = shard.F32
		case abi.RowsI8:
			dtype = shard.I8
		default:
			return 0, fault.New(fault.Unsupported, "index_open: row type "+strconv.Itoa(int(rowType))+" is none of ROWS_F32, ROWS_I8")
		}
		ix, err := index.New(int(dim), dtype, int(rows))
		if err != nil {
			return 0, err
		}
		return indexes.add(ix), nil
	})
}

//go:wasmexport index_close
func indexClose(handle uint32) int32 { return indexes.close(handle) }

// withIndex is call with an index.
func withIndex(handle uint32, body func(ix *index.Index) (int, error)) int32 {
	return call(func() (int, error) {
		ix, err := indexes.get(handle)
		if err != nil {
			return 0, err
		}
		return body(ix)
	})
}

// withRequest is withIndex with a search request.
func withRequest(handle, request uint32, body func(ix *index.Index, r *ranking.Request) (int, error)) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		r, err := readRequest(ix, request)
		if err != nil {
			return 0, err
		}
		return body(ix, r)
	})
}

//go:wasmexport index_rows
func indexRows(handle uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) { return ix.Len(), nil })
}

//go:wasmexport index_load
func indexLoad(handle, firstRow, file, fileLength uint32) int32 {
	return loadRows(handle, file, fileLength, func(ix *index.Index, rows *shard.Rows) error { return ix.Load(int(firstRow), rows) })
}

// loadRows adds a vector file, whose buffer it takes over.
func loadRows(handle, file, fileLength uint32, load func(ix *index.Index, rows *shard.Rows) error) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		b, err := owned(file, fileLength)
		if err != nil {
			return 0, err
		}
		rows, err := shard.DecodeRows(b)
		if err != nil {
			return 0, err
		}
		if err := load(ix, rows); err != nil {
			return 0, err
		}
		delete(buffers, file) // the rows alias the buffer from here on
		return rows.N, nil
	})
}

//go:wasmexport index_add
func indexAdd(handle, vector uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		v, err := view[float32](vector, uint32(ix.Dim()))
		if err != nil {
			return 0, err
		}
		return ix.Add(v)
	})
}

//go:wasmexport index_load_angles
func indexLoadAngles(handle, firstRow, file, fileLength uint32) int32 {
	return loadRows(handle, file, fileLength, func(ix *index.Index, rows *shard.Rows) error { return ix.LoadAngles(int(firstRow), rows) })
}

//go:wasmexport index_add_angle
func indexAddAngle(handle, row, angle, angleDim uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		v, err := view[float32](angle, angleDim)
		if err != nil {
			return 0, err
		}
		return 0, ix.AddAngle(int(row), v)
	})
}

//go:wasmexport index_remove
func indexRemove(handle, row uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		if ix.Remove(int(row)) {
			return 1, nil
		}
		return 0, nil
	})
}

//go:wasmexport index_numbers
func indexNumbers(handle, column, firstRow, values, count uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		v, err := view[float64](values, count)
		if err != nil {
			return 0, err
		}
		return 0, ix.SetNumbers(column, int(firstRow), v)
	})
}

//go:wasmexport index_codes
func indexCodes(handle, column, firstRow, codes, count uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		c, err := view[uint32](codes, count)
		if err != nil {
			return 0, err
		}
		return 0, ix.SetCodes(column, int(firstRow), c)
	})
}

//go:wasmexport index_search
func indexSearch(handle, request, hits, capacity uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[abi.Hit](hits, capacity)
		if err != nil {
			return 0, err
		}
		found, err := ranking.Search(ix, r)
		if err != nil {
			return 0, queryError(err)
		}
		if len(found) > len(out) {
			return 0, errRoom("index_search", len(found), len(out))
		}
		for i, h := range found {
			out[i] = writeHit(h)
		}
		return len(found), nil
	})
}

//go:wasmexport index_scores
func indexScores(handle, request, scores, count uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[float32](scores, count)
		if err != nil {
			return 0, err
		}
		return 0, queryError(ranking.Scores(ix, r, out))
	})
}

// writeHit writes a hit in the ABI's layout.
func writeHit(h ranking.Hit) abi.Hit {
	return abi.Hit{
		Row: uint32(h.Row), Document: h.Document, Score: h.Score,
		X: h.X, Y: h.Y, Norm: h.Norm, Numerator: h.Numerator, Denominator: h.Denominator,
		Cosine: h.Cosine, CosineRank: uint32(h.CosineRank), Topic: h.Topic, Side: h.Side,
	}
}

//go:wasmexport index_explain
func indexExplain(handle, request, hits, count uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		out, err := view[abi.Hit](hits, count)
		if err != nil {
			return 0, err
		}
		wanted := make([]ranking.Hit, len(out))
		for i, h := range out {
			wanted[i].Hit = index.Hit{Row: int(h.Row), Document: h.Document, Score: h.Score}
		}
		if err := ranking.Explain(ix, r, wanted); err != nil {
			return 0, queryError(err)
		}
		for i, h := range wanted {
			out[i] = writeHit(h) // the row -1 becomes MissingRow
		}
		return len(out), nil
	})
}

//go:wasmexport index_mask
func indexMask(handle, filters, filterCount, rows, capacity uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		if capacity == 0 {
			return ix.Extent(), nil
		}
		raw, err := view[abi.Filter](filters, filterCount)
		if err != nil {
			return 0, err
		}
		if len(raw) == 0 {
			return 0, fault.New(fault.Input, "index_mask: no filters: leave the mask out")
		}
		out, err := bytes(rows, capacity)
		if err != nil {
			return 0, err
		}
		conditions := make([]index.Filter, len(raw))
		for i, f := range raw {
			if conditions[i], err = readFilter(f); err != nil {
				return 0, err
			}
		}
		m, err := ix.Mask(conditions)
		if err != nil {
			return 0, queryError(err)
		}
		return fill("index_mask", out, m)
	})
}

//go:wasmexport index_documents
func indexDocuments(handle, rows, rowsLength, documents, capacity uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		m, err := mask(rows, rowsLength)
		if err != nil {
			return 0, err
		}
		out, err := bytes(documents, capacity)
		if err != nil {
			return 0, err
		}
		return fill("index_documents", out, ix.Documents(m))
	})
}

// fill copies bytes to a host.
func fill(call string, out, from []byte) (int, error) {
	if len(from) > len(out) {
		return 0, errRoom(call, len(from), len(out))
	}
	return copy(out, from), nil
}
