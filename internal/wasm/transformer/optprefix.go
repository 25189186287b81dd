package transformer

import (
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// OPTPrefix has the keys and values of every layer for tokens that several texts begin
// with, so that these are computed once. It is immutable, and belongs to one model.
type OPTPrefix struct {
	model  *OPT
	tokens int
	layers []*dense.Prefix
}

// Tokens of the prefix.
func (f *OPTPrefix) Tokens() int { return f.tokens }

// Bytes that it takes.
func (f *OPTPrefix) Bytes() int {
	n := 0
	for _, l := range f.layers {
		n += l.Bytes()
	}
	return n
}

// Prefix computes the keys and values of tokens that texts begin with, one at least.
func (m *OPT) Prefix(ids []uint32, s *Scratch) (*OPTPrefix, error) {
	if len(ids) == 0 {
		return nil, errors.New("transformer: a prefix without tokens")
	}
	b := Batch{IDs: ids, Lengths: []int{len(ids)}}
	if err := b.check(m.Vocabulary(), 1, m.MaxTokens()); err != nil {
		return nil, err
	}
	f := &OPTPrefix{model: m, tokens: len(ids)}
	m.layersOf(&b, s, nil, 0, f)
	return f, nil
}

// ForwardAfter is Forward for sequences that follow the first tokens of a prefix, as many as
// `before` says: the output is theirs alone, [tokens, hidden], with the same bits as if those
// tokens were read again for each of them.
func (m *OPT) ForwardAfter(out []float32, f *OPTPrefix, before int, b *Batch, s *Scratch) error {
	if f.model != m || before < 0 || before > f.tokens {
		return errors.New("transformer: " + strconv.Itoa(before) + " tokens of a prefix that has " + strconv.Itoa(f.tokens) + ", or is another model's")
	}
	if err := check(m, 1, out, b); err != nil || len(b.IDs) == 0 {
		return err
	}
	for _, n := range b.Lengths {
		if before+n > m.MaxTokens() {
			return errors.New("transformer: a text of " + strconv.Itoa(n) + " tokens behind " + strconv.Itoa(before) + ", the model takes at most " + strconv.Itoa(m.MaxTokens()) + ": truncate it")
		}
	}
	x := m.layersOf(b, s, f, before, nil)
	m.finish(out, x, len(b.IDs), s.Pool)
	return nil
}
