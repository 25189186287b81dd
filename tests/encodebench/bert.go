package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/vantage-search/vantage/wasm/kernel/dense"
	"github.com/vantage-search/vantage/wasm/transformer"
)

// shape of a well-known model.
type shape struct {
	name   string
	config transformer.BERTConfig
}

var shapes = []shape{
	{"MiniLM-L6", transformer.BERTConfig{Vocabulary: 30522, Hidden: 384, Layers: 6, Heads: 12, Intermediate: 1536, Positions: 512, Types: 2, Epsilon: 1e-12, Activation: dense.GELU}},
	{"BERT-base", transformer.BERTConfig{Vocabulary: 30522, Hidden: 768, Layers: 12, Heads: 12, Intermediate: 3072, Positions: 512, Types: 2, Epsilon: 1e-12, Activation: dense.GELU}},
}

// tensors are random weights by their names.
type tensors map[string]tensor

type tensor struct {
	values []float32
	shape  []int
}

func (t tensors) Tensor(name string) ([]float32, []int, bool) {
	v, ok := t[name]
	return v.values, v.shape, ok
}

// random returns weights of a size at which nothing saturates.
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

// export writes the same model as an ONNX graph.
func export(c transformer.BERTConfig, t tensors) []byte {
	o := &onnx{}
	constant := func(name string) string { return o.floats(name, t[name].values, t[name].shape...) }
	scalar := func(name string, v float32) string { return o.floats(name, []float32{v}) }
	linear := func(name, x string) string {
		w := t[name+".weight"]
		out, in := w.shape[0], w.shape[1]
		transposed := make([]float32, len(w.values))
		for i := range out {
			for j := range in {
				transposed[j*out+i] = w.values[i*in+j]
			}
		}
		y := o.node("MatMul", []string{x, o.floats(name+".weight", transposed, in, out)})
		return o.node("Add", []string{constant(name + ".bias"), y})
	}
	norm := func(name, x string) string {
		return o.node("LayerNormalization", []string{x, constant(name + ".weight"), constant(name + ".bias")},
			attribute("axis", int64(-1)), attribute("epsilon", c.Epsilon))
	}
	dim := c.Hidden / c.Heads
	split, joined := o.ints("split", 0, 0, int64(c.Heads), int64(dim)), o.ints("joined", 0, 0, int64(c.Hidden))
	root, two, one, half := scalar("root", float32(math.Sqrt(float64(dim)))), scalar("two", math.Sqrt2), scalar("one", 1), scalar("half", .5)

	x := o.node("Gather", []string{constant("embeddings.word_embeddings.weight"), "input_ids"})
	types := t["embeddings.token_type_embeddings.weight"]
	x = o.node("Add", []string{x, o.floats("types", types.values[:c.Hidden], c.Hidden)})
	x = o.node("Add", []string{x, o.node("Gather", []string{constant("embeddings.position_embeddings.weight"), "position_ids"})})
	x = norm("embeddings.LayerNorm", x)
	mask := o.node("Cast", []string{o.node("Unsqueeze", []string{"attention_mask", o.ints("axes", 1, 2)})}, attribute("to", int64(onnxFloat)))
	mask = o.node("Mul", []string{o.node("Sub", []string{one, mask}), scalar("lowest", -math.MaxFloat32)})
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		heads := func(name string, order ...int64) string {
			y := o.node("Reshape", []string{linear(at+"attention.self."+name, x), split})
			return o.node("Transpose", []string{y}, attribute("perm", order))
		}
		q, k, v := heads("query", 0, 2, 1, 3), heads("key", 0, 2, 3, 1), heads("value", 0, 2, 1, 3)
		scores := o.node("Div", []string{o.node("MatMul", []string{q, k}), root})
		weights := o.node("Softmax", []string{o.node("Add", []string{scores, mask})}, attribute("axis", int64(-1)))
		y := o.node("Transpose", []string{o.node("MatMul", []string{weights, v})}, attribute("perm", []int64{0, 2, 1, 3}))
		y = linear(at+"attention.output.dense", o.node("Reshape", []string{y, joined}))
		x = norm(at+"attention.output.LayerNorm", o.node("Add", []string{y, x}))
		y = linear(at+"intermediate.dense", x)
		erf := o.node("Erf", []string{o.node("Div", []string{y, two})})
		y = o.node("Mul", []string{o.node("Mul", []string{y, o.node("Add", []string{erf, one})}), half})
		x = norm(at+"output.LayerNorm", o.node("Add", []string{linear(at+"output.dense", y), x}))
	}
	return o.model(x)
}
