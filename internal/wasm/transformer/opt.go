package transformer

import (
	"math"
	"strconv"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// OPTConfig describes a decoder with learned positions.
type OPTConfig struct {
	Vocabulary, Hidden, Layers, Heads, Intermediate int
	Positions                                       int  // most tokens of a text
	Embedding                                       int  // components of a token's embedding and of the output; projected if it differs from Hidden
	NormBefore                                      bool // a layer norm before each part of a layer, rather than after
	FinalNorm                                       bool // a layer norm after the last layer
	Activation                                      dense.Activation
	Int8                                            bool // the layers' weights are rounded to 8 bits
}

// OPTOffset is where the position table begins: its first two rows are unused.
const OPTOffset = 2

// OPTEpsilon of the layer norms, which the configuration does not state.
const OPTEpsilon = 1e-5

// Check refuses sizes that no such decoder has.
func (c OPTConfig) Check() error {
	for _, err := range []error{
		positive("the vocabulary", c.Vocabulary), positive("the hidden size", c.Hidden), positive("the number of layers", c.Layers),
		positive("the intermediate size", c.Intermediate), positive("the number of positions", c.Positions),
		positive("the size of embeddings", c.Embedding), heads(c.Hidden, c.Heads),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// OPT is such a decoder. A token's output depends on no later token.
type OPT struct {
	c                     OPTConfig
	words, positions      []float32
	projectIn, projectOut dense.Layer
	norm                  *dense.LayerNorm
	layers                []optLayer
	tie                   sync.Once
	head                  *dense.Linear // made when it is asked for
}

type optLayer struct {
	qkv, attention, up, down dense.Layer
	attentionNorm, norm      dense.LayerNorm
}

// NewOPT packs a checkpoint's weights. Its error names the tensors that are missing
// or of another shape; after some fifty errors it reads no further layers.
func NewOPT(c OPTConfig, t Tensors) (*OPT, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := NewReader(t, "embed_tokens.weight", "model.decoder.", "decoder.", "")
	r.int8 = c.Int8
	m := &OPT{
		c:         c,
		words:     r.Tensor("embed_tokens.weight", c.Vocabulary, c.Embedding),
		positions: r.Tensor("embed_positions.weight", c.Positions+OPTOffset, c.Hidden),
	}
	if c.Embedding != c.Hidden {
		m.projectIn = r.linear(c.Hidden, c.Embedding, "project_in")
		m.projectOut = r.linear(c.Embedding, c.Hidden, "project_out")
	}
	if c.FinalNorm {
		norm := r.Norm("final_layer_norm", c.Hidden, OPTEpsilon)
		m.norm = &norm
	}
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := "layers." + strconv.Itoa(i) + "."
		m.layers = append(m.layers, optLayer{
			qkv:           r.linear(c.Hidden, c.Hidden, at+"self_attn.q_proj", at+"self_attn.k_proj", at+"self_attn.v_proj"),
			attention:     r.linear(c.Hidden, c.Hidden, at+"self_attn.out_proj"),
			attentionNorm: r.Norm(at+"self_attn_layer_norm", c.Hidden, OPTEpsilon),
			up:            r.linear(c.Intermediate, c.Hidden, at+"fc1"),
			down:          r.linear(c.Hidden, c.Intermediate, at+"fc2"),
			norm:          r.Norm(at+"final_layer_norm", c.Hidden, OPTEpsilon),
		})
	}
	return m, r.Err()
}

func (m *OPT) Hidden() int     { return m.c.Embedding }
func (m *OPT) Vocabulary() int { return m.c.Vocabulary }
func (m *OPT) MaxTokens() int  { return m.c.Positions }

// Forward implements Model: the output is the last hidden state, after the final
// layer norm and the projection out if the model has them.
func (m *OPT) Forward(out []float32, b *Batch, s *Scratch) error {
	if err := check(m, 1, out, b); err != nil || len(b.IDs) == 0 {
		return err
	}
	x := m.layersOf(b, s, nil, 0, nil)
	m.finish(out, x, len(b.IDs), s.Pool)
	return nil
}

// layersOf returns what the layers make of a batch. If prefix is not nil, the batch's sequences
// follow the prefix's first tokens, as many as `before` says. If keep is not nil, the keys and
// values of a batch of one sequence are appended to it; what layersOf returns is then undefined.
func (m *OPT) layersOf(b *Batch, s *Scratch, prefix *OPTPrefix, before int, keep *OPTPrefix) []float32 {
	tokens, hidden, p := len(b.IDs), m.c.Hidden, s.Pool
	// One buffer holds x, the residual stream, and y, the normalised input or the output of a part of a layer.
	both := grow(&s.a, 2*tokens*hidden)
	x, y := both[:tokens*hidden], both[tokens*hidden:]
	qkv, attended := grow(&s.b, tokens*3*hidden), grow(&s.c, tokens*hidden)
	wide := grow(&s.d, tokens*max(m.c.Intermediate, m.c.Embedding))
	m.embed(x, wide, b, before, p)
	attention := dense.Attention{Heads: m.c.Heads, Dim: hidden / m.c.Heads, Scale: float32(1 / math.Sqrt(float64(hidden/m.c.Heads))), Causal: true}
	for i := range m.layers {
		l := &m.layers[i]
		in := x
		if m.c.NormBefore {
			l.attentionNorm.Apply(p, y, x, nil, hidden, tokens)
			in = y
		}
		l.qkv.Apply(p, qkv, 3*hidden, in, hidden, tokens, dense.None)
		if keep != nil {
			keep.layers = append(keep.layers, attention.Prefix(qkv[hidden:], qkv[2*hidden:], 3*hidden, tokens))
			if i == len(m.layers)-1 {
				break
			}
		}
		if prefix != nil {
			attention.ApplyAfter(p, prefix.layers[i], before, attended, hidden, qkv, qkv[hidden:], qkv[2*hidden:], 3*hidden, b.Lengths, b.Keys)
		} else {
			attention.Apply(p, attended, hidden, qkv, qkv[hidden:], qkv[2*hidden:], 3*hidden, b.Lengths, b.Keys)
		}
		l.attention.Apply(p, y, hidden, attended, hidden, tokens, dense.None)
		m.join(p, x, y, &l.attentionNorm, tokens)
		in = x
		if m.c.NormBefore {
			l.norm.Apply(p, y, x, nil, hidden, tokens)
			in = y
		}
		l.up.Apply(p, wide, m.c.Intermediate, in, hidden, tokens, m.c.Activation)
		l.down.Apply(p, y, hidden, wide, m.c.Intermediate, tokens, dense.None)
		m.join(p, x, y, &l.norm, tokens)
	}
	return x
}

// finish writes the last hidden states of what the layers have made.
func (m *OPT) finish(out, x []float32, tokens int, p *dense.Pool) {
	hidden := m.c.Hidden
	if m.norm != nil {
		m.norm.Apply(p, x, x, nil, hidden, tokens)
	}
	if m.projectOut != nil {
		m.projectOut.Apply(p, out, m.c.Embedding, x, hidden, tokens, dense.None)
	} else {
		copy(out, x)
	}
}

// join adds a part's output to the residual stream, and normalises it if that
// comes after.
func (m *OPT) join(p *dense.Pool, x, y []float32, norm *dense.LayerNorm, tokens int) {
	if m.c.NormBefore {
		dense.Add(p, x, y, m.c.Hidden, tokens)
	} else {
		norm.Apply(p, x, x, y, m.c.Hidden, tokens)
	}
}

// embed writes the sum of word and position. `before` is how many tokens the sequences follow;
// narrow has room for the words.
func (m *OPT) embed(x, narrow []float32, b *Batch, before int, p *dense.Pool) {
	hidden, width := m.c.Hidden, m.c.Embedding
	words := x
	if m.projectIn != nil {
		words = narrow
	}
	for token, id := range b.IDs {
		copy(words[token*width:(token+1)*width], m.words[int(id)*width:])
	}
	if m.projectIn != nil {
		m.projectIn.Apply(p, x, hidden, words, width, len(b.IDs), dense.None)
	}
	token := 0
	for _, n := range b.Lengths {
		for i := range n {
			row := x[token*hidden : (token+1)*hidden]
			for j, v := range m.positions[(OPTOffset+before+i)*hidden:][:hidden] {
				row[j] += v
			}
			token++
		}
	}
}
