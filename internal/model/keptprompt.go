package model

import (
	"context"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// leastKept is the least number of a prompt's tokens that are worth keeping. For fewer,
// reading the weights once more takes longer than what is saved.
const leastKept = 32

// keptPrompt has the keys and values of the last long prompt.
type keptPrompt struct {
	mu     sync.Mutex
	prompt string
	prefix *transformer.OPTPrefix
}

// behind is forward for inputs that begin with a prompt, which is computed once. use gets
// the hidden states of an input's last tokens, as many as its rows at least.
func (d *decoder) behind(ctx context.Context, prompt string, inputs []input, use func(i int, hidden []float32)) error {
	framed, _ := d.tokens.Frame(d.encode(prompt), d.maxLength)
	// The first letters of a text may change the last tokens of the prompt.
	before := len(framed)
	for i := range inputs {
		before = min(before, len(inputs[i].ids)-max(1, inputs[i].rows), common(framed, inputs[i].ids))
	}
	if before < leastKept || len(inputs) == 0 {
		return d.forward(ctx, inputs, use)
	}
	prefix, err := d.prefix(ctx, prompt, framed)
	if err != nil {
		return err
	}
	rest := make([]input, len(inputs))
	for i := range inputs {
		rest[i].ids = inputs[i].ids[before:]
	}
	return d.through(ctx, follower{d.opt(), prefix, before}, rest, use)
}

// prefix returns the keys and values of a prompt.
func (d *decoder) prefix(ctx context.Context, prompt string, ids []uint32) (*transformer.OPTPrefix, error) {
	d.kept.mu.Lock()
	defer d.kept.mu.Unlock()
	if d.kept.prefix != nil && d.kept.prompt == prompt {
		return d.kept.prefix, nil
	}
	d.kept.prefix = nil // free before the next one is made
	leader := &leader{OPT: d.opt()}
	err := d.passes.do(ctx, leader, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, func([]float32) {})
	if err != nil {
		return nil, err
	}
	d.kept.prompt, d.kept.prefix = prompt, leader.prefix
	return leader.prefix, nil
}

// common is how many first elements are the same.
func common(a, b []uint32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// leader is a model whose pass over a text only makes a prefix of it.
type leader struct {
	*transformer.OPT
	prefix *transformer.OPTPrefix
}

// Forward implements transformer.Model.
func (l *leader) Forward(_ []float32, b *transformer.Batch, s *transformer.Scratch) (err error) {
	l.prefix, err = l.Prefix(b.IDs, s)
	return err
}

// follower is a model that reads texts after the first tokens of a prefix.
type follower struct {
	*transformer.OPT
	prefix *transformer.OPTPrefix
	before int
}

// Forward implements transformer.Model.
func (f follower) Forward(out []float32, b *transformer.Batch, s *transformer.Scratch) error {
	return f.ForwardAfter(out, f.prefix, f.before, b, s)
}
