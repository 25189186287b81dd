package search

import (
	"context"
	"errors"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrClosed is returned by a collection that was closed.
var ErrClosed = fault.New(fault.Unavailable, "the collection is closed")

// pool gives each query its own core, up to a number of cores, or the one core
// that may be shared. A core that was lost is dropped, and the next query that
// needs one opens another.
//
// Cores are opened in the background. A waiting query takes the first core that
// becomes free, either one that another query returns or a new one. An opening
// continues as long as any query waits for a core.
type pool struct {
	open   func(ctx context.Context) (*instance, error)
	shared bool
	slots  chan struct{}  // one token for each core that is there or being opened
	idle   chan *instance // has room for all of them
	done   chan struct{}  // closed by close

	mu      sync.Mutex // held for moments only
	closed  bool
	waiting int
	failure *failure           // of the next opening to fail
	wanted  context.Context    // ends if nobody waits any more
	forget  context.CancelFunc // ends wanted
}

// failure tells those who wait for a core that none will come.
type failure struct {
	told chan struct{}
	err  error
}

func (f *failure) happened() bool {
	select {
	case <-f.told:
		return true
	default:
		return false
	}
}

func newPool(size int, shared bool, open func(ctx context.Context) (*instance, error)) *pool {
	p := &pool{open: open, shared: shared, slots: make(chan struct{}, size), idle: make(chan *instance, size), done: make(chan struct{})}
	p.failure = &failure{told: make(chan struct{})}
	p.wanted, p.forget = context.WithCancel(context.Background())
	return p
}

func (p *pool) acquire(ctx context.Context) (*instance, error) {
	failure, wanted, err := p.enter(ctx)
	if err != nil {
		return nil, err
	}
	in, err := p.wait(ctx, failure, wanted)
	p.leave(ctx.Err() != nil)
	if err == nil && p.shared {
		p.put(in) // others may use it at the same time
	}
	return in, err
}

func (p *pool) enter(ctx context.Context) (*failure, context.Context, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	p.waiting++
	return p.failure, p.wanted, nil
}

// leave ends the openings if the last one who waited has given up.
func (p *pool) leave(gaveUp bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting--
	if gaveUp && p.waiting == 0 && !p.closed {
		p.forget()
		p.wanted, p.forget = context.WithCancel(context.Background())
	}
}

func (p *pool) wait(ctx context.Context, failure *failure, wanted context.Context) (*instance, error) {
	select {
	case in := <-p.idle:
		return in, nil
	default:
	}
	slots, opened := p.slots, chan error(nil)
	for {
		select {
		case in := <-p.idle:
			return in, nil
		case slots <- struct{}{}:
			if failure.happened() {
				<-p.slots
				return nil, failure.err
			}
			slots, opened = nil, make(chan error, 1) // one is enough
			go func(opened chan<- error) { opened <- p.grow(ctx, wanted) }(opened)
		case err := <-opened:
			if err != nil {
				return nil, err
			}
			slots, opened = p.slots, nil // it is idle, or was taken by another
		case <-failure.told:
			return nil, failure.err
		case <-p.done:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// grow opens a core in a free slot. If that fails, all waiting queries fail too,
// unless other cores are in use that they can wait for. The failure is not
// remembered.
func (p *pool) grow(ctx, wanted context.Context) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(wanted, cancel)()
	in, err := p.open(ctx)
	if err == nil {
		p.put(in)
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.slots) == 1 && ctx.Err() == nil {
		p.failure.err = err
		close(p.failure.told)
		p.failure = &failure{told: make(chan struct{})}
	}
	<-p.slots // after the others have been told, or they would take it
	return err
}

func (p *pool) release(in *instance) {
	if !p.shared {
		p.put(in)
	}
}

// put makes a core idle, or ends it.
func (p *pool) put(in *instance) {
	p.mu.Lock()
	if !p.closed && !in.core.Lost() {
		p.idle <- in
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	in.core.Close()
	<-p.slots
}

// close ends all cores: those in use when their queries end.
func (p *pool) close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	close(p.done)
	p.forget()
	p.mu.Unlock()
	var err error
	for range cap(p.slots) {
		select {
		case in := <-p.idle: // its slot stays taken
			err = errors.Join(err, in.core.Close())
		case p.slots <- struct{}{}:
		}
	}
	return err
}
