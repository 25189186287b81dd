package host

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// core implements search.Core by calls of the ABI.
type core struct{ in *instance }

var _ search.Core = core{}

func (c core) Lost() bool   { return c.in.lost != nil }
func (c core) Close() error { return c.in.close() }

func (c core) OpenEncoder(tokenizer, weights, config []byte) (search.Encoder, error) {
	b := batch{in: c.in}
	defer b.release()
	t, f, w := b.put(tokenizer), b.put(config), b.keep(weights)
	if b.err != nil {
		return nil, b.err
	}
	handle, err := c.in.call("encoder_open",
		uint64(t), uint64(len(tokenizer)), uint64(w), uint64(len(weights)), uint64(f), uint64(len(config)))
	if err != nil {
		c.in.release(w)
		return nil, err
	}
	dim, err := c.in.call("encoder_dim", uint64(handle))
	if err != nil {
		return nil, err
	}
	return static{c.in, uint64(handle), int(dim)}, nil
}

func (c core) OpenIndex(dim int, dtype shard.DType, rows int) (search.Index, error) {
	kind := uint64(abi.RowsF32)
	if dtype == shard.I8 {
		kind = abi.RowsI8
	}
	handle, err := c.in.call("index_open", uint64(dim), kind, uint64(rows))
	if err != nil {
		return nil, err
	}
	return table{c.in, uint64(handle), dim}, nil
}

func (c core) Read(query string) (perspective.Reading, error) { return c.in.readQuery(0, query) }

// readQuery reads a query by a model's reader, or by its wording alone if the handle is 0.
func (in *instance) readQuery(model uint64, query string) (r perspective.Reading, err error) {
	b := batch{in: in}
	defer b.release()
	text, info := b.put([]byte(query)), b.room(binary.Size(abi.SplitInfo{}))
	if b.err != nil {
		return r, b.err
	}
	found, err := in.call("query_split", model, uint64(text), uint64(len(query)), uint64(info))
	if err != nil || found == 0 {
		return r, err
	}
	raw, err := in.read(info, uint32(binary.Size(abi.SplitInfo{})))
	if err != nil {
		return r, err
	}
	var split abi.SplitInfo
	if _, err := binary.Decode(raw, binary.LittleEndian, &split); err != nil {
		return r, err
	}
	var texts [3]string
	for i := range texts { // the first fields of SplitInfo are TextRefs
		if texts[i], err = in.text(info + uint32(i*binary.Size(abi.TextRef{}))); err != nil {
			return r, err
		}
	}
	return perspective.Reading{
		Root: texts[0], Perspective: texts[1], Kind: perspective.Kind(texts[2]), Side: sideOf(int(split.Side)), Both: split.Both != 0,
	}, nil
}

// sideOf is a side as package perspective numbers it. A core says 2 for against.
func sideOf(side int) int {
	if side == 2 {
		return -1
	}
	return side
}

func (c core) Stance(text string) (int, error) {
	b := batch{in: c.in}
	defer b.release()
	pointer := b.put([]byte(text))
	if b.err != nil {
		return 0, b.err
	}
	side, err := c.in.call("query_stance", uint64(pointer), uint64(len(text)))
	return sideOf(int(side)), err
}

type static struct {
	in     *instance
	handle uint64
	dim    int
}

func (e static) Dim() int { return e.dim }

func (e static) Encode(text string) ([]float32, encode.Info, error) {
	b := batch{in: e.in}
	defer b.release()
	t, v, i := b.put([]byte(text)), b.room(4*e.dim), b.room(binary.Size(abi.EncodeInfo{}))
	if b.err != nil {
		return nil, encode.Info{}, b.err
	}
	if _, err := e.in.call("encoder_encode", e.handle, uint64(t), uint64(len(text)), uint64(v), uint64(i)); err != nil {
		return nil, encode.Info{}, err
	}
	return e.in.encoded(v, e.dim, i)
}

// encoded reads a vector and what is known of its text.
func (in *instance) encoded(vector uint32, dim int, facts uint32) ([]float32, encode.Info, error) {
	out := make([]float32, dim)
	var info abi.EncodeInfo
	if err := errors.Join(in.decode(vector, out), in.decode(facts, &info)); err != nil {
		return nil, encode.Info{}, err
	}
	return out, encode.Info{Tokens: int(info.Tokens), Unknown: int(info.Unknown), Truncated: info.Truncated != 0}, nil
}

// decode reads fixed-size data at an address.
func (in *instance) decode(pointer uint32, to any) error {
	b, err := in.read(pointer, uint32(binary.Size(to)))
	if err != nil {
		return err
	}
	return binary.Read(bytes.NewReader(b), binary.LittleEndian, to)
}
