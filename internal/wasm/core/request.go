//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// readRequest turns a SearchRequest into a ranking.Request. Vectors alias the host's
// buffers, which are valid until the call returns.
func readRequest(ix *index.Index, pointer uint32) (*ranking.Request, error) {
	raw, err := view[abi.SearchRequest](pointer, 1)
	if err != nil {
		return nil, err
	}
	r := raw[0]
	method, err := bytes(r.Method, r.MethodLength)
	if err != nil {
		return nil, err
	}
	dim := uint32(ix.Dim())
	out := &ranking.Request{
		Query:         perspective.Query{Method: string(method), Lambda: r.Lambda, Strength: r.Strength},
		K:             int(r.K),
		MMRCandidates: int(r.MMRCandidates),
		Explain:       r.Flags&abi.FlagExplain != 0,
		CosineRank:    r.Flags&abi.FlagCosineRank != 0,
	}
	switch r.Score {
	case abi.ScoreCosine:
	case abi.ScoreDot:
		out.Score = perspective.Dot
	default: // an unknown score, which perspective.Compile refuses
		out.Score = perspective.Score(strconv.Itoa(int(r.Score)))
	}
	cut, err := optional[float64](r.Cut, 1)
	if err != nil {
		return nil, err
	}
	if cut != nil {
		out.Cut = &cut[0]
	}
	if out.Query.Query, err = optional[float32](r.Query, dim); err != nil {
		return nil, err
	}
	if out.Root, err = optional[float32](r.Root, dim); err != nil {
		return nil, err
	}
	if out.Perspectives, err = vectors(r.Perspectives, r.PerspectiveCount, dim); err != nil {
		return nil, err
	}
	if out.Angles, err = vectors(r.Angles, r.AngleCount, r.AngleDim); err != nil {
		return nil, err
	}
	if r.MMR >= 0 {
		out.MMR = &r.MMR
	}
	out.Mask, err = mask(r.Mask, r.MaskLength)
	return out, err
}

// vectors finds count vectors that lie one after the other.
func vectors(pointer, count, dim uint32) ([][]float32, error) {
	if count == 0 || dim == 0 {
		return nil, nil
	}
	if uint64(count)*uint64(dim) > maxBuffer {
		return nil, errAddress(pointer, 4*uint64(count)*uint64(dim))
	}
	all, err := view[float32](pointer, count*dim)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, count)
	for i := range out {
		out[i] = all[uint32(i)*dim:][:dim:dim]
	}
	return out, nil
}

// mask is a byte per row or document. It is nil, which allows all, at address 0.
func mask(pointer, length uint32) ([]byte, error) {
	if pointer == 0 {
		return nil, nil
	}
	if length == 0 {
		return []byte{}, nil // allows none
	}
	return bytes(pointer, length)
}

func readFilter(f abi.Filter) (index.Filter, error) {
	out := index.Filter{Column: f.Column}
	var err error
	switch f.Kind {
	case abi.FilterRange:
		out.Kind, out.Low, out.High = index.Range, &f.Low, &f.High
	case abi.FilterCodes:
		out.Kind = index.Codes
		out.Codes, err = view[uint32](f.Set, f.SetLength)
	case abi.FilterEqual:
		out.Kind = index.Equal
		out.Values, err = view[float64](f.Set, f.SetLength)
	default:
		err = fault.New(fault.Unsupported, "filter kind "+strconv.Itoa(int(f.Kind))+" is none of FILTER_RANGE, FILTER_CODES, FILTER_EQUAL")
	}
	return out, err
}
