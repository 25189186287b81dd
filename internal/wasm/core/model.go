//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
)

var models = newHandles[*packed.Encoder]("model")

//go:wasmexport model_open
func modelOpen(manifest, manifestLength uint32) int32 {
	return call(func() (int, error) {
		json, err := bytes(manifest, manifestLength)
		if err != nil {
			return 0, err
		}
		// The host compares hashes: a page has a function for it, and Go's would make
		// the core larger.
		e, err := packed.Open(json, nil, dense.NewPool(1))
		if err != nil {
			return 0, err
		}
		return models.add(e), nil
	})
}

// sections by their numbers in the ABI.
var sections = [...]string{abi.SectionVocabulary: pack.Vocabulary, abi.SectionTrunk: pack.Trunk, abi.SectionBranch: pack.BranchSection, abi.SectionReader: pack.ReaderSection}

//go:wasmexport model_file
func modelFile(model, section, file, fileLength uint32) int32 {
	return call(func() (int, error) {
		e, err := models.get(model)
		if err != nil {
			return 0, err
		}
		content, err := bytes(file, fileLength)
		if err != nil {
			return 0, err
		}
		if section >= uint32(len(sections)) {
			return 0, &codedError{abi.CodeHandle, "a pack has no section " + strconv.Itoa(int(section))}
		}
		return 0, e.File(sections[section], content)
	})
}

//go:wasmexport model_encode
func modelEncode(model, text, textLength, vector, branch, info uint32) int32 {
	return call(func() (int, error) {
		e, err := models.get(model)
		if err != nil {
			return 0, err
		}
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		dim, branchDim := e.Dim()
		v, err := optional[float32](vector, uint32(dim))
		if err != nil {
			return 0, err
		}
		b, err := optional[float32](branch, uint32(branchDim))
		if err != nil {
			return 0, err
		}
		out, err := view[abi.EncodeInfo](info, 1)
		if err != nil {
			return 0, err
		}
		i, err := e.Encode(v, b, string(t))
		if err == nil {
			out[0] = encodeInfo(i)
		}
		return 0, err
	})
}

//go:wasmexport model_tokens
func modelTokens(model, text, textLength, document, vectors, capacity, info uint32) int32 {
	return call(func() (int, error) {
		e, err := models.get(model)
		if err != nil {
			return 0, err
		}
		t, err := bytes(text, textLength)
		if err != nil {
			return 0, err
		}
		v, err := view[float32](vectors, capacity)
		if err != nil {
			return 0, err
		}
		if room := e.TokenRoom(document != 0); room > len(v) {
			return 0, errRoom("model_tokens", room, len(v))
		}
		out, err := view[abi.EncodeInfo](info, 1)
		if err != nil {
			return 0, err
		}
		rows, i, err := e.EncodeTokens(v, string(t), document != 0)
		if err == nil {
			out[0] = encodeInfo(i)
		}
		return rows, err
	})
}

//go:wasmexport model_close
func modelClose(model uint32) int32 { return models.close(model) }

func encodeInfo(i encode.Info) abi.EncodeInfo {
	info := abi.EncodeInfo{Tokens: uint32(i.Tokens), Unknown: uint32(i.Unknown)}
	if i.Truncated {
		info.Truncated = 1
	}
	return info
}
