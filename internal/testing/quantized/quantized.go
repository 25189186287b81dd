// Package quantized makes weights of 8 and 4 bits, and packs of them, for tests and
// benchmarks: random ones, and those of a checkpoint of floats.
package quantized

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/internal/wasm/weights"
)

// Weights are tensors of floats, whose matrices are rounded when they are asked for.
type Weights struct {
	From []transformer.Tensors // the first that has a tensor gives it
	Four bool                  // matrices are rounded to 4 bits first, in groups of 32
}

// Tensor implements transformer.Tensors.
func (w Weights) Tensor(name string) ([]float32, []int, bool) {
	for _, t := range w.From {
		if values, shape, ok := t.Tensor(name); ok {
			return values, shape, true
		}
	}
	return nil, nil, false
}

// Has implements transformer.Weights8.
func (w Weights) Has(name string) bool {
	_, _, ok := w.Tensor(name)
	return ok
}

// Vector implements transformer.Weights8.
func (w Weights) Vector(name string, n int) ([]float32, error) {
	values, shape, ok := w.Tensor(name)
	if !ok {
		return nil, &transformer.MissingError{Name: name}
	}
	if len(values) != n {
		return nil, &transformer.ShapeError{Name: name, Got: shape, Want: []int{n}}
	}
	return slices.Clone(values), nil
}

// Matrix implements transformer.Weights8.
func (w Weights) Matrix(name string, out, in int) (weights.Matrix8, error) {
	values, shape, ok := w.Tensor(name)
	if !ok {
		return weights.Matrix8{}, &transformer.MissingError{Name: name}
	}
	if !slices.Equal(shape, []int{out, in}) {
		return weights.Matrix8{}, &transformer.ShapeError{Name: name, Got: shape, Want: []int{out, in}}
	}
	// The recipe of the model rounds neither biases nor norms nor small tables.
	if w.Four && (strings.HasSuffix(name, "word_embeddings.weight") || !strings.HasPrefix(name, "embeddings.")) {
		values = Round4(values)
	}
	return Round8(values, out, in), nil
}

// Round4 rounds numbers to -7…7 times a half-float scale in groups of 32, as
// encoder.Round4 of ../shared/model/sides/recipe does.
func Round4(values []float32) []float32 {
	rounded := make([]float32, len(values))
	for at := 0; at < len(values); at += 32 {
		group := values[at:min(at+32, len(values))]
		scale := max(shard.F16ToF32(shard.F32ToF16(greatest(group)/7)), 1e-8)
		for i, v := range group {
			q := math.RoundToEven(float64(v / scale))
			rounded[at+i] = float32(float32(max(-7, min(7, q))) * scale)
		}
	}
	return rounded
}

// Round8 rounds each row of a matrix to 127 steps of its greatest magnitude.
func Round8(values []float32, out, in int) weights.Matrix8 {
	m := weights.Matrix8{Out: out, In: in, Values: make([]int8, out*in), Scales: make([]float32, out)}
	for o := range out {
		row := values[o*in : (o+1)*in]
		scale := greatest(row) / 127
		if m.Scales[o] = scale; scale == 0 {
			continue
		}
		for i, v := range row {
			m.Values[o*in+i] = int8(max(-127, min(127, math.RoundToEven(float64(v/scale)))))
		}
	}
	return m
}

func greatest(values []float32) float32 {
	var greatest float32
	for _, v := range values {
		greatest = max(greatest, float32(math.Abs(float64(v))))
	}
	return greatest
}

// Floats are tensors by their names.
type Floats map[string]Float

// Float is one tensor.
type Float struct {
	Values []float32
	Shape  []int
}

// Tensor implements transformer.Tensors.
func (f Floats) Tensor(name string) ([]float32, []int, bool) {
	t, ok := f[name]
	return t.Values, t.Shape, ok
}

// Random are weights of a model's shape, of a size at which nothing saturates and
// every token matters.
func Random(c transformer.QuantizedConfig, seed uint64) Floats {
	r := rand.New(rand.NewPCG(seed, 2))
	f := Floats{}
	add := func(name string, base, spread float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(base + spread*r.NormFloat64())
		}
		f[name] = Float{values, shape}
	}
	linear := func(name string, out, in int) {
		add(name+".weight", 0, 1.5/math.Sqrt(float64(in)), out, in)
		add(name+".bias", 0, .1, out)
	}
	norm := func(name string) {
		add(name+".weight", 1, .1, c.Hidden)
		add(name+".bias", 0, .1, c.Hidden)
	}
	layer := func(at string) {
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			linear(at+name, c.Hidden, c.Hidden)
		}
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", c.Intermediate, c.Hidden)
		linear(at+"output.dense", c.Hidden, c.Intermediate)
		norm(at + "output.LayerNorm")
	}
	add("embeddings.word_embeddings.weight", 0, .5, c.Vocabulary, c.Hidden)
	add("embeddings.position_embeddings.weight", 0, .1, c.Positions, c.Hidden)
	add("embeddings.token_type_embeddings.weight", 0, .1, max(1, c.Types), c.Hidden)
	norm("embeddings.LayerNorm")
	for i := range c.Layers {
		layer(fmt.Sprintf("encoder.layer.%d.", i))
	}
	in := c.Hidden
	for _, d := range c.Dense {
		linear(d.Name, d.Out, in)
		in = d.Out
	}
	if c.Labels > 0 {
		linear("pooler.dense", c.Hidden, c.Hidden)
		linear("classifier", c.Labels, c.Hidden)
	}
	for i := range c.Branch.Layers {
		layer(fmt.Sprintf("branch.%d.", i))
	}
	if c.Branch.Layers > 0 {
		add("projection.weight", 0, .1, c.Branch.Out, c.Hidden)
	}
	if c.Tokens > 0 {
		add(transformer.TokenProjection+".weight", 0, .1, c.Tokens, c.Hidden)
	}
	if r := c.Reader; r.Width > 0 {
		linear("reader.states", r.Width, len(r.States)*c.Hidden)
		linear("reader.near.0", r.Width, pack.Near*r.Width)
		linear("reader.near.1", r.Width, pack.Near*r.Width)
		linear("reader.label", r.Labels, 3*r.Width)
		linear("reader.gate", r.Width, 3*r.Width)
		linear("reader.root", 1, 2*r.Width)
	}
	return f
}
