package model

import (
	"context"

	"github.com/vantage-search/vantage/wasm/kernel/dense"
	"github.com/vantage-search/vantage/wasm/transformer"
)

// pass is the memory of a forward pass.
type pass struct {
	scratch transformer.Scratch   // of all workers together
	alone   []transformer.Scratch // of each, where they work on parts of their own
	out     []float32
}

// passes lends memory for forward passes, and so bounds how much they take
// together, however many goroutines encode. A large pass keeps all workers busy,
// so that others gain nothing beside it. Short texts need not wait for it: a few
// of them at a time have memory of their own.
type passes struct{ large, small chan *pass }

const (
	shortTokens = 128      // of a pass that counts as short
	shortPasses = 8        // at most that many at a time
	passBytes   = 48 << 20 // of a large one, about
)

func newPasses(workers *dense.Pool) *passes {
	p := &passes{large: make(chan *pass, 1), small: make(chan *pass, min(workers.Workers(), shortPasses))}
	for _, c := range []chan *pass{p.large, p.small} {
		for range cap(c) {
			c <- &pass{scratch: transformer.Scratch{Pool: workers}}
		}
	}
	return p
}

// do calls f with the memory for a number of tokens, once there is some.
func (p *passes) do(ctx context.Context, tokens int, f func(*pass) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	from := p.large
	if tokens <= shortTokens {
		from = p.small
	}
	select {
	case lent := <-from:
		defer func() { from <- lent }()
		return f(lent)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// batchTokens is how many tokens go through a model at once: enough for every
// product to keep all threads busy, few enough for their activations to take no
// more than passBytes. A token takes about 50 bytes for each component of a
// hidden state: states, queries, keys, values, and an intermediate layer four
// times as wide.
func batchTokens(hidden int) int { return max(256, min(2048, passBytes/(50*hidden))) }
