package search

import (
	"context"
	"errors"
	"sync"
)

// ErrClosed is returned by a collection that was closed.
var ErrClosed = errors.New("the collection is closed")

// pool hands each query a core of its own, up to a number of them, or the one
// core that may be shared. A core that was lost is dropped and replaced by the
// next query that needs one.
type pool struct {
	open   func(ctx context.Context) (*instance, error)
	shared bool
	slots  chan struct{} // one token for each query under way
	mu     sync.Mutex
	idle   []*instance
	closed bool
}

func newPool(size int, shared bool, open func(ctx context.Context) (*instance, error)) *pool {
	return &pool{open: open, shared: shared, slots: make(chan struct{}, size)}
}

func (p *pool) acquire(ctx context.Context) (*instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		<-p.slots
		return nil, ErrClosed
	}
	if n := len(p.idle); n > 0 {
		in := p.idle[n-1]
		if p.shared {
			<-p.slots // others may use it at the same time
			return in, nil
		}
		p.idle = p.idle[:n-1]
		return in, nil
	}
	in, err := p.open(ctx) // under the lock: instances load one at a time
	if err != nil {
		<-p.slots
		return nil, err
	}
	if p.shared {
		p.idle = append(p.idle, in)
		<-p.slots
	}
	return in, nil
}

func (p *pool) release(in *instance) {
	if p.shared {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if in.core.Lost() || p.closed {
		in.core.Close()
	} else {
		p.idle = append(p.idle, in)
	}
	<-p.slots
}

func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, in := range p.idle {
		err = errors.Join(err, in.core.Close())
	}
	p.idle, p.closed = nil, true
	return err
}
