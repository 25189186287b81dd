package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// batch holds the buffers of one call, which are released together, and the first
// error.
type batch struct {
	in       *instance
	pointers []uint32
	err      error
}

func (b *batch) release() { b.in.release(b.pointers...) }

// keep copies bytes into a buffer that the batch does not release.
func (b *batch) keep(data []byte) uint32 {
	if b.err != nil {
		return 0
	}
	pointer, err := b.in.put(data)
	b.err = err
	return pointer
}

func (b *batch) put(data []byte) uint32 {
	pointer := b.keep(data)
	b.pointers = append(b.pointers, pointer)
	return pointer
}

func (b *batch) room(bytes int) uint32 {
	if b.err != nil {
		return 0
	}
	pointer, err := b.in.allocate(bytes)
	b.err = err
	b.pointers = append(b.pointers, pointer)
	return pointer
}

// encode copies fixed-size data into a buffer.
func (b *batch) encode(data any) uint32 {
	raw, err := binary.Append(nil, binary.LittleEndian, data)
	if err != nil && b.err == nil {
		b.err = err
	}
	return b.put(raw)
}

// vector copies a vector of the index's dimension into a buffer. A missing vector gives
// address 0.
func (b *batch) vector(what string, v []float32, dim int) uint32 {
	if v == nil {
		return 0
	}
	if len(v) != dim && b.err == nil {
		b.err = fmt.Errorf("the %s has %d components, the collection's vectors have %d", what, len(v), dim)
	}
	return b.encode(v)
}

func (b *batch) request(q *ranking.Request, dim int) uint32 {
	r := abi.SearchRequest{
		Method: b.put([]byte(q.Method)), MethodLength: uint32(len(q.Method)),
		Query: b.vector("query", q.Query.Query, dim), Root: b.vector("root", q.Root, dim),
		PerspectiveCount: uint32(len(q.Perspectives)), K: wanted(q.K), MMRCandidates: uint32(q.MMRCandidates),
		AngleCount: uint32(len(q.Angles)), Lambda: q.Lambda, Strength: q.Strength, MMR: -1,
	}
	score, err := perspective.ParseScore(string(q.Score))
	switch {
	case err != nil && b.err == nil:
		b.err = err
	case score == perspective.Dot:
		r.Score = abi.ScoreDot
	}
	if q.Explain {
		r.Flags |= abi.FlagExplain
	}
	if q.CosineRank {
		r.Flags |= abi.FlagCosineRank
	}
	r.Mask, r.MaskLength = b.mask(q.Mask)
	if q.Cut != nil {
		r.Cut = b.encode(*q.Cut)
	}
	if q.MMR != nil {
		r.MMR = *q.MMR
	}
	var perspectives []float32
	for _, p := range q.Perspectives {
		if len(p) != dim && b.err == nil {
			b.err = fmt.Errorf("a perspective has %d components, the collection's vectors have %d", len(p), dim)
		}
		perspectives = append(perspectives, p...)
	}
	if len(perspectives) > 0 {
		r.Perspectives = b.encode(perspectives)
	}
	if len(q.Angles) > 0 {
		r.AngleDim = uint32(len(q.Angles[0]))
		for _, v := range q.Angles {
			if len(v) != len(q.Angles[0]) && b.err == nil {
				b.err = errors.New("the angles of a query differ in length: encode them with the same model")
			}
		}
		r.Angles = b.encode(slices.Concat(q.Angles...))
	}
	return b.encode(r)
}

// wanted is a number of hits as the core takes it, in 32 bits. No index has as many documents.
func wanted(k int) uint32 { return uint32(min(max(k, 0), math.MaxInt32)) }

func (b *batch) calibration(c stance.Calibration) uint32 {
	return b.encode(abi.Calibration{TwoWidth: c.TwoWidth, Width: c.Width, Level: c.Level, Subject: c.Subject})
}

// mask copies a byte per row or document into a buffer. A nil mask gives address 0.
func (b *batch) mask(m []byte) (pointer, length uint32) {
	if m == nil {
		return 0, 0
	}
	return b.put(m), uint32(len(m))
}

func (b *batch) filters(filters []index.Filter) uint32 {
	raw := make([]abi.Filter, len(filters))
	for i, f := range filters {
		raw[i] = b.filter(f)
	}
	return b.encode(raw)
}

func (b *batch) filter(f index.Filter) abi.Filter {
	out := abi.Filter{Column: f.Column}
	switch f.Kind {
	case index.Codes:
		out.Kind, out.Set, out.SetLength = abi.FilterCodes, b.encode(f.Codes), uint32(len(f.Codes))
	case index.Equal:
		out.Kind, out.Set, out.SetLength = abi.FilterEqual, b.encode(f.Values), uint32(len(f.Values))
	default:
		out.Kind, out.Low, out.High = abi.FilterRange, math.Inf(-1), math.Inf(1)
		if f.Low != nil {
			out.Low = *f.Low
		}
		if f.High != nil {
			out.High = *f.High
		}
	}
	return out
}
