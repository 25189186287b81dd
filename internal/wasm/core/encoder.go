//go:build wasm

package main

import (
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/perspective"
)

var encoders = newHandles[*encode.Static]("encoder")

//go:wasmexport encoder_open
func encoderOpen(tokenizer, tokenizerLength, weights, weightsLength, config, configLength uint32) int32 {
	return call(func() (int, error) {
		t, err := bytes(tokenizer, tokenizerLength)
		if err != nil {
			return 0, err
		}
		w, err := owned(weights, weightsLength)
		if err != nil {
			return 0, err
		}
		c, err := bytes(config, configLength)
		if err != nil {
			return 0, err
		}
		encoder, err := encode.OpenStatic(t, w, c)
		if err != nil {
			return 0, err
		}
		delete(buffers, weights)
		return encoders.add(encoder), nil
	})
}

//go:wasmexport encoder_dim
func encoderDim(encoder uint32) int32 {
	return call(func() (int, error) {
		e, err := encoders.get(encoder)
		if err != nil {
			return 0, err
		}
		return e.Dim(), nil
	})
}

//go:wasmexport encoder_encode
func encoderEncode(encoder, text, textLength, vector, info uint32) int32 {
	return call(func() (int, error) {
		e, err := encoders.get(encoder)
		if err != nil {
			return 0, err
		}
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		v, err := view[float32](vector, uint32(e.Dim()))
		if err != nil {
			return 0, err
		}
		out, err := view[abi.EncodeInfo](info, 1)
		if err != nil {
			return 0, err
		}
		out[0] = encodeInfo(e.Encode(v, string(t)))
		return 0, nil
	})
}

//go:wasmexport encoder_close
func encoderClose(encoder uint32) int32 { return encoders.close(encoder) }

// split keeps the texts of the last query_split alive.
var split struct{ root, perspective, kind []byte }

//go:wasmexport query_split
func querySplit(model, text, textLength, info uint32) int32 {
	return call(func() (int, error) {
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.SplitInfo](info, 1)
		if err != nil {
			return 0, err
		}
		r := perspective.Reading{}
		if model == 0 {
			r = perspective.Read(string(t))
		} else if m, err := models.get(model); err != nil {
			return 0, err
		} else if r, err = m.Read(string(t)); err != nil {
			return 0, err
		}
		out[0] = abi.SplitInfo{}
		if r == (perspective.Reading{}) {
			return 0, nil
		}
		split.root, split.perspective, split.kind = []byte(r.Root), []byte(r.Perspective), []byte(r.Kind)
		out[0] = abi.SplitInfo{
			Root: address(split.root), RootLength: uint32(len(split.root)),
			Perspective: address(split.perspective), PerspectiveLength: uint32(len(split.perspective)),
			Kind: address(split.kind), KindLength: uint32(len(split.kind)),
			Side: uint32(r.Side+3) % 3,
		}
		if r.Both {
			out[0].Both = 1
		}
		return 1, nil
	})
}

//go:wasmexport query_stance
func queryStance(text, textLength uint32) int32 {
	return call(func() (int, error) {
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		return (perspective.Stance(string(t)) + 3) % 3, nil
	})
}
