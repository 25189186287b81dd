package transformer

import "github.com/vantage-search/vantage/internal/wasm/kernel/dense"

// quantizedRows is how many rows a chunk has for each worker. A chunk goes through a
// layer's products together, so that its activations stay in the second-level cache.
const quantizedRows = 64

// QuantizedScratch is the memory in which one encoder makes its passes, one at a time.
// It is allocated once.
type QuantizedScratch struct {
	pool   *dense.Pool
	tokens int // most in a pass
	rows   int // most in a chunk

	x, kept, qkv, attended []float32 // of all tokens
	y, wide                []float32 // of a chunk
	rounded                *dense.Rounded
	attention              dense.ExactScratch
}

// NewScratch has room for passes of at most tokens tokens, and for one text of any allowed length in any case.
func (m *Quantized) NewScratch(p *dense.Pool, tokens int) *QuantizedScratch {
	c := &m.c
	s := &QuantizedScratch{pool: p}
	s.tokens, s.rows = c.passes(p.Workers(), tokens)
	s.x, s.attended = make([]float32, s.tokens*c.Hidden), make([]float32, s.tokens*c.Hidden)
	s.qkv = make([]float32, s.tokens*3*c.Hidden)
	if c.Branch.Layers > 0 {
		s.kept = make([]float32, s.tokens*c.Hidden)
	}
	s.y, s.wide = make([]float32, s.rows*c.Hidden), make([]float32, s.rows*c.Intermediate)
	s.rounded = dense.NewRounded(s.rows, max(c.Hidden, c.Intermediate))
	s.attention = dense.NewExactScratch(p.Workers(), c.MaxTokens(), c.Hidden/c.Heads)
	return s
}

// ScratchBytes is how much memory NewScratch allocates.
func (c *QuantizedConfig) ScratchBytes(workers, tokens int) int {
	tokens, rows := c.passes(workers, tokens)
	states := 5
	if c.Branch.Layers > 0 {
		states++
	}
	return 4*(states*tokens*c.Hidden+rows*(c.Hidden+c.Intermediate)) +
		dense.RoundedBytes(rows, max(c.Hidden, c.Intermediate)) + dense.ExactScratchBytes(workers, c.MaxTokens(), c.Hidden/c.Heads)
}

// passes returns how many tokens there may be in a pass and in a chunk.
func (c *QuantizedConfig) passes(workers, tokens int) (pass, rows int) {
	pass = max(tokens, c.MaxTokens())
	return pass, min(pass, workers*quantizedRows)
}
