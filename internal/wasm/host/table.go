package host

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
)

// table is an index in the core's memory.
type table struct {
	in     *instance
	handle uint64
	dim    int
}

func (t table) Load(firstRow int, file []byte) error {
	return t.file("index_load", firstRow, file)
}

func (t table) LoadAngles(firstRow int, file []byte) error {
	return t.file("index_load_angles", firstRow, file)
}

// file hands a vector file over to the core.
func (t table) file(call string, firstRow int, file []byte) error {
	pointer, err := t.in.put(file)
	if err != nil {
		return err
	}
	if _, err := t.in.call(call, t.handle, uint64(firstRow), uint64(pointer), uint64(len(file))); err != nil {
		t.in.release(pointer)
		return err
	}
	return nil
}

func (t table) SetNumbers(column uint32, firstRow int, values []float64) error {
	return t.column("index_numbers", column, firstRow, len(values), values)
}

func (t table) SetCodes(column uint32, firstRow int, codes []uint32) error {
	return t.column("index_codes", column, firstRow, len(codes), codes)
}

func (t table) column(call string, column uint32, firstRow, n int, values any) error {
	b := batch{in: t.in}
	defer b.release()
	pointer := b.encode(values)
	if b.err != nil {
		return b.err
	}
	_, err := t.in.call(call, t.handle, uint64(column), uint64(firstRow), uint64(pointer), uint64(n))
	return err
}

func (t table) Add(vector []float32) (int, error) {
	if len(vector) != t.dim {
		return 0, errors.New("headless: a vector of another dimension than the index")
	}
	b := batch{in: t.in}
	defer b.release()
	pointer := b.encode(vector)
	if b.err != nil {
		return 0, b.err
	}
	row, err := t.in.call("index_add", t.handle, uint64(pointer))
	return int(row), err
}

func (t table) AddAngle(row int, vector []float32) error {
	b := batch{in: t.in}
	defer b.release()
	pointer := b.encode(vector)
	if b.err != nil {
		return b.err
	}
	_, err := t.in.call("index_add_angle", t.handle, uint64(row), uint64(pointer), uint64(len(vector)))
	return err
}

func (t table) Search(q *ranking.Request) ([]ranking.Hit, error) {
	b := batch{in: t.in}
	defer b.release()
	rows, err := t.in.call("index_rows", t.handle)
	if err != nil {
		return nil, err
	}
	capacity := min(max(q.K, 0), int(rows))
	request, hits := b.request(q, t.dim), b.room(capacity*binary.Size(abi.Hit{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := t.in.call("index_search", t.handle, uint64(request), uint64(hits), uint64(capacity))
	if err != nil {
		return nil, err
	}
	return t.in.hits(hits, n)
}

// Cut finds the cut of a gated method. The scores stay in the core.
func (t table) Cut(q *ranking.Request) (float64, error) {
	b := batch{in: t.in}
	defer b.release()
	rows, err := t.in.call("index_rows", t.handle)
	if err != nil {
		return 0, err
	}
	request, scores, cut := b.request(q, t.dim), b.room(4*int(rows)), b.room(8)
	if b.err != nil {
		return 0, b.err
	}
	n, err := t.in.call("index_gate", t.handle, uint64(request), uint64(scores), uint64(rows))
	if err != nil {
		return 0, err
	}
	if _, err := t.in.call("index_cut", t.handle, uint64(request), uint64(scores), uint64(n), uint64(cut)); err != nil {
		return 0, err
	}
	var value float64
	err = t.in.decode(cut, &value)
	return value, err
}

// Explain explains hits. It sets the row of a hit to -1 if the hit's document has none.
func (t table) Explain(q *ranking.Request, hits []ranking.Hit) error {
	b := batch{in: t.in}
	defer b.release()
	raw := make([]abi.Hit, len(hits))
	for i, h := range hits {
		raw[i] = abi.Hit{Row: uint32(h.Row), Document: h.Document, Score: h.Score}
	}
	request, pointer := b.request(q, t.dim), b.encode(raw)
	if b.err != nil {
		return b.err
	}
	n, err := t.in.call("index_explain", t.handle, uint64(request), uint64(pointer), uint64(len(hits)))
	if err != nil {
		return err
	}
	explained, err := t.in.hits(pointer, n)
	copy(hits, explained)
	return err
}

func (in *instance) hits(pointer uint32, n int32) ([]ranking.Hit, error) {
	raw := make([]abi.Hit, n)
	if err := in.decode(pointer, raw); err != nil {
		return nil, err
	}
	hits := make([]ranking.Hit, n)
	for i, h := range raw {
		hits[i] = ranking.Hit{
			Hit: index.Hit{Row: int(h.Row), Document: h.Document, Score: h.Score},
			Explanation: index.Explanation{
				X: h.X, Y: h.Y, Norm: h.Norm, Numerator: h.Numerator, Denominator: h.Denominator, Cosine: h.Cosine,
				Topic: h.Topic, Side: h.Side,
			},
			CosineRank: int(h.CosineRank),
		}
		if h.Row == abi.MissingRow {
			hits[i].Row = -1
		}
	}
	return hits, nil
}

func (t table) Mask(filters []index.Filter) (index.Mask, error) {
	if len(filters) == 0 {
		return nil, nil
	}
	return t.bytes(func(b *batch, out, capacity uint64) (int32, error) {
		at := b.filters(filters)
		if b.err != nil {
			return 0, b.err
		}
		return t.in.call("index_mask", t.handle, uint64(at), uint64(len(filters)), out, capacity)
	})
}

func (t table) Documents(m index.Mask) ([]byte, error) {
	return t.bytes(func(b *batch, out, capacity uint64) (int32, error) {
		at, length := b.mask(m)
		if b.err != nil {
			return 0, b.err
		}
		return t.in.call("index_documents", t.handle, uint64(at), uint64(length), out, capacity)
	})
}

// bytes allocates a byte per row, and returns the bytes that a call writes there.
func (t table) bytes(call func(b *batch, out, capacity uint64) (int32, error)) ([]byte, error) {
	b := batch{in: t.in}
	defer b.release()
	rows, err := t.in.call("index_mask", t.handle, 0, 0, 0, 0)
	if err != nil {
		return nil, err
	}
	pointer := b.room(int(rows))
	if b.err != nil {
		return nil, b.err
	}
	n, err := call(&b, uint64(pointer), uint64(rows))
	if err != nil {
		return nil, err
	}
	out, err := t.in.read(pointer, uint32(n))
	return bytes.Clone(out), err
}

func (t table) Close() error {
	_, err := t.in.call("index_close", t.handle)
	return err
}
