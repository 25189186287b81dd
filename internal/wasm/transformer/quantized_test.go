package transformer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/internal/wasm/weights"
)

// small are shapes that go through every path: heads of 16, 12 and 40 components,
// whose products the kernels take and do not take, layers on vectors, RoBERTa's
// positions, no token types.
var small = []transformer.QuantizedConfig{
	{
		Vocabulary: 60, Hidden: 64, Layers: 3, Heads: 4, Intermediate: 160, Positions: 70, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Normalize: true,
		Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 24}, Labels: 3,
	},
	{
		Vocabulary: 60, Hidden: 48, Layers: 2, Heads: 4, Intermediate: 64, Positions: 72, FirstPosition: 2, Epsilon: 1e-5, Activation: dense.GELUTanh, CLS: true,
		Dense: []transformer.QuantizedDense{{Name: "dense.0", Out: 20, Activation: dense.Tanh}, {Name: "dense.1", Out: 13, Activation: dense.GELU}},
	},
	{
		Vocabulary: 60, Hidden: 80, Layers: 1, Heads: 2, Intermediate: 96, Positions: 70, Types: 1, Epsilon: 1e-12, Activation: dense.ReLU, Limit: 66,
		Branch: transformer.QuantizedBranch{From: 0, Layers: 1, Out: 8},
	},
}

func made(t testing.TB, c transformer.QuantizedConfig) (*transformer.Quantized, quantized.Floats) {
	t.Helper()
	f := quantized.Random(c, 7)
	w := quantized.Weights{From: []transformer.Tensors{f}}
	m, err := transformer.NewQuantized(c, w)
	if err == nil && c.Branch.Layers > 0 {
		err = m.AddBranch(w)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// texts of many lengths, some without tokens.
func texts(c *transformer.QuantizedConfig) *transformer.Batch {
	r := rand.New(rand.NewPCG(3, 4))
	b := &transformer.Batch{}
	for _, n := range []int{0, 1, 2, 3, 4, 5, 0, 7, 16, 17, 31, 0, 0, 66, 8, 1, 33, 66, 0} {
		b.Lengths = append(b.Lengths, n)
		for range n {
			b.IDs = append(b.IDs, r.Uint32N(uint32(c.Vocabulary)))
			b.Types = append(b.Types, r.Uint32N(uint32(max(1, c.Types))))
		}
	}
	return b
}

func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// A text has the same bits alone and in a batch, whatever the number of workers,
// the room for a pass, and what else is computed.
func TestQuantizedBatches(t *testing.T) {
	for i, c := range small {
		m, _ := made(t, c)
		b := texts(&c)
		n, dim, out, labels := len(b.Lengths), m.Config().Dim(), c.Branch.Out, c.Labels
		one := dense.NewPool(1)
		alone := m.NewScratch(one, 0)
		vectors, branch, scores := make([]float32, n*dim), make([]float32, n*out), make([]float32, n*labels)
		token := 0
		for j, length := range b.Lengths {
			text := &transformer.Batch{IDs: b.IDs[token : token+length], Types: b.Types[token : token+length], Lengths: []int{length}}
			token += length
			if err := m.Encode(vectors[j*dim:(j+1)*dim], nil, text, alone); err != nil {
				t.Fatal(err)
			}
			if out > 0 {
				if err := m.Encode(nil, branch[j*out:(j+1)*out], text, alone); err != nil {
					t.Fatal(err)
				}
			}
			if labels > 0 {
				if err := m.Classify(scores[j*labels:(j+1)*labels], text, alone); err != nil {
					t.Fatal(err)
				}
			}
			for _, v := range vectors[j*dim : (j+1)*dim] {
				if length == 0 && v != 0 {
					t.Fatal("a text without tokens has a vector")
				}
			}
		}
		for workers, rooms := range map[int][]int{1: {0, 100}, 2: {100}, 4: {1000}} {
			for _, room := range rooms {
				pool := dense.NewPool(workers)
				s := m.NewScratch(pool, room)
				what := fmt.Sprintf("model %d, %d workers, room for %d", i, workers, room)
				got, gotBranch := make([]float32, n*dim), []float32(nil)
				if out > 0 {
					gotBranch = make([]float32, n*out)
				}
				if err := m.Encode(got, gotBranch, b, s); err != nil {
					t.Fatal(err)
				}
				sameBits(t, what, got, vectors)
				if out > 0 {
					sameBits(t, what+", branch", gotBranch, branch)
				}
				if labels > 0 {
					got := make([]float32, n*labels)
					if err := m.Classify(got, b, s); err != nil {
						t.Fatal(err)
					}
					sameBits(t, what+", scores", got, scores)
				}
				pool.Close()
			}
		}
		one.Close()
	}
}

// The vectors are near those of the float32 engine on the same weights.
func TestQuantizedIsNear(t *testing.T) {
	c := small[0]
	m, f := made(t, c)
	b := texts(&c)
	pool := dense.NewPool(1)
	defer pool.Close()
	n := len(b.Lengths)
	vectors := make([]float32, n*c.Hidden)
	if err := m.Encode(vectors, nil, b, m.NewScratch(pool, 0)); err != nil {
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
	token := 0
	for i, length := range b.Lengths {
		mean := make([]float32, c.Hidden)
		for range length {
			for j := range mean {
				mean[j] += states[token*c.Hidden+j]
			}
			token++
		}
		if length == 0 {
			continue
		}
		if got := naive.Cosine(vectors[i*c.Hidden:(i+1)*c.Hidden], mean); got < .999 {
			t.Errorf("text %d of %d tokens: cosine %v", i, length, got)
		}
		var norm float64
		for _, v := range vectors[i*c.Hidden : (i+1)*c.Hidden] {
			norm += float64(v) * float64(v)
		}
		if approx.Apart(norm, 1, 1e-6) {
			t.Errorf("text %d has length %v", i, math.Sqrt(norm))
		}
	}
}

// changed weights stand for what a hostile pack may hold.
type changed struct {
	quantized.Weights
	matrix func(name string, m *weights.Matrix8)
	vector func(name string, v []float32)
}

func (w changed) Matrix(name string, out, in int) (weights.Matrix8, error) {
	m, err := w.Weights.Matrix(name, out, in)
	if err == nil && w.matrix != nil {
		w.matrix(name, &m)
	}
	return m, err
}

func (w changed) Vector(name string, n int) ([]float32, error) {
	v, err := w.Weights.Vector(name, n)
	if err == nil && w.vector != nil {
		w.vector(name, v)
	}
	return v, err
}

func TestQuantizedRefusesWeights(t *testing.T) {
	c := small[0]
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	refuse := func(what string, w transformer.Weights8, name string) {
		t.Helper()
		m, err := transformer.NewQuantized(c, w)
		if err == nil {
			err = m.AddBranch(w)
		}
		if err == nil || !strings.Contains(err.Error(), name) || !errors.Is(err, fault.Input) {
			t.Errorf("%s of %s: %v", what, name, err)
		}
	}
	w := quantized.Weights{From: []transformer.Tensors{quantized.Random(c, 7)}}
	for _, name := range []string{"embeddings.word_embeddings.weight", "encoder.layer.1.attention.self.key.weight", "branch.1.output.dense.weight", "projection.weight"} {
		for _, scale := range []float32{nan, inf, -1, 5} {
			refuse(fmt.Sprint("a scale ", scale), changed{Weights: w, matrix: func(n string, m *weights.Matrix8) {
				if n == name {
					m.Scales[len(m.Scales)-1] = scale
				}
			}}, name)
		}
		refuse("a wrong shape", changed{Weights: w, matrix: func(n string, m *weights.Matrix8) {
			if n == name {
				m.Values = m.Values[1:]
			}
		}}, name)
	}
	for _, name := range []string{"embeddings.position_embeddings.weight", "encoder.layer.0.output.LayerNorm.weight", "branch.0.intermediate.dense.bias"} {
		for _, value := range []float32{nan, -inf, 600} {
			refuse(fmt.Sprint("a number ", value), changed{Weights: w, vector: func(n string, v []float32) {
				if n == name {
					v[len(v)-1] = value
				}
			}}, name)
		}
	}
	f := quantized.Random(c, 7)
	delete(f, "encoder.layer.2.output.dense.bias")
	delete(f, "branch.0.attention.self.query.weight")
	refuse("no tensor", quantized.Weights{From: []transformer.Tensors{f}}, "encoder.layer.2.output.dense.bias")
	c.Labels = 0
	refuse("no tensor", quantized.Weights{From: []transformer.Tensors{f}}, "encoder.layer.2.output.dense.bias")
	c = small[0]
	f = quantized.Random(c, 7)
	f["pre_classifier.weight"] = f["pooler.dense.weight"]
	delete(f, "pooler.dense.weight")
	refuse("a head", quantized.Weights{From: []transformer.Tensors{f}}, "DistilBERT")
	delete(f, "encoder.layer.2.output.dense.bias")
	refuse("a head", quantized.Weights{From: []transformer.Tensors{f}}, "DistilBERT")
	refuse("no tensor, and a head", quantized.Weights{From: []transformer.Tensors{f}}, "encoder.layer.2.output.dense.bias")
}

// The greatest weights that are allowed overflow nothing, in the largest layers that
// are allowed.
func TestQuantizedStaysFinite(t *testing.T) {
	c := transformer.QuantizedConfig{Vocabulary: 2, Hidden: transformer.QuantizedHidden, Layers: 1, Heads: 1, Intermediate: transformer.QuantizedIntermediate, Positions: 4,
		Types: 1, Epsilon: 1e-15, Activation: dense.ReLU, Dense: []transformer.QuantizedDense{{Name: "a", Out: transformer.QuantizedHidden}, {Name: "b", Out: transformer.QuantizedHidden}},
		Normalize: true}
	m, err := transformer.NewQuantized(c, greatest{})
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	out := make([]float32, c.Hidden)
	if err := m.Encode(out, nil, &transformer.Batch{IDs: []uint32{0, 1, 0}, Lengths: []int{3}}, m.NewScratch(pool, 0)); err != nil {
		t.Fatal(err)
	}
	for i, v := range out {
		if !(v >= -1 && v <= 1) {
			t.Fatalf("component %d is %v", i, v)
		}
	}
}

// The first of two dense layers may be as wide as the memory that the layers of the transformer leave, and the last as
// wide as any.
func TestQuantizedWideDense(t *testing.T) {
	for _, intermediate := range []int{16, 32, 64} {
		c := transformer.QuantizedConfig{Vocabulary: 2, Hidden: 16, Layers: 1, Heads: 1, Intermediate: intermediate, Positions: 4, Types: 1, Epsilon: 1e-15, Activation: dense.ReLU,
			Dense: []transformer.QuantizedDense{{Name: "a", Out: min(48, intermediate)}, {Name: "b", Out: transformer.QuantizedHidden}}, Normalize: true}
		m, err := transformer.NewQuantized(c, greatest{})
		if err != nil {
			t.Fatal(err)
		}
		pool := dense.NewPool(2)
		b := &transformer.Batch{IDs: []uint32{0, 1, 0, 1, 1, 0}, Lengths: []int{3, 1, 1, 1}}
		out := make([]float32, len(b.Lengths)*c.Dim())
		err = m.Encode(out, nil, b, m.NewScratch(pool, 0))
		pool.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// greatest are weights at the bounds, which add up.
type greatest struct{}

func (greatest) Has(name string) bool { return true }

func (greatest) Vector(name string, n int) ([]float32, error) {
	v := make([]float32, n)
	for i := range v {
		if v[i] = transformer.QuantizedMagnitude; strings.Contains(name, "LayerNorm") && i%2 == 1 {
			v[i] = -v[i]
		}
	}
	return v, nil
}

func (greatest) Matrix(name string, out, in int) (weights.Matrix8, error) {
	m := weights.Matrix8{Out: out, In: in, Values: make([]int8, out*in), Scales: make([]float32, out)}
	row := make([]int8, in) // of an even output; an odd one has the opposite
	for i := range row {
		if row[i] = 127; i%2 == 1 && !strings.Contains(name, "output.dense") {
			row[i] = -127
		}
	}
	for o := range out {
		m.Scales[o] = transformer.QuantizedMagnitude / 127.
		copy(m.Values[o*in:], row)
		for i := range row {
			row[i] = -row[i]
		}
	}
	return m, nil
}

func TestQuantizedConfigCheck(t *testing.T) {
	good := small[0]
	for name, change := range map[string]func(c *transformer.QuantizedConfig){
		"the hidden size":               func(c *transformer.QuantizedConfig) { c.Hidden = 72 },
		"the intermediate size":         func(c *transformer.QuantizedConfig) { c.Intermediate = 8 },
		"attention heads":               func(c *transformer.QuantizedConfig) { c.Heads = 5 },
		"the number of attention heads": func(c *transformer.QuantizedConfig) { c.Heads = 0 },
		"the number of layers":          func(c *transformer.QuantizedConfig) { c.Layers = 65 },
		"the vocabulary":                func(c *transformer.QuantizedConfig) { c.Vocabulary = 1 << 21 },
		"the limit of tokens":           func(c *transformer.QuantizedConfig) { c.Limit = 71 },
		"the first position":            func(c *transformer.QuantizedConfig) { c.FirstPosition = 70 },
		"epsilon":                       func(c *transformer.QuantizedConfig) { c.Epsilon = float32(math.NaN()) },
		"the activation of the layers":  func(c *transformer.QuantizedConfig) { c.Activation = dense.SiLU },
		"the activation of d": func(c *transformer.QuantizedConfig) {
			c.Dense = []transformer.QuantizedDense{{Name: "d", Out: 1, Activation: dense.SiLU}}
		},
		"the outputs of d": func(c *transformer.QuantizedConfig) { c.Dense = []transformer.QuantizedDense{{Name: "d"}} },
		"the outputs of wide": func(c *transformer.QuantizedConfig) {
			c.Dense = []transformer.QuantizedDense{{Name: "wide", Out: min(3*c.Hidden, max(c.Hidden, c.Intermediate)) + 1}, {Name: "last", Out: 1}}
		},
		"the number of dense layers":        func(c *transformer.QuantizedConfig) { c.Dense = make([]transformer.QuantizedDense, 3) },
		"the layer that the branch leaves":  func(c *transformer.QuantizedConfig) { c.Branch.From = 4 },
		"the width of the branch":           func(c *transformer.QuantizedConfig) { c.Branch.Out = 0 },
		"the number of the branch's layers": func(c *transformer.QuantizedConfig) { c.Branch.Layers = -1 },
		"the number of inputs of the reader": func(c *transformer.QuantizedConfig) {
			c.Reader = transformer.QuantizedReader{States: []int{1, 2, 3}, Width: 1, Labels: 1}
		},
		"five times the width of the reader":       func(c *transformer.QuantizedConfig) { c.Reader.Width = 33 },
		"five times the width of the reader is -5": func(c *transformer.QuantizedConfig) { c.Reader.Width = -1 },
		"the number of the reader's labels":        func(c *transformer.QuantizedConfig) { c.Reader.Labels = transformer.QuantizedHidden + 1 },
		"the hidden size is 0":                     func(c *transformer.QuantizedConfig) { c.Hidden, c.Reader.States = 0, []int{1} },
		"the hidden size is -64":                   func(c *transformer.QuantizedConfig) { c.Hidden, c.Reader.States = -64, []int{1} },
	} {
		c := good
		change(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), name) || !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

func TestQuantizedRefusesBatches(t *testing.T) {
	c := small[0]
	c.Labels = 0
	m, _ := made(t, c)
	pool := dense.NewPool(1)
	defer pool.Close()
	s := m.NewScratch(pool, 0)
	room := make([]float32, 1000)
	for name, b := range map[string]*transformer.Batch{
		"token id 60":     {IDs: []uint32{60}, Lengths: []int{1}},
		"token type 2":    {IDs: []uint32{1}, Types: []uint32{2}, Lengths: []int{1}},
		"71 tokens":       {IDs: make([]uint32, 71), Lengths: []int{71}},
		"negative length": {Lengths: []int{-1}},
		"do not agree":    {IDs: []uint32{1}, Lengths: []int{2}},
		"attends to all":  {IDs: []uint32{1}, Lengths: []int{1}, Keys: []int{1}},
	} {
		if err := m.Encode(room, room, b, s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := &transformer.Batch{IDs: []uint32{1}, Lengths: []int{1}}
	if m.Encode(room[:63], nil, one, s) == nil || m.Encode(room, room[:23], one, s) == nil {
		t.Error("no room, no error")
	}
	if m.Classify(room, one, s) == nil {
		t.Error("scores without a head")
	}
	c.Branch.Layers = 0
	m, _ = made(t, c)
	if m.Encode(room, room, one, m.NewScratch(pool, 0)) == nil || m.AddBranch(quantized.Weights{}) == nil {
		t.Error("a branch that is not there")
	}
	if err := m.Encode(nil, nil, &transformer.Batch{}, m.NewScratch(pool, 0)); err != nil {
		t.Errorf("an empty batch: %v", err)
	}
}

// Scratch is as large as it is said to be, and all that a pass needs.
func TestQuantizedScratch(t *testing.T) {
	c := quantized.MiniLM
	c.Vocabulary, c.Layers, c.Branch.From, c.Branch.Layers = 20, 1, 1, 1
	m, _ := made(t, c)
	for _, workers := range []int{1, 2} {
		pool := dense.NewPool(workers)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := m.NewScratch(pool, 0)
		runtime.ReadMemStats(&after)
		allocated, stated := int(after.TotalAlloc-before.TotalAlloc), c.ScratchBytes(workers, 0)
		t.Logf("%d workers: %d bytes, %d stated", workers, allocated, stated)
		if allocated > stated*21/20 || allocated < stated*19/20 {
			t.Errorf("%d workers: scratch takes %d bytes, %d are stated", workers, allocated, stated)
		}
		b := &transformer.Batch{IDs: make([]uint32, 256), Lengths: []int{256}}
		topic, angle := make([]float32, 384), make([]float32, 128)
		runtime.ReadMemStats(&before)
		if err := m.Encode(topic, angle, b, s); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<10 {
			t.Errorf("%d workers: a text of 256 tokens allocates %d bytes", workers, n)
		}
		pool.Close()
	}
}

func BenchmarkQuantized(b *testing.B) {
	c := quantized.MiniLM
	c.Vocabulary = 100
	m, _ := made(b, c)
	for _, shape := range [][2]int{{1, 16}, {1, 64}, {32, 64}} {
		b.Run(fmt.Sprintf("%dx%d", shape[0], shape[1]), func(b *testing.B) {
			pool := dense.NewPool(1)
			defer pool.Close()
			s := m.NewScratch(pool, 1024)
			batch := &transformer.Batch{IDs: make([]uint32, shape[0]*shape[1])}
			for range shape[0] {
				batch.Lengths = append(batch.Lengths, shape[1])
			}
			out := make([]float32, shape[0]*c.Hidden)
			for b.Loop() {
				if err := m.Encode(out, nil, batch, s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(shape[0]*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

// Any number of outputs is right for a head, so that its refusal names the width alone.
func TestHeadRefusesWidth(t *testing.T) {
	for _, shape := range [][]int{{3, 20}, {3}, {}} {
		_, err := transformer.NewHead(headTensors(shape), 16, transformer.HeadLayer{Name: "classifier"})
		if err == nil || !strings.Contains(err.Error(), "× 16]") || strings.Contains(err.Error(), "-1") {
			t.Errorf("%v: %v", shape, err)
		}
	}
}

// headTensors is a checkpoint that has a layer of a head with this shape.
type headTensors []int

func (h headTensors) Tensor(name string) ([]float32, []int, bool) {
	return make([]float32, 60), h, name == "classifier.weight"
}
