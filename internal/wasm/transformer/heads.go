package transformer

import "github.com/vantage-search/vantage/internal/wasm/kernel/dense"

// Head maps a vector through layers, each with its activation.
type Head struct {
	layers      []dense.Layer
	activations []dense.Activation
}

// HeadLayer is a layer of a head by its tensors' name.
type HeadLayer struct {
	Name       string // of the tensors, without .weight and .bias
	Activation dense.Activation
}

// NewHead reads the layers of a head from tensors below one of BERT's or DPR's
// prefixes, or none. The first takes vectors of in components; what the others take and
// give follows from their shapes.
func NewHead(t Tensors, in int, layers ...HeadLayer) (*Head, error) {
	h := &Head{}
	prefixes := append([]string{"question_encoder.", "ctx_encoder."}, BERTPrefixes...)
	for _, layer := range layers {
		r := NewReader(t, layer.Name+".weight", prefixes...)
		out := 1
		if _, shape, ok := r.Find(layer.Name + ".weight"); ok && len(shape) > 0 {
			out = shape[0]
		}
		linear := r.linear(out, in, layer.Name)
		if err := r.Err(); err != nil {
			return nil, err
		}
		h.layers, h.activations = append(h.layers, linear), append(h.activations, layer.Activation)
		in = out
	}
	return h, nil
}

// HasHead reports whether a checkpoint holds a layer of that name.
func HasHead(t Tensors, name string) bool {
	r := NewReader(t, name+".weight", append([]string{"question_encoder.", "ctx_encoder."}, BERTPrefixes...)...)
	return r.Has(name + ".weight")
}

// In is the number of components of its input.
func (h *Head) In() int {
	in, _ := h.layers[0].Size()
	return in
}

// Out is the number of components of its output.
func (h *Head) Out() int {
	_, out := h.layers[len(h.layers)-1].Size()
	return out
}

// Apply maps rows of vectors and returns [rows, Out].
func (h *Head) Apply(p *dense.Pool, x []float32, rows int) []float32 {
	for i, l := range h.layers {
		in, out := l.Size()
		y := make([]float32, rows*out)
		l.Apply(p, y, out, x, in, rows, h.activations[i])
		x = y
	}
	return x
}

// Logits returns the scores of every token id for rows of hidden states, by the
// embeddings of the tokens (a tied head): [rows, vocabulary].
func (m *OPT) Logits(p *dense.Pool, hidden []float32, rows int) []float32 {
	m.tie.Do(func() { m.head = dense.NewLinear(m.words, nil, m.c.Vocabulary, m.c.Embedding) })
	out := make([]float32, rows*m.c.Vocabulary)
	m.head.Apply(p, out, m.c.Vocabulary, hidden, m.c.Embedding, rows, dense.None)
	return out
}
