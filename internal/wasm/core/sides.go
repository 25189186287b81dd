//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

func readCalibration(pointer uint32) (stance.Calibration, error) {
	raw, err := view[abi.Calibration](pointer, 1)
	if err != nil {
		return stance.Calibration{}, err
	}
	c := stance.Calibration{TwoWidth: raw[0].TwoWidth, Width: raw[0].Width, Level: raw[0].Level, Subject: raw[0].Subject}
	return c, c.Check()
}

//go:wasmexport index_sides
func indexSides(handle, request, calibration, sides, hits, capacity uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		c, err := readCalibration(calibration)
		if err != nil {
			return 0, err
		}
		summary, err := view[abi.Sides](sides, 1)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.SideHit](hits, capacity)
		if err != nil {
			return 0, err
		}
		found, err := ranking.Tell(ix, r, c)
		if err != nil {
			return 0, queryError(err)
		}
		n := len(found.For.Hits) + len(found.Neither.Hits) + len(found.Against.Hits)
		if n > len(out) {
			return 0, errRoom("index_sides", n, len(out))
		}
		summary[0] = abi.Sides{
			For: uint32(found.For.Count), Neither: uint32(found.Neither.Count), Against: uint32(found.Against.Count),
			ForHits: uint32(len(found.For.Hits)), NeitherHits: uint32(len(found.Neither.Hits)), AgainstHits: uint32(len(found.Against.Hits)),
		}
		at := 0
		for _, side := range [...]*ranking.SideHits{&found.For, &found.Neither, &found.Against} {
			for i := range side.Hits {
				out[at] = writeSide(&side.Hits[i])
				at++
			}
		}
		return n, nil
	})
}

//go:wasmexport index_side
func indexSide(handle, request, calibration, side, mask, capacity uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		c, err := readCalibration(calibration)
		if err != nil {
			return 0, err
		}
		of, ok := map[uint32]stance.Side{abi.SideFor: stance.For, abi.SideAgainst: stance.Against, abi.SideNeither: stance.Neither}[side]
		if !ok {
			return 0, fault.New(fault.Unsupported, "index_side: side "+strconv.Itoa(int(side))+" is none of SIDE_FOR, SIDE_AGAINST, SIDE_NEITHER")
		}
		out, err := bytes(mask, capacity)
		if err != nil {
			return 0, err
		}
		m, err := ranking.Side(ix, r, of, c)
		if err != nil {
			return 0, queryError(err)
		}
		return fill("index_side", out, m)
	})
}

//go:wasmexport index_sides_of
func indexSidesOf(handle, request, calibration, hits, count uint32) int32 {
	return withRequest(handle, request, func(ix *index.Index, r *ranking.Request) (int, error) {
		c, err := readCalibration(calibration)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.SideHit](hits, count)
		if err != nil {
			return 0, err
		}
		wanted := make([]index.Hit, len(out))
		for i, h := range out {
			wanted[i] = index.Hit{Row: int(h.Row), Document: h.Document, Score: h.Score}
		}
		found, err := ranking.TellOf(ix, r, c, wanted)
		if err != nil {
			return 0, queryError(err)
		}
		for i := range found {
			out[i] = writeSide(&found[i])
		}
		return len(out), nil
	})
}

// writeSide writes a row's side in the ABI's layout. The row -1 becomes MissingRow.
func writeSide(s *ranking.Stance) abi.SideHit {
	out := abi.SideHit{
		Row: uint32(s.Row), Document: s.Document, Score: s.Score, Cosine: s.Cosine, Slant: s.Slant,
		For: s.For, Neither: s.Neither, Against: s.Against,
	}
	switch s.Side {
	case stance.For:
		out.Side = abi.SideFor
	case stance.Against:
		out.Side = abi.SideAgainst
	}
	if s.OnSubject {
		out.OnSubject = 1
	}
	return out
}

//go:wasmexport index_vector
func indexVector(handle, document, vector, angle, angleDim uint32) int32 {
	return withIndex(handle, func(ix *index.Index) (int, error) {
		out, err := view[float32](vector, uint32(ix.Dim()))
		if err != nil {
			return 0, err
		}
		topic, own, err := ix.Vector(document)
		if err != nil {
			return 0, fault.As(fault.Query, err)
		}
		copy(out, topic)
		if angleDim == 0 {
			return len(own), nil
		}
		angles, err := view[float32](angle, angleDim)
		if err != nil {
			return 0, err
		}
		if len(own) > len(angles) {
			return 0, errRoom("index_vector", len(own), len(angles))
		}
		copy(angles, own)
		return len(own), nil
	})
}
