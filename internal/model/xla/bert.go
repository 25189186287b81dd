package xla

import (
	"math"
	"strconv"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// bert is the graph of transformer.BERT.
type bert struct {
	c                       transformer.BERTConfig
	words, positions, types int
	relative                int // MPNet's table of relative positions
	norm                    norm
	layers                  []bertLayer
}

type bertLayer struct {
	qkv, attention, up, down linear
	afterAttention, after    norm
}

func loadBERT(u *uploader, c transformer.BERTConfig, t transformer.Tensors) error {
	if err := c.Check(); err != nil {
		return err
	}
	r := transformer.NewReader(t, "embeddings.word_embeddings.weight", transformer.BERTPrefixes...)
	m := &bert{
		c:         c,
		words:     u.table(r, "embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden),
		positions: u.table(r, "embeddings.position_embeddings.weight", c.Positions, c.Hidden),
		types:     none,
		relative:  none,
		norm:      u.norm(r, "embeddings.LayerNorm", c.Hidden, c.Epsilon),
	}
	if c.Types > 0 {
		m.types = u.table(r, "embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	}
	if c.Buckets > 0 {
		m.relative = u.relative(r, transformer.RelativeName, c.Buckets, c.Heads)
	}
	names := c.Names()
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := names.Layer + strconv.Itoa(i) + "."
		m.layers = append(m.layers, bertLayer{
			qkv:            u.linear(r, c.Hidden, c.Hidden, at+names.Query, at+names.Key, at+names.Value),
			attention:      u.linear(r, c.Hidden, c.Hidden, at+names.Attention),
			afterAttention: u.norm(r, at+names.AfterAttention, c.Hidden, c.Epsilon),
			up:             u.linear(r, c.Intermediate, c.Hidden, at+names.Up),
			down:           u.linear(r, c.Hidden, c.Intermediate, at+names.Down),
			after:          u.norm(r, at+names.After, c.Hidden, c.Epsilon),
		})
	}
	u.m.arch, u.m.width, u.m.vocabulary, u.m.longest = m, c.Hidden, c.Vocabulary, c.Positions-c.FirstPosition
	return r.Err()
}

func (m *bert) forward(b *builder, ids, mask *graph.Node) *graph.Node {
	x := b.rows(m.words, ids)
	if m.c.FirstPosition > 0 {
		x = graph.Add(x, b.rows(m.positions, positionsOf(ids, m.c.FirstPosition)))
	} else {
		x = graph.Add(x, b.positions(m.positions, 0, x))
	}
	if m.types != none { // every token is of type 0
		first := graph.Slice(b.weights[m.types], graph.AxisRange(0, 1))
		x = graph.Add(x, graph.ExpandLeftToRank(b.long(first), x.Rank()))
	}
	x = b.norm(m.norm, x)
	dim := m.c.Hidden / m.c.Heads
	var bias *graph.Node
	if m.relative != none {
		bias = b.relative(m.relative, m.c.Relative(), ids.Shape().Dim(1))
	}
	for i := range m.layers {
		l := &m.layers[i]
		y := b.attend(b.linear(l.qkv, x), mask, bias, m.c.Heads, dim, 1/math.Sqrt(float64(dim)), false)
		x = b.norm(l.afterAttention, graph.Add(x, b.linear(l.attention, y)))
		y = activate(m.c.Activation, b.linear(l.up, x))
		x = b.norm(l.after, graph.Add(x, b.linear(l.down, y)))
	}
	return x
}

// positionsOf are RoBERTa's rows of the position table: from the first on, except for padding
// tokens, which a text may spell. These stay on their own row, the one before the first.
func positionsOf(ids *graph.Node, first int) *graph.Node {
	counts := graph.ConvertDType(graph.NotEqual(ids, graph.Scalar(ids.Graph(), ids.DType(), first-1)), ids.DType())
	return graph.AddScalar(graph.Mul(graph.CumSum(counts, -1), counts), float64(first-1))
}
