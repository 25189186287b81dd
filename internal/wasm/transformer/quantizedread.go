package transformer

import (
	"errors"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

var errReader = errors.New("transformer: the model's reader is not there")

// near is how many tokens the reader's middle layers take together: pack.Near.
const near = 5

// maxGate bounds the numbers by which those of a token are multiplied. A real reader's are below 100, and greater
// ones could overflow float32.
const maxGate = 1e6

// quantizedReader has the layers of the reader in the order in which they are applied.
type quantizedReader [6]*dense.Linear8

// AddReader takes the weights of the reader, as AddBranch takes those of the branch.
func (m *Quantized) AddReader(w Weights8) error {
	c := &m.c.Reader
	if c.Width == 0 {
		return refused("its configuration has no reader")
	}
	r, layers := &reader8{w: w}, &quantizedReader{}
	for i, l := range [len(layers)]struct {
		name    string
		out, in int
	}{
		{"states", c.Width, len(c.States) * m.c.Hidden},
		{"near.0", c.Width, near * c.Width},
		{"near.1", c.Width, near * c.Width},
		{"label", c.Labels, 3 * c.Width},
		{"gate", c.Width, 3 * c.Width},
		{"root", 1, 2 * c.Width},
	} {
		layers[i] = r.linear("reader."+l.name, l.out, l.in, true)
	}
	if err := errors.Join(r.errs...); err != nil {
		return err
	}
	m.reader = layers
	return nil
}

// HasReader reports whether the reader is there.
func (m *Quantized) HasReader() bool { return m.reader != nil }

// Read reads a query of at least one token and at most as many as a chunk has rows: it returns a score for each
// label, and for each token a number that is positive if the token belongs to the root.
func (m *Quantized) Read(ids []uint32, s *QuantizedScratch) (labels, root []float32, err error) {
	n, b := len(ids), &Batch{IDs: ids, Lengths: []int{len(ids)}}
	if m.reader == nil {
		return nil, nil, errReader
	}
	if err := m.check(b); err != nil {
		return nil, nil, err
	}
	if n == 0 || n > s.rows {
		return nil, nil, errRoom
	}
	r, hidden, width, seen := m.reader, m.c.Hidden, m.c.Reader.Width, 0
	wide := len(m.c.Reader.States) * hidden
	states, x := make([]float32, n*wide), m.embed(b, s)
	for i := range m.layers {
		if seen == wide {
			break
		}
		m.layers[i].apply(&m.c, x, b, s)
		if m.c.Reader.States[seen/hidden] == i+1 {
			for t := range n {
				copy(states[t*wide+seen:], x[t*hidden:][:hidden])
			}
			seen += hidden
		}
	}
	// Two rows of zeros are on either side of the tokens, so that the rows of five tokens are windows of one slice.
	around := make([]float32, (n+near-1)*width)
	u := around[near/2*width:][:n*width]
	s.apply(u, r[0], states, wide, dense.ReLU)
	y, both := make([]float32, n*width), make([]float32, 2*n*width)
	for _, l := range r[1:3] {
		s.apply(y, l, around, width, dense.ReLU)
		for i, v := range y {
			u[i] += v
		}
	}
	all, gate := pool3(u, width), make([]float32, width)
	labels, root = make([]float32, m.c.Reader.Labels), make([]float32, n)
	s.apply(labels, r[3], all, 0, dense.None)
	s.apply(gate, r[4], all, 0, dense.ReLU)
	for i, v := range u {
		j := i % width
		at, g := 2*i-j, gate[j]
		if g > maxGate {
			g = maxGate
		}
		both[at], both[at+width] = v, v*g
	}
	s.apply(root, r[5], both, 2*width, dense.None)
	return labels, root, nil
}

// apply writes a layer's outputs, [rows, out], of the inputs that begin stride after stride. They are one chunk.
func (s *QuantizedScratch) apply(to []float32, l *dense.Linear8, x []float32, stride int, a dense.Activation) {
	in, out := l.Size()
	s.rounded.Round(s.pool, x, stride, len(to)/out, in)
	l.ApplyRounded(s.pool, to, out, s.rounded, dense.None)
	a.ApplyExact(s.pool, to)
}

// pool3 is the first row, the mean of all rows and the greatest of all, one behind the other.
func pool3(u []float32, width int) []float32 {
	p, n := make([]float32, 3*width), float32(len(u)/width)
	copy(p, u[:width])
	copy(p[2*width:], u)
	for i, v := range u {
		j := i%width + width
		p[j] += v
		if j += width; v > p[j] {
			p[j] = v
		}
	}
	for j := range width {
		p[width+j] /= n
	}
	return p
}
