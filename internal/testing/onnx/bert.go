package onnx

import (
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// BERT writes a model as the graph that PyTorch's exporter writes, so that ONNX
// Runtime recognises and fuses its patterns. Its inputs are input_ids,
// attention_mask and, with givenPositions, position_ids. Without these, texts must be
// padded at their ends.
// With c.Int8, the layers are those of ONNX Runtime's dynamic quantization: weights of
// 8 bits with a scale for each output, and inputs that are quantized at run time.
func BERT(c transformer.BERTConfig, t transformer.Tensors, givenPositions bool) []byte {
	o := &graph{}
	constant := func(name string) string {
		values, shape, _ := t.Tensor(name)
		return o.floats(name, values, shape...)
	}
	scalar := func(name string, v float32) string { return o.floats(name, []float32{v}) }
	rounded := map[string][]string{} // inputs that several layers take
	linear8 := func(name, x string) string {
		w, shape, _ := t.Tensor(name + ".weight")
		out, in := shape[0], shape[1]
		transposed, scales := make([]int8, len(w)), make([]float32, out)
		for i := range out {
			var greatest float64
			for _, v := range w[i*in : (i+1)*in] {
				greatest = max(greatest, math.Abs(float64(v)))
			}
			scales[i] = float32(greatest / 127)
			for j, v := range w[i*in : (i+1)*in] {
				transposed[j*out+i] = int8(math.RoundToEven(float64(v) / (greatest / 127)))
			}
		}
		if rounded[x] == nil {
			rounded[x] = o.outputs(3, "DynamicQuantizeLinear", []string{x})
		}
		q := rounded[x] // values, scale, zero point
		y := o.node("MatMulInteger", []string{q[0], o.bytes(name+".weight", transposed, in, out), q[2]})
		y = o.node("Cast", []string{y}, attribute("to", int64(float)))
		y = o.node("Mul", []string{y, o.node("Mul", []string{q[1], o.floats(name+".scales", scales, out)})})
		return o.node("Add", []string{y, constant(name + ".bias")})
	}
	linear := func(name, x string) string {
		if c.Int8 {
			return linear8(name, x)
		}
		w, shape, _ := t.Tensor(name + ".weight")
		out, in := shape[0], shape[1]
		transposed := make([]float32, len(w))
		for i := range out {
			for j := range in {
				transposed[j*out+i] = w[i*in+j]
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
	types, _, _ := t.Tensor("embeddings.token_type_embeddings.weight")
	x = o.node("Add", []string{x, o.floats("types", types[:c.Hidden], c.Hidden)})
	inputs, positions := []string{"input_ids", "attention_mask"}, "position_ids"
	if givenPositions {
		inputs = append(inputs, positions)
	} else {
		positions = o.node("Sub", []string{o.node("CumSum", []string{"attention_mask", o.ints("along", 1)}), o.ints("first", 1)})
	}
	x = o.node("Add", []string{x, o.node("Gather", []string{constant("embeddings.position_embeddings.weight"), positions})})
	x = norm("embeddings.LayerNorm", x)
	mask := o.node("Cast", []string{o.node("Unsqueeze", []string{"attention_mask", o.ints("axes", 1, 2)})}, attribute("to", int64(float)))
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
	return o.model(x, inputs)
}
