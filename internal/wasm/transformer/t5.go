package transformer

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// T5Config describes T5's encoder: root-mean-square norms before each part of a
// layer, relative positions, no biases.
type T5Config struct {
	Vocabulary, Hidden, Layers, Heads, HeadSize, Intermediate int
	Buckets, MaxDistance                                      int // of relative positions
	Epsilon                                                   float32
	Activation                                                dense.Activation
	Gated                                                     bool // the activation of one layer times another layer's output
	Int8                                                      bool // the layers' weights are rounded to 8 bits
}

// Check refuses sizes that no T5 encoder has.
func (c T5Config) Check() error {
	for _, err := range []error{
		positive("the vocabulary", c.Vocabulary), positive("the hidden size", c.Hidden), positive("the number of layers", c.Layers),
		positive("the intermediate size", c.Intermediate), positive("the number of attention heads", c.Heads),
		positive("the size of a head", c.HeadSize), positive("the number of relative positions", c.Buckets/4), positive("the greatest distance", c.MaxDistance-c.Buckets/4),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// Relative are its relative positions.
func (c T5Config) Relative() Relative { return Relative{c.Buckets, c.MaxDistance} }

// T5 is the encoder of a T5 model.
type T5 struct {
	c        T5Config
	words    []float32
	relative []float32 // [buckets, heads]
	norm     dense.RMSNorm
	layers   []t5Layer
}

type t5Layer struct {
	qkv, attention, up, gate, down dense.Layer
	attentionNorm, norm            dense.RMSNorm
}

// NewT5 packs a checkpoint's encoder; it ignores a decoder. Its error names the tensors that are
// missing or of another shape; after some fifty errors it reads no further layers.
func NewT5(c T5Config, t Tensors) (*T5, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := NewReader(t, "encoder.final_layer_norm.weight", "", "model.", "0.auto_model.")
	r.int8 = c.Int8
	words := "shared.weight"
	if !r.Has(words) {
		words = "encoder.embed_tokens.weight"
	}
	m := &T5{c: c, words: r.Tensor(words, c.Vocabulary, c.Hidden)}
	norm := func(name string) dense.RMSNorm {
		return dense.RMSNorm{Gamma: r.Tensor(name+".weight", c.Hidden), Epsilon: c.Epsilon}
	}
	m.relative = r.finite("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", c.Buckets, c.Heads)
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := "encoder.block." + strconv.Itoa(i) + ".layer."
		l := t5Layer{
			attentionNorm: norm(at + "0.layer_norm"),
			qkv:           r.linear(c.Heads*c.HeadSize, c.Hidden, at+"0.SelfAttention.q", at+"0.SelfAttention.k", at+"0.SelfAttention.v"),
			attention:     r.linear(c.Hidden, c.Heads*c.HeadSize, at+"0.SelfAttention.o"),
			norm:          norm(at + "1.layer_norm"),
			down:          r.linear(c.Hidden, c.Intermediate, at+"1.DenseReluDense.wo"),
		}
		if c.Gated {
			l.up = r.linear(c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi_0")
			l.gate = r.linear(c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi_1")
		} else {
			l.up = r.linear(c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi")
		}
		m.layers = append(m.layers, l)
	}
	m.norm = norm("encoder.final_layer_norm")
	return m, r.Err()
}

func (m *T5) Hidden() int     { return m.c.Hidden }
func (m *T5) Vocabulary() int { return m.c.Vocabulary }
func (m *T5) MaxTokens() int  { return 0 }

// Forward implements Model.
func (m *T5) Forward(out []float32, b *Batch, s *Scratch) error {
	if err := check(m, 1, out, b); err != nil || len(b.IDs) == 0 {
		return err
	}
	tokens, hidden, inner, wide, p := len(b.IDs), m.c.Hidden, m.c.Heads*m.c.HeadSize, m.c.Intermediate, s.Pool
	x := out[:tokens*hidden]
	for token, id := range b.IDs {
		copy(x[token*hidden:(token+1)*hidden], m.words[int(id)*hidden:])
	}
	longest := 1
	for _, n := range b.Lengths {
		longest = max(longest, n)
	}
	attention := dense.Attention{Heads: m.c.Heads, Dim: m.c.HeadSize, Scale: 1, Bias: m.c.Relative().bias(m.relative, m.c.Heads, longest), Span: longest}
	y, qkv := grow(&s.a, tokens*hidden), grow(&s.b, tokens*3*inner)
	attended := grow(&s.c, tokens*inner)
	ups := wide // of a token
	if len(m.layers) > 0 && m.layers[0].gate != nil {
		ups *= 2
	}
	both := grow(&s.d, tokens*ups)
	up, gate := both[:tokens*wide], both[tokens*wide:]
	for i := range m.layers {
		l := &m.layers[i]
		l.attentionNorm.Apply(p, y, x, hidden, tokens)
		l.qkv.Apply(p, qkv, 3*inner, y, hidden, tokens, dense.None)
		attention.Apply(p, attended, inner, qkv, qkv[inner:], qkv[2*inner:], 3*inner, b.Lengths, b.Keys)
		l.attention.Apply(p, y, hidden, attended, inner, tokens, dense.None)
		dense.Add(p, x, y, hidden, tokens)
		l.norm.Apply(p, y, x, hidden, tokens)
		l.up.Apply(p, up, wide, y, hidden, tokens, m.c.Activation)
		if l.gate != nil {
			l.gate.Apply(p, gate, wide, y, hidden, tokens, dense.None)
			for j, v := range gate {
				up[j] *= v
			}
		}
		l.down.Apply(p, y, hidden, up, wide, tokens, dense.None)
		dense.Add(p, x, y, hidden, tokens)
	}
	m.norm.Apply(p, x, x, hidden, tokens)
	return nil
}
