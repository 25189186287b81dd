package transformer

import (
	"errors"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

var (
	errRoom   = errors.New("transformer: the output has no room for the batch")
	errKeys   = errors.New("transformer: a quantized encoder of whole texts attends to all tokens of a text")
	errBranch = errors.New("transformer: the model's branch is not there")
	errLabels = errors.New("transformer: the model has no classification head")
	errTokens = errors.New("transformer: the model has no vectors of tokens")
)

// Encode writes the vectors of a batch's texts: [texts, Dim] into vectors, and
// [texts, Branch.Out] into branch. Either may be nil; it is not computed then.
// A text without tokens gets zeros.
func (m *Quantized) Encode(vectors, branch []float32, b *Batch, s *QuantizedScratch) error {
	if err := m.check(b); err != nil {
		return err
	}
	if branch != nil && !m.HasBranch() {
		return errBranch
	}
	texts, dim, out := len(b.Lengths), m.c.Dim(), m.c.Branch.Out
	if vectors != nil && len(vectors) < texts*dim || branch != nil && len(branch) < texts*out {
		return errRoom
	}
	s.passes(b, func(first int, part *Batch) {
		n := len(part.Lengths)
		x := m.embed(part, s)
		last := len(m.layers)
		if vectors == nil {
			last = m.c.Branch.From
		}
		for i := range last {
			if branch != nil && i == m.c.Branch.From {
				copy(s.kept, x)
			}
			m.layers[i].apply(&m.c, x, part, s)
		}
		if vectors != nil {
			m.finish(vectors[first*dim:(first+n)*dim], x, part, s)
		}
		if branch == nil {
			return
		}
		if m.c.Branch.From < last {
			copy(x, s.kept)
		}
		for i := range m.branch {
			m.branch[i].apply(&m.c, x, part, s)
		}
		to := branch[first*out : (first+n)*out]
		m.linear(m.projection, to, m.pool(x, part, false, s), m.c.Hidden, n, s)
		normalize(to, out)
		clearEmpty(to, out, part)
	})
	return nil
}

// Classify writes the scores of a batch's texts, [texts, Labels]. A text without
// tokens gets zeros.
func (m *Quantized) Classify(scores []float32, b *Batch, s *QuantizedScratch) error {
	if err := m.check(b); err != nil {
		return err
	}
	labels, hidden := m.c.Labels, m.c.Hidden
	if labels == 0 {
		return errLabels
	}
	if len(scores) < len(b.Lengths)*labels {
		return errRoom
	}
	s.passes(b, func(first int, part *Batch) {
		n := len(part.Lengths)
		x := m.embed(part, s)
		for i := range m.layers {
			m.layers[i].apply(&m.c, x, part, s)
		}
		pooled := s.qkv[:n*hidden]
		m.linear(m.pooler, pooled, m.pool(x, part, true, s), hidden, n, s)
		dense.Tanh.ApplyExact(s.pool, pooled)
		to := scores[first*labels : (first+n)*labels]
		m.linear(m.labels, to, pooled, hidden, n, s)
		clearEmpty(to, labels, part)
	})
	return nil
}

func (m *Quantized) check(b *Batch) error {
	if b.Keys != nil {
		return errKeys
	}
	return b.check(m.c.Vocabulary, max(1, m.c.Types), m.c.MaxTokens())
}

// passes calls f for as many texts at a time as there is room for. first is the index
// of the first text of part.
func (s *QuantizedScratch) passes(b *Batch, f func(first int, part *Batch)) {
	token := 0
	for first := 0; first < len(b.Lengths); {
		last, tokens := first, 0
		for last < len(b.Lengths) && tokens+b.Lengths[last] <= s.tokens && last-first < s.tokens {
			tokens += b.Lengths[last]
			last++
		}
		part := Batch{IDs: b.IDs[token : token+tokens], Lengths: b.Lengths[first:last]}
		if b.Types != nil {
			part.Types = b.Types[token : token+tokens]
		}
		if b.Keys != nil {
			part.Keys = b.Keys[first:last]
		}
		f(first, &part)
		first, token = last, token+tokens
	}
}

// embed returns the normalized sums of word, position and type.
func (m *Quantized) embed(b *Batch, s *QuantizedScratch) []float32 {
	hidden, token := m.c.Hidden, 0
	x := s.x[:len(b.IDs)*hidden]
	for _, n := range b.Lengths {
		for i := range n {
			row := x[token*hidden : (token+1)*hidden]
			word, scale := m.words.Values[int(b.IDs[token])*hidden:][:len(row)], m.words.Scales[b.IDs[token]]
			position := m.positions[(m.c.FirstPosition+i)*hidden:][:len(row)]
			for j, v := range word {
				row[j] = float32(scale*float32(v)) + position[j]
			}
			if m.types != nil {
				kind := 0
				if b.Types != nil {
					kind = int(b.Types[token])
				}
				for j, v := range m.types[kind*hidden:][:len(row)] {
					row[j] += v
				}
			}
			token++
		}
	}
	m.norm.ExactNorm(s.pool, x, nil, hidden, token)
	return x
}

// pool returns the vector of each text: its first token's state, or the sum over
// its tokens from the first to the last, divided by their number.
func (m *Quantized) pool(x []float32, b *Batch, cls bool, s *QuantizedScratch) []float32 {
	hidden, token := m.c.Hidden, 0
	all := s.attended[:len(b.Lengths)*hidden]
	for i, n := range b.Lengths {
		to := all[i*hidden : (i+1)*hidden]
		if n == 0 {
			clear(to)
			continue
		}
		states := x[token*hidden : (token+n)*hidden]
		token += n
		copy(to, states)
		if cls {
			continue
		}
		for rest := states[hidden:]; len(rest) > 0; rest = rest[hidden:] {
			for j, v := range rest[:len(to)] {
				to[j] += v
			}
		}
		for j := range to {
			to[j] /= float32(n)
		}
	}
	return all
}

// finish writes the vectors of texts from their states.
func (m *Quantized) finish(to, x []float32, b *Batch, s *QuantizedScratch) {
	dim, n := m.c.Dim(), len(b.Lengths)
	x = m.pool(x, b, m.c.CLS, s)
	if len(m.dense) == 0 {
		copy(to, x)
	}
	in := m.c.Hidden
	for i, l := range m.dense {
		out := m.c.Dense[i].Out
		y := to
		if i < len(m.dense)-1 {
			y = s.qkv[:n*out]
		}
		m.linear(l, y, x, in, n, s)
		m.c.Dense[i].Activation.ApplyExact(s.pool, y[:n*out])
		x, in = y, out
	}
	if m.c.Normalize {
		normalize(to, dim)
	}
	clearEmpty(to, dim, b)
}

// linear applies a layer to rows of vectors, a chunk at a time.
func (m *Quantized) linear(l *dense.Linear8, to, x []float32, in, rows int, s *QuantizedScratch) {
	_, out := l.Size()
	for first := 0; first < rows; first += s.rows {
		n := min(s.rows, rows-first)
		s.rounded.Round(s.pool, x[first*in:], in, n, in)
		l.ApplyRounded(s.pool, to[first*out:], out, s.rounded, dense.None)
	}
}

// normalize scales rows to unit length; rows of zeros stay as they are.
func normalize(x []float32, dim int) {
	for ; len(x) >= dim; x = x[dim:] {
		row := x[:dim]
		norm := float32(math.Sqrt(float64(dense.ExactSquares(row))))
		if norm == 0 {
			continue
		}
		for i, v := range row {
			row[i] = v / norm
		}
	}
}

func clearEmpty(x []float32, dim int, b *Batch) {
	for i, n := range b.Lengths {
		if n == 0 {
			clear(x[i*dim : (i+1)*dim])
		}
	}
}
