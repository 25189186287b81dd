package quantized

import (
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Tiny is the shape of a small encoder with a branch, of 32 and 10 components.
var Tiny = transformer.QuantizedConfig{Hidden: 32, Layers: 2, Heads: 2, Intermediate: 32, Positions: 40, Types: 2, Epsilon: 1e-12,
	Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 1, Out: 10}}

// Late is the shape of a small encoder with vectors of 24 components for each token.
var Late = transformer.QuantizedConfig{Hidden: 32, Layers: 2, Heads: 2, Intermediate: 32, Positions: 40, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Tokens: 24}

// ReaderLabels are the labels of readers, the first of which name as many as a reader has.
var ReaderLabels = []string{"stance:for", "", "stance:against", "audience", "stance:both", "place"}

// Reading is the shape of a small encoder with a branch and a reader of queries.
var Reading = transformer.QuantizedConfig{Hidden: 32, Layers: 2, Heads: 2, Intermediate: 64, Positions: 70, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Normalize: true,
	Branch: transformer.QuantizedBranch{From: 1, Layers: 1, Out: 10}, Reader: transformer.QuantizedReader{States: []int{1, 2}, Width: 12, Labels: len(ReaderLabels)}}

// TinyFS is a pack of random weights in the shape of Tiny, with a branch or without.
func TinyFS(seed uint64, branch bool) (fstest.MapFS, error) {
	c := Tiny
	if !branch {
		c.Branch = transformer.QuantizedBranch{}
	}
	return FS(c, seed)
}

// FS is a pack of random weights.
func FS(c transformer.QuantizedConfig, seed uint64) (fstest.MapFS, error) {
	files, err := TinyPack(c, seed)
	if err != nil {
		return nil, err
	}
	out := fstest.MapFS{}
	for name, content := range files {
		out[name] = &fstest.MapFile{Data: content, Mode: 0o644}
	}
	return out, nil
}
