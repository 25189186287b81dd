// Package xla runs transformers as GoMLX graphs: on a GPU through XLA (build tag cuda,
// see OpenCUDA), or on another backend of GoMLX, such as the one in plain Go that the
// tests use.
//
// XLA compiles a graph for each shape of its input, so texts are padded to a few lengths and
// grouped into batches of a few sizes. Padding is masked: it changes a text's vector only by
// rounding. Pooling happens on the device, so that for each text and way of pooling only one
// vector crosses the bus, not one per token.
package xla

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/dtypes/bfloat16"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Device is a GoMLX backend with one type of numbers.
type Device struct {
	backend backends.Backend
	name    string
	bf16    bool
}

// New returns the device of a backend. name is for people. With bf16, tables, matrices and
// the operands of matrix products are bfloat16; vectors of weights, sums, norms, softmax,
// the residual stream and pooling stay in float32.
func New(b backends.Backend, name string, bf16 bool) *Device { return &Device{b, name, bf16} }

// Name implements model.Device.
func (d *Device) Name() string { return d.name }

// BF16 implements model.Device.
func (d *Device) BF16() bool { return d.bf16 }

// Close frees the backend. Its models must be closed before.
func (d *Device) Close() { d.backend.Finalize() }

// architecture is the graph of a kind of transformer.
type architecture interface {
	// hidden states [batch, length, width] of f32 from ids [batch, length].
	forward(b *builder, ids, mask *graph.Node) *graph.Node
}

// loaded is a model whose weights are on the device.
type loaded struct {
	device                     *Device
	arch                       architecture
	width, vocabulary, longest int
	weights                    []weight

	mu       sync.Mutex // one batch at a time, because two would share the device and need twice the memory
	programs map[string]*graph.Graph
	closed   bool
}

// weight is a tensor on the device.
type weight struct {
	shape  shapes.Shape
	buffer backends.Buffer
}

// Load implements model.Device.
func (d *Device) Load(arch any, t transformer.Tensors) (_ model.Loaded, err error) {
	m := &loaded{device: d, programs: map[string]*graph.Graph{}}
	u := &uploader{m: m}
	defer func() {
		if err != nil {
			m.Close()
		}
	}()
	err = caught(func() error {
		switch c := arch.(type) {
		case transformer.BERTConfig:
			return loadBERT(u, c, t)
		case transformer.OPTConfig:
			return loadOPT(u, c, t)
		case transformer.T5Config:
			return loadT5(u, c, t)
		}
		return fmt.Errorf("a device runs BERT and its kin, OPT and T5's encoder, not a %T", arch)
	})
	return m, err
}

// caught turns a panic of GoMLX into an error. GoMLX's graphs report errors by panics.
func caught(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = p
		default:
			err = fmt.Errorf("%v", p)
		}
	}()
	return f()
}

func (m *loaded) Hidden() int     { return m.width }
func (m *loaded) Vocabulary() int { return m.vocabulary }
func (m *loaded) MaxTokens() int  { return m.longest }

// Close frees the model's memory on the device.
func (m *loaded) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.programs {
		g.Finalize()
	}
	err := error(nil)
	for _, w := range m.weights {
		if e := m.device.backend.BufferFinalize(w.buffer); e != nil {
			err = e
		}
	}
	m.programs, m.weights, m.closed = nil, nil, true
	return err
}

// Pool implements model.Loaded.
func (m *loaded) Pool(ctx context.Context, texts [][]uint32, skips []int, poolings []model.Pooling) ([]float32, error) {
	for i, ids := range texts {
		if m.longest > 0 && len(ids) > m.longest {
			return nil, fmt.Errorf("text %d has %d tokens, the model takes at most %d: truncate it", i, len(ids), m.longest)
		}
	}
	row := m.width * len(poolings)
	out := make([]float32, len(texts)*row)
	for _, b := range m.plan(texts) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pooled, err := m.run(b.shape, texts, skips, b.texts, poolings)
		if err != nil {
			return nil, fmt.Errorf("the device failed on %d texts of up to %d tokens: %w", len(b.texts), b.length, err)
		}
		for at, text := range b.texts {
			copy(out[text*row:(text+1)*row], pooled[at*row:])
		}
	}
	return out, nil
}

// Warm implements model.Loaded.
func (m *loaded) Warm(ctx context.Context, poolings []model.Pooling, length int) error {
	for _, s := range m.shapes(m.warmed(length)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := m.run(s, [][]uint32{{0}}, nil, []int{0}, poolings); err != nil {
			return fmt.Errorf("a batch of %d texts of %d tokens: %w", s.batch, s.length, err)
		}
	}
	return nil
}

// run computes chosen texts with the program of a shape: [batch, poolings, width].
func (m *loaded) run(s shape, texts [][]uint32, skips, chosen []int, poolings []model.Pooling) (pooled []float32, err error) {
	ids, lengths, first := make([]int32, s.batch*s.length), make([]int32, s.batch), make([]int32, s.batch)
	for i := range lengths {
		lengths[i] = 1 // rows without a text, which must attend to something
	}
	for row, text := range chosen {
		for i, id := range texts[text] {
			ids[row*s.length+i] = int32(id)
		}
		lengths[row] = int32(len(texts[text]))
		if skips != nil {
			first[row] = int32(skips[text])
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, fmt.Errorf("the model is closed")
	}
	err = caught(func() error {
		program, err := m.program(s, poolings)
		if err != nil {
			return err
		}
		inputs := make([]backends.Buffer, 0, len(m.weights)+3)
		for _, input := range []struct {
			values any
			shape  shapes.Shape
		}{{ids, shapes.Make(dtypes.Int32, s.batch, s.length)}, {lengths, shapes.Make(dtypes.Int32, s.batch)}, {first, shapes.Make(dtypes.Int32, s.batch)}} {
			buffer, err := m.device.backend.BufferFromFlatData(0, input.values, input.shape)
			if err != nil {
				return err
			}
			defer m.device.backend.BufferFinalize(buffer)
			inputs = append(inputs, buffer)
		}
		for _, w := range m.weights {
			inputs = append(inputs, w.buffer)
		}
		result := program.RunWithBuffers(inputs, make([]bool, len(inputs)), 0)[0]
		defer result.FinalizeAll()
		pooled, err = tensors.CopyFlatData[float32](result)
		return err
	})
	return pooled, err
}

// program returns the compiled graph of a shape.
func (m *loaded) program(s shape, poolings []model.Pooling) (*graph.Graph, error) {
	key := fmt.Sprint(s, poolings)
	if g := m.programs[key]; g != nil {
		return g, nil
	}
	g := graph.NewGraph(m.device.backend, fmt.Sprintf("batch%d_length%d", s.batch, s.length))
	defer func() {
		if m.programs[key] == nil { // an error or a panic
			g.Finalize()
		}
	}()
	b := &builder{g: g, compute: dtypes.Float32}
	if m.device.bf16 {
		b.compute = dtypes.BFloat16
	}
	ids := graph.Parameter(g, "ids", shapes.Make(dtypes.Int32, s.batch, s.length))
	lengths := graph.Parameter(g, "lengths", shapes.Make(dtypes.Int32, s.batch))
	skip := graph.Parameter(g, "skip", shapes.Make(dtypes.Int32, s.batch))
	for i, w := range m.weights {
		b.weights = append(b.weights, graph.Parameter(g, fmt.Sprintf("w%d", i), w.shape))
	}
	position := graph.Iota(g, shapes.Make(dtypes.Int32, s.batch, s.length), 1)
	mask := graph.LessThan(position, graph.ExpandAxes(lengths, -1))
	hidden := m.arch.forward(b, ids, mask)
	if err := g.Compile(b.pool(hidden, mask, position, lengths, skip, poolings)); err != nil {
		return nil, err
	}
	m.programs[key] = g
	return g, nil
}

// uploader puts weights on the device, one after the other.
type uploader struct{ m *loaded }

// tensor uploads values of a shape and returns the number of the weight. Tables and
// matrices have the device's type. Vectors stay in f32, in which they are added.
func (u *uploader) tensor(values []float32, dims ...int) int {
	backend := u.m.device.backend
	var flat any = values
	dtype := dtypes.Float32
	if u.m.device.bf16 && len(dims) > 1 {
		short := make([]bfloat16.BFloat16, len(values))
		for i, v := range values {
			short[i] = bfloat16.FromBits(roundBF16(v))
		}
		flat, dtype = short, dtypes.BFloat16
	}
	shape := shapes.Make(dtype, dims...)
	buffer, err := backend.BufferFromFlatData(0, flat, shape)
	if err != nil {
		panic(fmt.Errorf("%d MB of weights do not get onto the device: %w", shape.ByteSize()>>20, err))
	}
	u.m.weights = append(u.m.weights, weight{shape, buffer})
	return len(u.m.weights) - 1
}

// roundBF16 rounds to the nearest bfloat16, ties to even.
func roundBF16(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 0x40 // otherwise a cut payload could turn a NaN into an infinity
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
