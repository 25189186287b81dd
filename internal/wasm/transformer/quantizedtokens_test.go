package transformer_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// ofTokens are shapes with a vector for each token. The SIMD kernels can compute the
// attention of the first. The heads of the second have a width that they do not take.
var ofTokens = []transformer.QuantizedConfig{
	{Vocabulary: 60, Hidden: 64, Layers: 3, Heads: 4, Intermediate: 160, Positions: 70, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Tokens: 24},
	{Vocabulary: 60, Hidden: 48, Layers: 2, Heads: 4, Intermediate: 64, Positions: 70, Epsilon: 1e-5, Activation: dense.GELUTanh, Tokens: 7},
}

// padded is a batch whose texts attend to some of their first tokens.
func padded(c *transformer.QuantizedConfig) *transformer.Batch {
	b := texts(c)
	for i, n := range b.Lengths {
		b.Keys = append(b.Keys, min(n, max(min(1, n), n*(i%5)/4)))
	}
	return b
}

// Tokens have the same bits alone and in a batch, with any number of workers, and those
// that nothing attends to change no others.
func TestQuantizedTokensBatches(t *testing.T) {
	for i, c := range ofTokens {
		m, _ := made(t, c)
		b := padded(&c)
		want := make([]float32, len(b.IDs)*c.Tokens)
		one := dense.NewPool(1)
		defer one.Close()
		alone := m.NewScratch(one, 0)
		token := 0
		for j, n := range b.Lengths {
			text := &transformer.Batch{IDs: b.IDs[token : token+n], Types: b.Types[token : token+n], Lengths: []int{n}, Keys: b.Keys[j : j+1]}
			to := want[token*c.Tokens : (token+n)*c.Tokens]
			if err := m.EncodeTokens(to, text, alone); err != nil {
				t.Fatal(err)
			}
			seen := b.Keys[j]
			short := &transformer.Batch{IDs: text.IDs[:seen], Types: text.Types[:seen], Lengths: []int{seen}}
			own := make([]float32, seen*c.Tokens)
			if err := m.EncodeTokens(own, short, alone); err != nil {
				t.Fatal(err)
			}
			sameBits(t, fmt.Sprintf("model %d, text %d without padding", i, j), own, to[:len(own)])
			token += n
		}
		for workers, room := range map[int]int{1: 100, 2: 0, 4: 1000} {
			pool := dense.NewPool(workers)
			defer pool.Close()
			got := make([]float32, len(want))
			if err := m.EncodeTokens(got, b, m.NewScratch(pool, room)); err != nil {
				t.Fatal(err)
			}
			sameBits(t, fmt.Sprintf("model %d, %d workers, room for %d", i, workers, room), got, want)
		}
	}
}

// The vectors are of unit length, and near those of the float32 engine on the same weights.
func TestQuantizedTokensAreNear(t *testing.T) {
	c := ofTokens[0]
	m, f := made(t, c)
	b := padded(&c)
	pool := dense.NewPool(1)
	defer pool.Close()
	vectors := make([]float32, len(b.IDs)*c.Tokens)
	if err := m.EncodeTokens(vectors, b, m.NewScratch(pool, 0)); err != nil {
		t.Fatal(err)
	}
	exact, err := transformer.NewBERT(transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: c.Epsilon, Activation: c.Activation}, f)
	if err != nil {
		t.Fatal(err)
	}
	states := make([]float32, len(b.IDs)*c.Hidden)
	if err := exact.Forward(states, b, &transformer.Scratch{Pool: pool}); err != nil {
		t.Fatal(err)
	}
	weight, _, _ := f.Tensor("linear.weight")
	lowest := 1.
	for token := range b.IDs {
		want := make([]float32, c.Tokens)
		for o := range want {
			for j, v := range states[token*c.Hidden : (token+1)*c.Hidden] {
				want[o] += v * weight[o*c.Hidden+j]
			}
		}
		got := vectors[token*c.Tokens : (token+1)*c.Tokens]
		lowest = min(lowest, naive.Cosine(got, want))
		if norm := naive.MaxSim(got, got, c.Tokens); approx.Apart(norm, 1, 1e-6) {
			t.Errorf("token %d has length %v", token, math.Sqrt(norm))
		}
	}
	t.Logf("lowest cosine of %d tokens: %.5f", len(b.IDs), lowest)
	if lowest < .998 {
		t.Errorf("a token has cosine %v", lowest)
	}
}

func TestQuantizedTokensRefuses(t *testing.T) {
	c := ofTokens[0]
	m, f := made(t, c)
	pool := dense.NewPool(1)
	defer pool.Close()
	s := m.NewScratch(pool, 0)
	room := make([]float32, 1000)
	for name, b := range map[string]*transformer.Batch{
		"token id 60":       {IDs: []uint32{60}, Lengths: []int{1}},
		"71 tokens":         {IDs: make([]uint32, 71), Lengths: []int{71}},
		"that attends to 0": {IDs: []uint32{1}, Lengths: []int{1}, Keys: []int{0}},
		"that attends to 2": {IDs: []uint32{1}, Lengths: []int{1}, Keys: []int{2}},
	} {
		if err := m.EncodeTokens(room, b, s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := &transformer.Batch{IDs: []uint32{1}, Lengths: []int{1}}
	if m.EncodeTokens(room[:23], one, s) == nil {
		t.Error("no room, no error")
	}
	whole := c
	whole.Tokens = 0
	other, _ := made(t, whole)
	if err := other.EncodeTokens(room, one, s); err == nil || !strings.Contains(err.Error(), "no vectors of tokens") {
		t.Errorf("a model of whole texts: %v", err)
	}
	c.Tokens = transformer.QuantizedHidden + 1
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "the width of the vectors of tokens is 2049") {
		t.Error(err)
	}
	c.Tokens = 24
	delete(f, "linear.weight")
	if _, err := transformer.NewQuantized(c, quantized.Weights{From: []transformer.Tensors{f}}); err == nil || !strings.Contains(err.Error(), "linear.weight") {
		t.Errorf("no projection: %v", err)
	}
}

// A pass over tokens needs next to no memory beside its scratch.
func TestQuantizedTokensScratch(t *testing.T) {
	c := ofTokens[0]
	m, _ := made(t, c)
	pool := dense.NewPool(1)
	defer pool.Close()
	s := m.NewScratch(pool, 0)
	b := &transformer.Batch{IDs: make([]uint32, 70), Lengths: []int{70}, Keys: []int{9}}
	out := make([]float32, 70*c.Tokens)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := m.EncodeTokens(out, b, s); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<10 {
		t.Errorf("a text of 70 tokens allocates %d bytes", n)
	}
}
