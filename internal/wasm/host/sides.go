package host

import (
	"encoding/binary"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

func (t table) Sides(q *ranking.Request, c stance.Calibration) (*ranking.Sides, error) {
	b := batch{in: t.in}
	defer b.release()
	rows, err := t.in.call("index_rows", t.handle)
	if err != nil {
		return nil, err
	}
	capacity := 3 * min(max(q.K, 0), int(rows))
	request, constants, summary, hits := b.request(q, t.dim), b.calibration(c), b.room(binary.Size(abi.Sides{})), b.room(capacity*binary.Size(abi.SideHit{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := t.in.call("index_sides", t.handle, uint64(request), uint64(constants), uint64(summary), uint64(hits), uint64(capacity))
	if err != nil {
		return nil, err
	}
	var counts abi.Sides
	if err := t.in.decode(summary, &counts); err != nil {
		return nil, err
	}
	all, err := t.in.sides(hits, int(n))
	if err != nil {
		return nil, err
	}
	if int(counts.ForHits)+int(counts.NeitherHits)+int(counts.AgainstHits) != len(all) {
		return nil, fmt.Errorf("headless: the core wrote %d hits, and says otherwise", len(all))
	}
	neither := all[counts.ForHits:]
	return &ranking.Sides{
		For:     ranking.SideHits{Count: int(counts.For), Hits: all[:counts.ForHits]},
		Neither: ranking.SideHits{Count: int(counts.Neither), Hits: neither[:counts.NeitherHits]},
		Against: ranking.SideHits{Count: int(counts.Against), Hits: neither[counts.NeitherHits:]},
	}, nil
}

func (t table) SidesOf(q *ranking.Request, c stance.Calibration, hits []index.Hit) ([]ranking.Stance, error) {
	b := batch{in: t.in}
	defer b.release()
	raw := make([]abi.SideHit, len(hits))
	for i, h := range hits {
		raw[i] = abi.SideHit{Row: uint32(h.Row), Document: h.Document, Score: h.Score}
	}
	request, constants, pointer := b.request(q, t.dim), b.calibration(c), b.encode(raw)
	if b.err != nil {
		return nil, b.err
	}
	n, err := t.in.call("index_sides_of", t.handle, uint64(request), uint64(constants), uint64(pointer), uint64(len(hits)))
	if err != nil {
		return nil, err
	}
	return t.in.sides(pointer, int(n))
}

func (in *instance) sides(pointer uint32, n int) ([]ranking.Stance, error) {
	raw := make([]abi.SideHit, n)
	if err := in.decode(pointer, raw); err != nil {
		return nil, err
	}
	out := make([]ranking.Stance, n)
	for i, h := range raw {
		out[i] = ranking.Stance{
			Hit:       index.Hit{Row: int(h.Row), Document: h.Document, Score: h.Score},
			Stance:    index.Stance{Cosine: h.Cosine, Slant: h.Slant},
			OnSubject: h.OnSubject != 0, For: h.For, Neither: h.Neither, Against: h.Against,
		}
		switch h.Side {
		case abi.SideFor:
			out[i].Side = stance.For
		case abi.SideAgainst:
			out[i].Side = stance.Against
		}
		if h.Row == abi.MissingRow {
			out[i].Row = -1
		}
	}
	return out, nil
}

func (t table) Vector(document uint32, angleDim int) (vector, angle []float32, err error) {
	b := batch{in: t.in}
	defer b.release()
	at, angleAt := b.room(4*t.dim), b.room(4*angleDim)
	if b.err != nil {
		return nil, nil, b.err
	}
	n, err := t.in.call("index_vector", t.handle, uint64(document), uint64(at), uint64(angleAt), uint64(angleDim))
	if err != nil {
		return nil, nil, err
	}
	vector = make([]float32, t.dim)
	if err := t.in.decode(at, vector); err != nil || n == 0 {
		return vector, nil, err
	}
	angle = make([]float32, n)
	return vector, angle, t.in.decode(angleAt, angle)
}
