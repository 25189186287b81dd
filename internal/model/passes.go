package model

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder/threads"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// pass is the memory of a forward pass.
type pass struct {
	scratch transformer.Scratch
	out     []float32
}

// passes computes forward passes. It limits their workers and memory, even if many
// goroutines encode.
//
// A large batch is divided (see parts), and its parts wait for workers in one queue
// with those of other batches. While the last parts of one batch are computed, free
// workers begin with the next. A batch that cannot be divided has all workers to
// itself. Short batches do not wait: a few at a time have their own memory, and use the
// workers if all are free.
type passes struct {
	pool    *dense.Pool
	alone   *dense.Pool               // one thread: the caller's
	workers chan *transformer.Scratch // one per worker; a batch that is not short computes only with those that it holds

	short, divided, whole chan *pass
}

const (
	shortTokens   = 128      // most tokens of a short pass
	shortPasses   = 8        // most short passes at a time
	dividedPasses = 2        // the current and the next large batch
	passBytes     = 48 << 20 // about the memory of a large pass
)

func newPasses(pool *dense.Pool) *passes {
	p := &passes{
		pool:    pool,
		alone:   dense.NewPool(1),
		workers: make(chan *transformer.Scratch, pool.Workers()),
		short:   make(chan *pass, min(pool.Workers(), shortPasses)),
		divided: make(chan *pass, dividedPasses),
		whole:   make(chan *pass, 1),
	}
	for range cap(p.workers) {
		p.workers <- &transformer.Scratch{Pool: p.alone}
	}
	for _, c := range []chan *pass{p.short, p.divided, p.whole} {
		for range cap(c) {
			c <- &pass{}
		}
	}
	return p
}

// do computes a batch's hidden states, [tokens, hidden], and calls use with them. use
// must not keep them.
func (p *passes) do(ctx context.Context, m transformer.Model, b *transformer.Batch, use func(hidden []float32)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	list := parts(b.Lengths, cap(p.workers))
	from, compute := p.whole, p.together
	switch {
	case len(b.IDs) <= shortTokens:
		from, compute = p.short, p.shortly
	case list != nil:
		from, compute = p.divided, p.inParts
	}
	select {
	case lent := <-from:
		defer func() { from <- lent }()
		if n := len(b.IDs) * m.Hidden(); cap(lent.out) < n {
			lent.out = make([]float32, n)
		}
		work := &work{m, b, list, lent.out[:len(b.IDs)*m.Hidden()], &lent.scratch}
		if err := compute(ctx, work); err != nil {
			return err
		}
		use(work.out)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work is a batch in computation.
type work struct {
	model   transformer.Model
	batch   *transformer.Batch
	parts   []part
	out     []float32
	scratch *transformer.Scratch
}

// part computes one part.
func (w *work) part(i int, s *transformer.Scratch) error {
	at, b, width := w.parts[i], w.batch, w.model.Hidden()
	own := transformer.Batch{IDs: b.IDs[at.from:at.to], Lengths: b.Lengths[at.first:at.last], Keys: b.Keys[at.first:at.last]}
	if b.Types != nil {
		own.Types = b.Types[at.from:at.to]
	}
	return w.model.Forward(w.out[at.from*width:at.to*width], &own, s)
}

// inParts computes each part on the next free worker.
func (p *passes) inParts(ctx context.Context, w *work) error {
	errs := make([]error, len(w.parts))
	var all threads.Group
	defer all.Wait()
	for i := range w.parts {
		select {
		case worker := <-p.workers:
			all.Go(func() {
				defer func() { p.workers <- worker }()
				errs[i] = w.part(i, worker)
			})
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	all.Wait()
	return first(errs)
}

// together waits for all workers, which then share every layer.
func (p *passes) together(ctx context.Context, w *work) error {
	var all []*transformer.Scratch
	defer func() { p.release(all) }()
	for range cap(p.workers) {
		select {
		case worker := <-p.workers:
			all = append(all, worker)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	w.scratch.Pool = p.pool
	return w.model.Forward(w.out, w.batch, w.scratch)
}

// shortly computes a short batch immediately, on all workers if they are free,
// otherwise only in the caller.
func (p *passes) shortly(_ context.Context, w *work) error {
	var all []*transformer.Scratch
	defer func() { p.release(all) }()
	for range cap(p.workers) {
		select {
		case worker := <-p.workers:
			all = append(all, worker)
		default:
			w.scratch.Pool = p.alone
			return w.model.Forward(w.out, w.batch, w.scratch)
		}
	}
	if w.parts == nil {
		w.scratch.Pool = p.pool
		return w.model.Forward(w.out, w.batch, w.scratch)
	}
	errs := make([]error, len(w.parts))
	p.pool.Run(len(errs), func(i, worker int) { errs[i] = w.part(i, all[worker]) })
	return first(errs)
}

func (p *passes) release(workers []*transformer.Scratch) {
	for _, worker := range workers {
		p.workers <- worker
	}
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// batchTokens is the number of tokens that go through a model together: enough for
// every product to keep all threads busy, but so few that their activations take at
// most passBytes, unless hidden states are very wide. A token takes about 50 bytes for
// each component of a hidden state: states, queries, keys, values, and an intermediate
// layer four times as wide.
func batchTokens(hidden int) int { return max(256, min(2048, passBytes/(50*hidden))) }
