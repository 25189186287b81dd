package transformer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// readers are shapes with a reader: one that looks at the first and the last layer, one that need not
// compute the last, whose width is no multiple of anything and beside which the layers are narrow, and one of RoBERTa's positions.
var readers = []transformer.QuantizedConfig{
	{
		Vocabulary: 60, Hidden: 64, Layers: 3, Heads: 4, Intermediate: 160, Positions: 70, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Normalize: true,
		Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 24}, Reader: transformer.QuantizedReader{States: []int{1, 3}, Width: 32, Labels: 6},
	},
	{
		Vocabulary: 60, Hidden: 48, Layers: 3, Heads: 4, Intermediate: 64, Positions: 70, Types: 1, Epsilon: 1e-5, Activation: dense.GELUTanh, CLS: true,
		Reader: transformer.QuantizedReader{States: []int{2}, Width: 7, Labels: 2},
	},
	{
		Vocabulary: 60, Hidden: 32, Layers: 4, Heads: 2, Intermediate: 96, Positions: 72, FirstPosition: 2, Epsilon: 1e-12, Activation: dense.GELU, Limit: 66,
		Reader: transformer.QuantizedReader{States: []int{1, 2, 4}, Width: 19, Labels: 4},
	},
}

func madeReader(t testing.TB, c transformer.QuantizedConfig) (*transformer.Quantized, quantized.Floats) {
	t.Helper()
	m, f := made(t, c)
	if m.HasReader() {
		t.Fatal("a reader before its weights")
	}
	if err := m.AddReader(quantized.Weights{From: []transformer.Tensors{f}}); err != nil || !m.HasReader() {
		t.Fatal(err)
	}
	return m, f
}

func query(c *transformer.QuantizedConfig, r *rand.Rand, n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(c.FirstPosition) + r.Uint32N(uint32(c.Vocabulary-c.FirstPosition)) // no padding, which has a position of its own
	}
	return ids
}

// layer is a layer of floats, [out, in] with a bias.
func layer(f quantized.Floats, name string, x []float64) []float64 {
	weight, shape, _ := f.Tensor(name + ".weight")
	bias, _, _ := f.Tensor(name + ".bias")
	if shape[1] != len(x) {
		panic(fmt.Sprintf("%s of %d inputs gets %d", name, shape[1], len(x)))
	}
	out := make([]float64, shape[0])
	for o := range out {
		out[o] = float64(bias[o])
		for i, v := range x {
			out[o] += v * float64(weight[o*len(x)+i])
		}
	}
	return out
}

func relu(x []float64) []float64 {
	for i, v := range x {
		x[i] = max(0, v)
	}
	return x
}

// naiveRead is what a reader says by the words of pack.Reader, in float64 and one number at a time. The states are those
// of the float32 engine.
func naiveRead(t *testing.T, c *transformer.QuantizedConfig, f quantized.Floats, ids []uint32) (labels, root []float64) {
	t.Helper()
	pool := dense.NewPool(1)
	defer pool.Close()
	inputs := make([][]float64, len(ids))
	for _, layers := range c.Reader.States {
		m, err := transformer.NewBERT(transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: layers, Heads: c.Heads, Intermediate: c.Intermediate,
			Positions: c.Positions, FirstPosition: c.FirstPosition, Types: c.Types, Epsilon: c.Epsilon, Activation: c.Activation}, f)
		if err != nil {
			t.Fatal(err)
		}
		states := make([]float32, len(ids)*c.Hidden)
		if err := m.Forward(states, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, &transformer.Scratch{Pool: pool}); err != nil {
			t.Fatal(err)
		}
		for i, v := range states {
			inputs[i/c.Hidden] = append(inputs[i/c.Hidden], float64(v))
		}
	}
	var u [][]float64
	for _, x := range inputs {
		u = append(u, relu(layer(f, "reader.states", x)))
	}
	for _, name := range []string{"reader.near.0", "reader.near.1"} {
		var more [][]float64
		for i := range u {
			var around []float64
			for j := i - 2; j <= i+2; j++ {
				if j < 0 || j >= len(u) {
					around = append(around, make([]float64, c.Reader.Width)...)
				} else {
					around = append(around, u[j]...)
				}
			}
			more = append(more, relu(layer(f, name, around)))
		}
		for i := range u {
			for j := range u[i] {
				u[i][j] += more[i][j]
			}
		}
	}
	first, mean, most := append([]float64(nil), u[0]...), make([]float64, c.Reader.Width), append([]float64(nil), u[0]...)
	for _, row := range u {
		for j, v := range row {
			mean[j] += v / float64(len(u))
			most[j] = max(most[j], v)
		}
	}
	all := append(append(first, mean...), most...)
	gate := relu(layer(f, "reader.gate", all))
	for _, row := range u {
		both := append([]float64(nil), row...)
		for j, v := range row {
			both = append(both, v*gate[j])
		}
		root = append(root, layer(f, "reader.root", both)[0])
	}
	return layer(f, "reader.label", all), root
}

// The reader computes what pack.Reader says, but for the rounding of weights and states to 8 bits.
func TestQuantizedRead(t *testing.T) {
	for i, c := range readers {
		m, f := madeReader(t, c)
		pool := dense.NewPool(1)
		defer pool.Close()
		s, r := m.NewScratch(pool, 0), rand.New(rand.NewPCG(5, uint64(i)))
		var off, size, wrong, signs float64
		for _, n := range []int{1, 2, 3, 4, 5, 6, 9, 16, 33, 64} {
			ids := query(&c, r, n)
			labels, root, err := m.Read(ids, s)
			if err != nil || len(labels) != c.Reader.Labels || len(root) != n {
				t.Fatalf("model %d, %d tokens: %d labels, %d roots, %v", i, n, len(labels), len(root), err)
			}
			wantLabels, wantRoot := naiveRead(t, &c, f, ids)
			for j, want := range append(wantLabels, wantRoot...) {
				got := float64(append(labels[:len(labels):len(labels)], root...)[j])
				off, size = off+(got-want)*(got-want), size+want*want
				if signs++; (got > 0) != (want > 0) {
					wrong++
				}
			}
		}
		t.Logf("model %d: relative error %.4f, %.0f of %.0f signs differ", i, math.Sqrt(off/size), wrong, signs)
		if math.Sqrt(off/size) > .05 || wrong > .03*signs {
			t.Errorf("model %d: relative error %.4f, %.0f of %.0f signs differ", i, math.Sqrt(off/size), wrong, signs)
		}
	}
}

// A query has the same reading, to the bit, with any number of workers, after other texts went through the
// scratch, and from two scratches at once. Vectors are the same after queries were read.
func TestQuantizedReadBits(t *testing.T) {
	for i, c := range readers {
		m, _ := madeReader(t, c)
		one := dense.NewPool(1)
		defer one.Close()
		r := rand.New(rand.NewPCG(6, uint64(i)))
		long, vector := query(&c, r, 66), make([]float32, c.Hidden)
		want := make([]float32, c.Hidden)
		if err := m.Encode(want, nil, &transformer.Batch{IDs: long, Lengths: []int{66}}, m.NewScratch(one, 0)); err != nil {
			t.Fatal(err)
		}
		var used []*transformer.QuantizedScratch
		for workers := range 3 {
			pool := dense.NewPool(workers + 1)
			defer pool.Close()
			used = append(used, m.NewScratch(pool, 200*workers))
		}
		for _, n := range []int{1, 17, 64, 5, 2} {
			ids := query(&c, r, n)
			labels, root, err := m.Read(ids, m.NewScratch(one, 0))
			if err != nil {
				t.Fatal(err)
			}
			for j, s := range used {
				gotLabels, gotRoot, err := m.Read(ids, s)
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("model %d, %d tokens, scratch %d", i, n, j)
				sameBits(t, what+", labels", gotLabels, labels)
				sameBits(t, what+", root", gotRoot, root)
				if err := m.Encode(vector, nil, &transformer.Batch{IDs: long, Lengths: []int{66}}, s); err != nil {
					t.Fatal(err)
				}
				sameBits(t, what+", vector", vector, want)
			}
		}
	}
}

func TestQuantizedReadRefuses(t *testing.T) {
	c := readers[0]
	m, f := madeReader(t, c)
	pool := dense.NewPool(1)
	defer pool.Close()
	s := m.NewScratch(pool, 0)
	for says, ids := range map[string][]uint32{"token id 60": {1, 60}, "71 tokens": make([]uint32, 71), "no room": {}} {
		_, _, err := m.Read(ids, s)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, _, err := m.Read(make([]uint32, 65), s); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("more tokens than a chunk has rows: %v", err)
	}
	w := quantized.Weights{From: []transformer.Tensors{f}}
	bare := c
	bare.Reader = transformer.QuantizedReader{}
	without, _ := made(t, bare)
	if err := without.AddReader(w); err == nil || !strings.Contains(err.Error(), "its configuration has no reader") || !errors.Is(err, fault.Input) {
		t.Error(err)
	}
	if _, _, err := without.Read([]uint32{1}, without.NewScratch(pool, 0)); err == nil || !strings.Contains(err.Error(), "reader is not there") {
		t.Error(err)
	}
	// Whatever is wrong with a tensor, there is no reader, and the rest of the model works.
	for name := range f {
		if !strings.HasPrefix(name, "reader.") {
			continue
		}
		for problem, change := range map[string]func(x quantized.Float) quantized.Float{
			"missing": nil,
			"shape": func(x quantized.Float) quantized.Float {
				return quantized.Float{Values: append(x.Values, x.Values...), Shape: append([]int{2 * x.Shape[0]}, x.Shape[1:]...)}
			},
			"must lie between": func(x quantized.Float) quantized.Float {
				x.Values = append([]float32(nil), x.Values...)
				x.Values[len(x.Values)-1] = 3 * transformer.QuantizedMagnitude
				return x
			},
		} {
			other, _ := made(t, c)
			changed := quantized.Floats{}
			for n, x := range f {
				changed[n] = x
			}
			if delete(changed, name); change != nil {
				changed[name] = change(f[name])
			}
			err := other.AddReader(quantized.Weights{From: []transformer.Tensors{changed}})
			if err == nil || !strings.Contains(err.Error(), name) || other.HasReader() {
				t.Errorf("%s %s: %v", name, problem, err)
			}
			if err := other.Encode(make([]float32, c.Hidden), nil, &transformer.Batch{IDs: []uint32{1}, Lengths: []int{1}}, other.NewScratch(pool, 0)); err != nil {
				t.Error(err)
			}
			if err := other.AddReader(w); err != nil || !other.HasReader() {
				t.Errorf("%s %s, then all: %v", name, problem, err)
			}
		}
	}
}

// The greatest weights that are allowed give no number that the next layer cannot round.
func TestQuantizedReadIsFinite(t *testing.T) {
	c := readers[0]
	m, err := transformer.NewQuantized(c, greatest{})
	if err == nil {
		err = m.AddReader(greatest{})
	}
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(1)
	defer pool.Close()
	labels, root, err := m.Read([]uint32{1, 2, 3, 4, 5, 6, 7}, m.NewScratch(pool, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range append(labels, root...) {
		if !(math.Abs(float64(v)) <= math.MaxFloat32) {
			t.Errorf("labels %v, root %v", labels, root)
			break
		}
	}
}
