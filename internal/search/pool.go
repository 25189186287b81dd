package search

import (
	"context"
	"errors"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder/threads"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrClosed is the error of calls of what was closed. It comes as a *ClosedError.
var ErrClosed = fault.New(fault.Unavailable, "it is closed")

// ClosedError says what was closed: a collection, a reranker or an engine.
type ClosedError struct{ What string }

func (e *ClosedError) Error() string { return "the " + e.What + " is closed" }

// Is reports that it is ErrClosed, and the kind of fault: unavailable.
func (e *ClosedError) Is(target error) bool {
	return target == ErrClosed || target == fault.Unavailable
}

// pool gives each query a core of its own, up to a number of cores, or a single shared
// core. A lost core is dropped, and the next query that needs a core opens another.
//
// Cores are opened in the background. A waiting query takes the first core that
// becomes free, either one that another query returns or a new one. An opening is
// cancelled if the last query that waits for a core gives up, or if the pool is closed.
type pool struct {
	owner  string // what is closed with the pool
	open   func(ctx context.Context) (*instance, error)
	shared bool
	slots  chan struct{}  // one token per core that is open or being opened
	idle   chan *instance // has room for all cores
	done   chan struct{}  // closed by close

	mu      sync.Mutex // held only briefly
	closed  bool
	waiting int
	failure *failure           // the next failed opening
	wanted  context.Context    // cancelled when the last waiting query gives up
	forget  context.CancelFunc // cancels wanted
}

// failure tells waiting queries that no core will come.
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

func newPool(owner string, size int, shared bool, open func(ctx context.Context) (*instance, error)) *pool {
	p := &pool{owner: owner, open: open, shared: shared, slots: make(chan struct{}, size), idle: make(chan *instance, size), done: make(chan struct{})}
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
	threads.Rethrow(err)
	if err == nil && p.shared {
		p.put(in) // other queries may use the core at the same time
	}
	return in, err
}

func (p *pool) enter(ctx context.Context) (*failure, context.Context, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, &ClosedError{p.owner}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	p.waiting++
	return p.failure, p.wanted, nil
}

// leave cancels openings if the last waiting query has given up.
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
			slots, opened = nil, make(chan error, 1) // one opening per query is enough
			go func(opened chan<- error) { opened <- p.grow(ctx, wanted) }(opened)
		case err := <-opened:
			if err != nil {
				return nil, err
			}
			slots, opened = p.slots, nil // the core is idle, or another query has taken it
		case <-failure.told:
			return nil, failure.err
		case <-p.done:
			return nil, &ClosedError{p.owner}
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
	<-p.slots // freed after the failure is told, or a waiting query would take the slot
	return err
}

func (p *pool) release(in *instance) {
	if !p.shared {
		p.put(in)
	}
}

// put makes a core idle, or closes it if the pool is closed or the core is lost.
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

// close closes all cores; cores in use are closed when their queries end. A shared core is
// closed at once, also if queries use it.
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
		case in := <-p.idle: // the slot stays taken
			err = errors.Join(err, in.core.Close())
		case p.slots <- struct{}{}:
		}
	}
	return err
}
