package xla

import (
	"strconv"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// t5 is the graph of transformer.T5.
type t5 struct {
	c               transformer.T5Config
	words, relative int
	norm            norm
	layers          []t5Layer
}

type t5Layer struct {
	qkv, attention, up, gate, down linear
	attentionNorm, norm            norm
}

func loadT5(u *uploader, c transformer.T5Config, t transformer.Tensors) error {
	if err := c.Check(); err != nil {
		return err
	}
	r := transformer.NewReader(t, "encoder.final_layer_norm.weight", "", "model.", "0.auto_model.")
	words := "shared.weight"
	if !r.Has(words) {
		words = "encoder.embed_tokens.weight"
	}
	scale := func(name string) norm {
		gamma := r.Tensor(name+".weight", c.Hidden)
		if r.Err() != nil {
			return norm{}
		}
		return norm{u.tensor(gamma, c.Hidden), none, c.Epsilon}
	}
	m := &t5{
		c:        c,
		words:    u.table(r, words, c.Vocabulary, c.Hidden),
		relative: u.relative(r, "encoder.block.0.layer.0.SelfAttention.relative_attention_bias", c.Buckets, c.Heads),
		norm:     scale("encoder.final_layer_norm"),
	}
	inner := c.Heads * c.HeadSize
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := "encoder.block." + strconv.Itoa(i) + ".layer."
		l := t5Layer{
			attentionNorm: scale(at + "0.layer_norm"),
			qkv:           u.linear(r, inner, c.Hidden, at+"0.SelfAttention.q", at+"0.SelfAttention.k", at+"0.SelfAttention.v"),
			attention:     u.linear(r, c.Hidden, inner, at+"0.SelfAttention.o"),
			norm:          scale(at + "1.layer_norm"),
			down:          u.linear(r, c.Hidden, c.Intermediate, at+"1.DenseReluDense.wo"),
		}
		if c.Gated {
			l.up = u.linear(r, c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi_0")
			l.gate = u.linear(r, c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi_1")
		} else {
			l.up = u.linear(r, c.Intermediate, c.Hidden, at+"1.DenseReluDense.wi")
		}
		m.layers = append(m.layers, l)
	}
	u.m.arch, u.m.width, u.m.vocabulary = m, c.Hidden, c.Vocabulary
	return r.Err()
}

func (m *t5) forward(b *builder, ids, mask *graph.Node) *graph.Node {
	x := b.rows(m.words, ids)
	bias := b.relative(m.relative, m.c.Relative(), ids.Shape().Dim(1))
	for i := range m.layers {
		l := &m.layers[i]
		y := b.attend(b.linear(l.qkv, b.scaled(l.attentionNorm, x)), mask, bias, m.c.Heads, m.c.HeadSize, 1, false)
		x = graph.Add(x, b.linear(l.attention, y))
		y = b.scaled(l.norm, x)
		up := activate(m.c.Activation, b.linear(l.up, y))
		if m.c.Gated {
			up = graph.Mul(up, b.linear(l.gate, y))
		}
		x = graph.Add(x, b.linear(l.down, up))
	}
	return b.scaled(m.norm, x)
}
