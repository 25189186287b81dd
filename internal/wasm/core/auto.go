//go:build wasm

package main

import (
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/auto"
	"github.com/vantage-search/vantage/perspective"
)

// chosen keeps the texts of the last query_auto alive.
var chosen struct{ kind, method []byte }

//go:wasmexport query_auto
func queryAuto(request, choice uint32) int32 {
	return call(func() (int, error) {
		raw, err := view[abi.AutoRequest](request, 1)
		if err != nil {
			return 0, err
		}
		out, err := view[abi.AutoChoice](choice, 1)
		if err != nil {
			return 0, err
		}
		r := raw[0]
		flag := func(f uint32) bool { return r.Flags&f != 0 }
		asked := &auto.Asked{
			Root: flag(abi.AutoRoot), RootText: flag(abi.AutoRootText), Text: flag(abi.AutoText),
			Lambda: flag(abi.AutoLambda),
			Angles: flag(abi.AutoAngles), Sides: flag(abi.AutoSides), Words: flag(abi.AutoWords),
		}
		if asked.Perspectives, err = readTexts(r.Perspectives, r.PerspectiveCount); err != nil {
			return 0, err
		}
		if p := asked.Perspectives; flag(abi.AutoRead) && len(p) > 1 {
			asked.Perspectives, asked.Kind = p[:1], perspective.Kind(p[1])
		}
		table, err := readTexts(r.Table, r.TableCount)
		if err != nil {
			return 0, err
		}
		c, err := auto.Choose(table, asked)
		if err != nil {
			return 0, err
		}
		chosen.kind, chosen.method = []byte(c.Kind), []byte(c.Method)
		out[0] = abi.AutoChoice{
			Kind: address(chosen.kind), KindLength: uint32(len(chosen.kind)),
			Method: address(chosen.method), MethodLength: uint32(len(chosen.method)),
			Lambda: c.Lambda(), Strength: c.Strength, Weight: c.Weight,
		}
		return 0, nil
	})
}

// readTexts copies the texts of an array of TextRefs.
func readTexts(pointer, count uint32) ([]string, error) {
	refs, err := optional[abi.TextRef](pointer, count)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(refs))
	for i, ref := range refs {
		if ref.Length == 0 {
			continue
		}
		text, err := bytes(ref.Pointer, ref.Length)
		if err != nil {
			return nil, err
		}
		out[i] = string(text)
	}
	return out, nil
}
