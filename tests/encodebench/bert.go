package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// shape is the shape of a well-known model.
type shape struct {
	name   string
	config transformer.BERTConfig
}

var shapes = []shape{
	{"MiniLM-L6", transformer.BERTConfig{Vocabulary: 30522, Hidden: 384, Layers: 6, Heads: 12, Intermediate: 1536, Positions: 512, Types: 2, Epsilon: 1e-12, Activation: dense.GELU}},
	{"BERT-base", transformer.BERTConfig{Vocabulary: 30522, Hidden: 768, Layers: 12, Heads: 12, Intermediate: 3072, Positions: 512, Types: 2, Epsilon: 1e-12, Activation: dense.GELU}},
}

// tensors holds random weights by their names.
type tensors map[string]tensor

type tensor struct {
	values []float32
	shape  []int
}

func (t tensors) Tensor(name string) ([]float32, []int, bool) {
	v, ok := t[name]
	return v.values, v.shape, ok
}

// random returns weights small enough that nothing saturates.
func random(c transformer.BERTConfig) tensors {
	r := rand.New(rand.NewPCG(1, 2))
	t := tensors{}
	add := func(name string, base, spread float64, dims ...int) {
		n := 1
		for _, d := range dims {
			n *= d
		}
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(base + spread*(2*r.Float64()-1))
		}
		t[name] = tensor{values, dims}
	}
	linear := func(name string, out, in int) {
		add(name+".weight", 0, math.Sqrt(3/float64(in)), out, in)
		add(name+".bias", 0, .05, out)
	}
	norm := func(name string) {
		add(name+".weight", 1, .1, c.Hidden)
		add(name+".bias", 0, .1, c.Hidden)
	}
	add("embeddings.word_embeddings.weight", 0, .1, c.Vocabulary, c.Hidden)
	add("embeddings.position_embeddings.weight", 0, .1, c.Positions, c.Hidden)
	add("embeddings.token_type_embeddings.weight", 0, .1, c.Types, c.Hidden)
	norm("embeddings.LayerNorm")
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			linear(at+name, c.Hidden, c.Hidden)
		}
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", c.Intermediate, c.Hidden)
		linear(at+"output.dense", c.Hidden, c.Intermediate)
		norm(at + "output.LayerNorm")
	}
	return t
}
