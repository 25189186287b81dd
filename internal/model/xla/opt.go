package xla

import (
	"math"
	"strconv"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// opt is the graph of transformer.OPT.
type opt struct {
	c                     transformer.OPTConfig
	words, positions      int
	projectIn, projectOut linear
	norm                  norm
	layers                []optLayer
}

type optLayer struct {
	qkv, attention, up, down linear
	attentionNorm, norm      norm
}

func loadOPT(u *uploader, c transformer.OPTConfig, t transformer.Tensors) error {
	if err := c.Check(); err != nil {
		return err
	}
	r := transformer.NewReader(t, "embed_tokens.weight", "model.decoder.", "decoder.", "")
	m := &opt{
		c:         c,
		words:     u.table(r, "embed_tokens.weight", c.Vocabulary, c.Embedding),
		positions: u.table(r, "embed_positions.weight", c.Positions+transformer.OPTOffset, c.Hidden),
	}
	if c.Embedding != c.Hidden {
		m.projectIn = u.linear(r, c.Hidden, c.Embedding, "project_in")
		m.projectOut = u.linear(r, c.Embedding, c.Hidden, "project_out")
	}
	if c.FinalNorm {
		m.norm = u.norm(r, "final_layer_norm", c.Hidden, transformer.OPTEpsilon)
	}
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := "layers." + strconv.Itoa(i) + "."
		m.layers = append(m.layers, optLayer{
			qkv:           u.linear(r, c.Hidden, c.Hidden, at+"self_attn.q_proj", at+"self_attn.k_proj", at+"self_attn.v_proj"),
			attention:     u.linear(r, c.Hidden, c.Hidden, at+"self_attn.out_proj"),
			attentionNorm: u.norm(r, at+"self_attn_layer_norm", c.Hidden, transformer.OPTEpsilon),
			up:            u.linear(r, c.Intermediate, c.Hidden, at+"fc1"),
			down:          u.linear(r, c.Hidden, c.Intermediate, at+"fc2"),
			norm:          u.norm(r, at+"final_layer_norm", c.Hidden, transformer.OPTEpsilon),
		})
	}
	u.m.arch, u.m.width, u.m.vocabulary, u.m.longest = m, c.Embedding, c.Vocabulary, c.Positions
	return r.Err()
}

func (m *opt) forward(b *builder, ids, mask *graph.Node) *graph.Node {
	x := b.rows(m.words, ids)
	if m.c.Embedding != m.c.Hidden {
		x = b.linear(m.projectIn, x)
	}
	x = graph.Add(x, b.positions(m.positions, transformer.OPTOffset, x))
	dim := m.c.Hidden / m.c.Heads
	// A part of a layer has its norm before or after it.
	part := func(n norm, f func(x *graph.Node) *graph.Node) {
		if m.c.NormBefore {
			x = graph.Add(x, f(b.norm(n, x)))
		} else {
			x = b.norm(n, graph.Add(x, f(x)))
		}
	}
	for i := range m.layers {
		l := &m.layers[i]
		part(l.attentionNorm, func(x *graph.Node) *graph.Node {
			return b.linear(l.attention, b.attend(b.linear(l.qkv, x), mask, nil, m.c.Heads, dim, 1/math.Sqrt(float64(dim)), true))
		})
		part(l.norm, func(x *graph.Node) *graph.Node {
			return b.linear(l.down, activate(m.c.Activation, b.linear(l.up, x)))
		})
	}
	if m.c.FinalNorm {
		x = b.norm(m.norm, x)
	}
	if m.c.Embedding != m.c.Hidden {
		x = b.linear(m.projectOut, x)
	}
	return x
}
