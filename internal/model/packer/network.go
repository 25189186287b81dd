package packer

import (
	"math"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// tensors are a model's values by their names in a pack, row-major.
type tensors map[string][]float32

// network computes a model step by step, so that what goes into each of its
// matrices can be looked at.
type network struct {
	c      *pack.Config
	kind   string
	values tensors
	pool   *dense.Pool
}

// batch is a number of texts on their way through a network.
type batch struct {
	ids, types []uint32
	lengths    []int
	keys       []int     // how many of a text's first tokens are attended to
	x          []float32 // [tokens, hidden], the state after the last layer that was run
}

// batches puts texts together, about 1,000 tokens each.
func batches(texts []sample) (list []*batch) {
	const tokens = 1024
	var b *batch
	for _, text := range texts {
		if b == nil || len(b.ids)+len(text.ids) > tokens {
			b = &batch{}
			list = append(list, b)
		}
		b.ids = append(b.ids, text.ids...)
		b.types = append(append(b.types, text.types...), make([]uint32, len(text.ids)-len(text.types))...)
		b.lengths, b.keys = append(b.lengths, len(text.ids)), append(b.keys, text.seen())
	}
	return list
}

// linear packs a layer for products. It may have no bias.
func (n *network) linear(name string, in int) *dense.Linear {
	weight, bias := n.values[name+".weight"], n.values[name+".bias"]
	return dense.NewLinear(weight, bias, len(weight)/in, in)
}

func (n *network) norm(name string) *dense.LayerNorm {
	return &dense.LayerNorm{Gamma: n.values[name+".weight"], Beta: n.values[name+".bias"], Epsilon: float32(n.c.Epsilon)}
}

// apply is y = layer(x) for rows as long as the layer's input.
func (n *network) apply(l *dense.Linear, x []float32, act dense.Activation) []float32 {
	rows := len(x) / l.In
	y := make([]float32, rows*l.Out)
	l.Apply(n.pool, y, l.Out, x, l.In, rows, act)
	return y
}

// embed sets the state before the first layer.
func (n *network) embed(b *batch) {
	hidden := n.c.Hidden
	words, positions, types := n.values["embeddings.word_embeddings.weight"], n.values["embeddings.position_embeddings.weight"], n.values["embeddings.token_type_embeddings.weight"]
	b.x = make([]float32, len(b.ids)*hidden)
	token := 0
	for _, length := range b.lengths {
		for i := range length {
			word, position, kind := words[int(b.ids[token])*hidden:], positions[i*hidden:], types[int(b.types[token])*hidden:]
			row := b.x[token*hidden:][:hidden]
			for j := range row {
				row[j] = word[j] + position[j] + kind[j]
			}
			token++
		}
	}
	n.norm("embeddings.LayerNorm").Apply(n.pool, b.x, b.x, nil, hidden, token)
}

// layer is a layer with the matrices that prepare has packed.
type layer struct {
	*network
	at string

	qkv, attention, up, down *dense.Linear
}

// prepare packs the matrices of a part of a layer, by its index in parts.
func (l *layer) prepare(part int) {
	hidden := l.c.Hidden
	switch part {
	case 0:
		var weight, bias []float32
		for _, name := range parts[0] {
			weight = append(weight, l.values[l.at+name+".weight"]...)
			bias = append(bias, l.values[l.at+name+".bias"]...)
		}
		l.qkv = dense.NewLinear(weight, bias, 3*hidden, hidden)
	case 1:
		l.attention = l.linear(l.at+parts[1][0], hidden)
	case 2:
		l.up = l.linear(l.at+parts[2][0], hidden)
	case 3:
		l.down = l.linear(l.at+parts[3][0], l.c.Intermediate)
	}
}

// parts are the matrices of a layer, grouped by their input, which is in this order: the state,
// the output of the attention heads, the state after attention, and the wide activations.
var parts = [][]string{
	{"attention.self.query", "attention.self.key", "attention.self.value"}, {"attention.output.dense"}, {"intermediate.dense"}, {"output.dense"},
}

// attend is the output of the attention heads for every token: the input of part 1.
func (l *layer) attend(b *batch) []float32 {
	hidden := l.c.Hidden
	qkv := l.apply(l.qkv, b.x, dense.None)
	attended := make([]float32, len(b.x))
	a := dense.Attention{Heads: l.c.Heads, Dim: hidden / l.c.Heads, Scale: float32(1 / math.Sqrt(float64(hidden/l.c.Heads)))}
	a.Apply(l.pool, attended, hidden, qkv, qkv[hidden:], qkv[2*hidden:], 3*hidden, b.lengths, b.keys)
	return attended
}

// mix replaces the state by that after attention: the input of part 2.
func (l *layer) mix(b *batch, attended []float32) {
	y := l.apply(l.attention, attended, dense.None)
	l.norm(l.at+"attention.output.LayerNorm").Apply(l.pool, b.x, b.x, y, l.c.Hidden, len(b.ids))
}

// widen gives the input of part 3.
func (l *layer) widen(b *batch) []float32 {
	act := dense.GELU
	if l.c.Activation == pack.GELUTanh {
		act = dense.GELUTanh
	}
	return l.apply(l.up, b.x, act)
}

// finish replaces the state by that after the layer.
func (l *layer) finish(b *batch, wide []float32) {
	y := l.apply(l.down, wide, dense.None)
	l.norm(l.at+"output.LayerNorm").Apply(l.pool, b.x, b.x, y, l.c.Hidden, len(b.ids))
}

// layer returns a layer of the trunk or the branch with all its matrices.
func (n *network) layer(at string) *layer {
	l := &layer{network: n, at: at}
	for part := range parts {
		l.prepare(part)
	}
	return l
}

// run takes batches through a layer.
func (n *network) run(at string, list []*batch) {
	l := n.layer(at)
	for _, b := range list {
		l.mix(b, l.attend(b))
		l.finish(b, l.widen(b))
	}
}

func trunkLayer(i int) string  { return "encoder.layer." + strconv.Itoa(i) + "." }
func branchLayer(i int) string { return "branch." + strconv.Itoa(i) + "." }

// output is what a network gives for texts.
type output struct {
	states  [][]float32 // after the embeddings and each layer, [tokens, hidden]
	vectors [][]float32 // of the texts, or of their tokens: a classifier's are its logits
	angles  [][]float32 // of the branch, if there is one
}

// compute runs texts through the whole network. step is called after the embeddings and after each layer.
func (n *network) compute(texts []sample, step func() error) (*output, error) {
	out := &output{}
	list := batches(texts)
	keep := func() error {
		var state []float32
		for _, b := range list {
			state = append(state, b.x...)
		}
		out.states = append(out.states, state)
		return step()
	}
	for _, b := range list {
		n.embed(b)
	}
	if err := keep(); err != nil {
		return nil, err
	}
	for i := range n.c.Layers {
		n.run(trunkLayer(i), list)
		if err := keep(); err != nil {
			return nil, err
		}
		if branch := n.c.Branch; branch != nil && i+1 == branch.From {
			side := make([]*batch, len(list))
			for i, b := range list {
				side[i] = &batch{b.ids, b.types, b.lengths, b.keys, slices.Clone(b.x)}
			}
			for i := range branch.Layers {
				n.run(branchLayer(i), side)
				if err := step(); err != nil {
					return nil, err
				}
			}
			project := n.linear("projection", n.c.Hidden)
			out.angles = n.texts(side, pack.Mean, func(v []float32) []float32 { return n.apply(project, v, dense.None) }, true)
		}
	}
	if n.c.Tokens != nil {
		out.vectors = n.tokens(list)
		return out, nil
	}
	out.vectors = n.texts(list, n.c.Pooling, n.head(), n.c.Normalize)
	return out, nil
}

// activations of dense layers.
var activations = map[string]dense.Activation{pack.Identity: dense.None, pack.Tanh: dense.Tanh, pack.ReLU: dense.ReLU, pack.GELU: dense.GELU}

// head is what comes between pooling and normalisation.
func (n *network) head() func(v []float32) []float32 {
	type step struct {
		*dense.Linear
		act dense.Activation
	}
	var steps []step
	in := n.c.Hidden
	for i, d := range n.c.Dense {
		steps = append(steps, step{n.linear("dense."+strconv.Itoa(i), in), activations[d.Activation]})
		in = d.Out
	}
	if n.kind == pack.Classifier {
		steps = append(steps, step{n.linear("pooler.dense", in), dense.Tanh}, step{n.linear("classifier", in), dense.None})
	}
	return func(v []float32) []float32 {
		for _, s := range steps {
			v = n.apply(s.Linear, v, s.act)
		}
		return v
	}
}

// texts pools batches to a vector for each text.
func (n *network) texts(list []*batch, pooling string, head func(v []float32) []float32, unit bool) (vectors [][]float32) {
	hidden := n.c.Hidden
	for _, b := range list {
		x := b.x
		for _, length := range b.lengths {
			v := slices.Clone(x[:hidden])
			if pooling == pack.Mean {
				for i := 1; i < length; i++ {
					for j, y := range x[i*hidden:][:hidden] {
						v[j] += y
					}
				}
				for j := range v {
					v[j] /= float32(length)
				}
			}
			if v = head(v); unit {
				v = scaled(v)
			}
			vectors = append(vectors, v)
			x = x[length*hidden:]
		}
	}
	return vectors
}

// scaled changes a vector to length 1.
func scaled(v []float32) []float32 {
	squares := 0.0
	for _, y := range v {
		squares += float64(y) * float64(y)
	}
	for j := range v {
		v[j] = float32(float64(v[j]) / max(math.Sqrt(squares), 1e-12))
	}
	return v
}
