package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/testing/onnx"
	"github.com/vantage-search/vantage/internal/testing/peer"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// benchInt8 puts the quantized encoder, whose vectors have the same bits in a page, beside
// ONNX Runtime's dynamic quantization of the same weights.
func benchInt8(s shape, dir string, threads int, other *peer.Process) error {
	weights := random(s.config)
	c := s.config
	m, err := transformer.NewQuantized(transformer.QuantizedConfig{
		Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate, Positions: c.Positions, Types: c.Types,
		Epsilon: c.Epsilon, Activation: c.Activation,
	}, quantized.Weights{From: []transformer.Tensors{weights}})
	if err != nil {
		return err
	}
	c.Int8 = true
	path := filepath.Join(dir, s.name+"-int8.onnx")
	if err := os.WriteFile(path, onnx.BERT(c, weights, true), 0o600); err != nil {
		return err
	}
	if err := other.Ask(map[string]any{"model": path, "threads": threads}, new(any)); err != nil {
		return err
	}
	pool := dense.NewPool(threads)
	defer pool.Close()
	scratch := m.NewScratch(pool, 2048)
	ask := func(what map[string]any, n, tokens int, answer any) error {
		what["batch"], what["tokens"] = n, tokens
		return other.Ask(what, answer)
	}

	// Means of the tokens' vectors: ours computes them, those of ONNX Runtime are computed here.
	b := batch(3, 21)
	vectors := make([]float32, 3*c.Hidden)
	if err := m.Encode(vectors, nil, b, scratch); err != nil {
		return err
	}
	var answer struct{ Output []float64 }
	if err := ask(map[string]any{"output": true}, 3, 21, &answer); err != nil {
		return err
	}
	least := 1.
	for i := range 3 {
		mean := make([]float64, c.Hidden)
		for token := range 21 {
			for j := range mean {
				mean[j] += answer.Output[(i*21+token)*c.Hidden+j]
			}
		}
		least = min(least, vek.CosineSimilarity(vek.FromFloat32(vectors[i*c.Hidden:(i+1)*c.Hidden]), mean))
	}
	if least < .99 {
		return fmt.Errorf("the vectors' least cosine with those of ONNX Runtime is %v", least)
	}

	for _, size := range [][2]int{{1, 16}, {1, 64}, {32, 64}} {
		b := batch(size[0], size[1])
		out := make([]float32, size[0]*c.Hidden)
		var ours, theirs []float64
		for round := range rounds + 1 {
			var mine []float64
			for end := time.Now().Add(turn); time.Now().Before(end); {
				began := time.Now()
				if err := m.Encode(out, nil, b, scratch); err != nil {
					return err
				}
				mine = append(mine, float64(time.Since(began).Nanoseconds())/1e6)
			}
			var answer struct{ Times []float64 }
			if err := ask(map[string]any{"milliseconds": turn.Milliseconds()}, size[0], size[1], &answer); err != nil {
				return err
			}
			if round > 0 { // the first warms them up
				ours, theirs = append(ours, mine...), append(theirs, answer.Times...)
			}
		}
		rate := func(times []float64) string {
			return fmt.Sprintf("%.1f (%.1f)", float64(size[0])*1000/median(times), float64(size[0])*1000/slices.Min(times))
		}
		fmt.Printf("%-10s %-6s %18s %18s %6.2f %6.2f\n", s.name, fmt.Sprintf("%dx%d", size[0], size[1]), rate(ours), rate(theirs),
			median(theirs)/median(ours), slices.Min(theirs)/slices.Min(ours))
	}
	fmt.Printf("%-10s least cosine between the two %.5f\n\n", s.name, least)
	return nil
}
