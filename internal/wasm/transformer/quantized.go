package transformer

import (
	"errors"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/weights"
)

// Quantized is an encoder with weights and activations of 8 bits. Products are
// sums of integers, and everything between them is computed in one defined order
// (dense/exact.go), so that a text has the same vector, to the bit, in the
// browser, under wazero and natively, in whatever batch and by however many
// workers.
//
// Only AddBranch and AddReader change it, so that many may use it at once, each with a scratch of its own.
type Quantized struct {
	c                QuantizedConfig
	words            weights.Matrix8
	positions, types []float32
	norm             dense.LayerNorm
	layers           []quantizedLayer
	dense            []*dense.Linear8
	pooler, labels   *dense.Linear8

	branch     []quantizedLayer
	projection *dense.Linear8

	reader *quantizedReader

	tokens *dense.Linear8
}

type quantizedLayer struct {
	query, key, value, attention, up, down *dense.Linear8
	afterAttention, after                  dense.LayerNorm
}

// NewQuantized takes the weights of an encoder. Its error names the tensors that are
// missing, of another shape, or out of bounds; after some fifty errors it reads no further layers.
func NewQuantized(c QuantizedConfig, w Weights8) (*Quantized, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := &reader8{w: w}
	m := &Quantized{
		c:         c,
		words:     r.matrix("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden),
		positions: r.vector("embeddings.position_embeddings.weight", c.Positions*c.Hidden),
		norm:      r.norm("embeddings.LayerNorm", &c),
	}
	if c.Types > 0 {
		m.types = r.vector("embeddings.token_type_embeddings.weight", c.Types*c.Hidden)
	}
	m.layers = r.layers("encoder.layer.", c.Layers, &c)
	in := c.Hidden
	for _, d := range c.Dense {
		m.dense = append(m.dense, r.linear(d.Name, d.Out, in, w.Has(d.Name+".bias")))
		in = d.Out
	}
	if c.Labels > 0 {
		if !w.Has("pooler.dense.weight") && (w.Has("pre_classifier.weight") || w.Has("classifier.dense.weight")) {
			return nil, errors.Join(append(r.errs, refused("its classification head is DistilBERT's or RoBERTa's; only BERT's is computed, of pooler.dense and classifier"))...)
		}
		m.pooler = r.linear("pooler.dense", c.Hidden, c.Hidden, true)
		m.labels = r.linear("classifier", c.Labels, c.Hidden, true)
	}
	if c.Tokens > 0 {
		m.tokens = r.linear(TokenProjection, c.Tokens, c.Hidden, false)
	}
	return m, errors.Join(r.errs...)
}

// AddBranch takes the weights of the branch, which may come later than those of
// the trunk. Until then the model has no branch. Call it before the model is shared,
// or make sure that nobody encodes meanwhile.
func (m *Quantized) AddBranch(w Weights8) error {
	if m.c.Branch.Layers == 0 {
		return refused("its configuration has no branch")
	}
	r := &reader8{w: w}
	layers := r.layers("branch.", m.c.Branch.Layers, &m.c)
	projection := r.linear("projection", m.c.Branch.Out, m.c.Hidden, false)
	if err := errors.Join(r.errs...); err != nil {
		return err
	}
	m.branch, m.projection = layers, projection
	return nil
}

// Config of the model.
func (m *Quantized) Config() *QuantizedConfig { return &m.c }

// HasBranch reports whether the branch is there.
func (m *Quantized) HasBranch() bool { return m.projection != nil }

// reader8 reads tensors and keeps the errors, so that they are reported together.
type reader8 struct {
	w    Weights8
	errs []error
}

// hopeless is like Reader.Hopeless.
func (r *reader8) hopeless() bool { return len(r.errs) > 50 }

func (r *reader8) keep(err error) {
	if err != nil {
		r.errs = append(r.errs, err)
	}
}

// vector reads a vector, and refuses numbers that are out of bounds.
func (r *reader8) vector(name string, n int) []float32 {
	v, err := r.w.Vector(name, n)
	if err == nil && len(v) != n {
		err = refused("tensor " + strconv.Quote(name) + " has " + strconv.Itoa(len(v)) + " numbers, the configuration asks for " + strconv.Itoa(n))
	}
	if err == nil {
		err = bounded(name, v, -QuantizedMagnitude, QuantizedMagnitude)
	}
	r.keep(err)
	return v
}

func (r *reader8) matrix(name string, out, in int) weights.Matrix8 {
	m, err := r.w.Matrix(name, out, in)
	if err == nil && (m.Out != out || m.In != in || len(m.Values) != out*in || len(m.Scales) != out) {
		err = &ShapeError{name, []int{m.Out, m.In}, []int{out, in}}
	}
	if err == nil {
		err = bounded("the scales of "+name, m.Scales, 0, QuantizedMagnitude/127.)
	}
	r.keep(err)
	return m
}

// bounded refuses numbers that are not finite or too great to compute with.
func bounded(name string, v []float32, low, high float32) error {
	for i, x := range v {
		if !(x >= low && x <= high) {
			return refused("number " + strconv.Itoa(i) + " of " + name + " is " + strconv.FormatFloat(float64(x), 'g', -1, 32) + ", it must lie between " +
				strconv.FormatFloat(float64(low), 'g', -1, 32) + " and " + strconv.FormatFloat(float64(high), 'g', 4, 32))
		}
	}
	return nil
}

func (r *reader8) linear(name string, out, in int, biased bool) *dense.Linear8 {
	if r.hopeless() {
		return nil
	}
	w := r.matrix(name+".weight", out, in)
	var bias []float32
	if biased {
		bias = r.vector(name+".bias", out)
	}
	if len(r.errs) > 0 {
		return nil
	}
	return dense.PackLinear8(w.Values, w.Scales, bias, out, in)
}

func (r *reader8) norm(name string, c *QuantizedConfig) dense.LayerNorm {
	return dense.LayerNorm{Gamma: r.vector(name+".weight", c.Hidden), Beta: r.vector(name+".bias", c.Hidden), Epsilon: c.Epsilon}
}

func (r *reader8) layers(prefix string, n int, c *QuantizedConfig) (layers []quantizedLayer) {
	names := usualNames
	for i := range n {
		if r.hopeless() { // a hostile configuration may ask for any number
			break
		}
		at := prefix + strconv.Itoa(i) + "."
		layers = append(layers, quantizedLayer{
			query:          r.linear(at+names.Query, c.Hidden, c.Hidden, true),
			key:            r.linear(at+names.Key, c.Hidden, c.Hidden, true),
			value:          r.linear(at+names.Value, c.Hidden, c.Hidden, true),
			attention:      r.linear(at+names.Attention, c.Hidden, c.Hidden, true),
			afterAttention: r.norm(at+names.AfterAttention, c),
			up:             r.linear(at+names.Up, c.Intermediate, c.Hidden, true),
			down:           r.linear(at+names.Down, c.Hidden, c.Intermediate, true),
			after:          r.norm(at+names.After, c),
		})
	}
	return layers
}

// apply replaces the states x of sequences of tokens with those after the layer.
func (l *quantizedLayer) apply(c *QuantizedConfig, x []float32, b *Batch, s *QuantizedScratch) {
	p, hidden := s.pool, c.Hidden
	tokens := len(x) / hidden
	for first := 0; first < tokens; first += s.rows {
		rows := min(s.rows, tokens-first)
		s.rounded.Round(p, x[first*hidden:], hidden, rows, hidden)
		qkv := s.qkv[first*3*hidden:]
		l.query.ApplyRounded(p, qkv, 3*hidden, s.rounded, dense.None)
		l.key.ApplyRounded(p, qkv[hidden:], 3*hidden, s.rounded, dense.None)
		l.value.ApplyRounded(p, qkv[2*hidden:], 3*hidden, s.rounded, dense.None)
	}
	dim := hidden / c.Heads
	attention := dense.ExactAttention{Heads: c.Heads, Dim: dim, Scale: float32(1 / math.Sqrt(float64(dim)))}
	attention.Apply(p, s.attention, s.attended, hidden, s.qkv, s.qkv[hidden:], s.qkv[2*hidden:], 3*hidden, b.Lengths, b.Keys)
	for first := 0; first < tokens; first += s.rows {
		rows := min(s.rows, tokens-first)
		part, y, wide := x[first*hidden:(first+rows)*hidden], s.y[:rows*hidden], s.wide[:rows*c.Intermediate]
		s.rounded.Round(p, s.attended[first*hidden:], hidden, rows, hidden)
		l.attention.ApplyRounded(p, y, hidden, s.rounded, dense.None)
		l.afterAttention.ExactNorm(p, part, y, hidden, rows)
		s.rounded.Round(p, part, hidden, rows, hidden)
		l.up.ApplyRounded(p, wide, c.Intermediate, s.rounded, dense.None)
		c.Activation.ApplyExact(p, wide)
		s.rounded.Round(p, wide, c.Intermediate, rows, c.Intermediate)
		l.down.ApplyRounded(p, y, hidden, s.rounded, dense.None)
		l.after.ExactNorm(p, part, y, hidden, rows)
	}
}
