package search

import (
	"context"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder/threads"
)

// reads lets concurrent callers that want the same file share one reading. The reading
// continues as long as any caller waits for it. Its result or error is not kept
// afterwards. Callers must not modify the contents.
type reads struct {
	mu    sync.Mutex // held only briefly
	going map[string]*reading
}

type reading struct {
	waiting int
	cancel  context.CancelFunc
	ended   chan struct{}
	content []byte
	err     error
}

func (r *reads) read(ctx context.Context, path string, read func(ctx context.Context) ([]byte, error)) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	one := r.join(ctx, path, read)
	select {
	case <-one.ended:
		threads.Rethrow(one.err)
		return one.content, one.err
	case <-ctx.Done():
		r.mu.Lock()
		defer r.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			one.cancel()
			r.end(path, one) // later callers start a new reading
		}
		return nil, ctx.Err()
	}
}

func (r *reads) join(ctx context.Context, path string, read func(ctx context.Context) ([]byte, error)) *reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.going[path]
	if one == nil {
		one = &reading{ended: make(chan struct{})}
		ctx, one.cancel = context.WithCancel(context.WithoutCancel(ctx))
		if r.going == nil {
			r.going = map[string]*reading{}
		}
		r.going[path] = one
		go func() {
			one.content, one.err = one.attempt(ctx, read)
			one.cancel()
			r.mu.Lock()
			defer r.mu.Unlock()
			r.end(path, one)
			close(one.ended)
		}()
	}
	one.waiting++
	return one
}

func (*reading) attempt(ctx context.Context, read func(ctx context.Context) ([]byte, error)) (_ []byte, err error) {
	defer threads.Caught(&err)
	return read(ctx)
}

// end forgets a reading, unless a new one has replaced it.
func (r *reads) end(path string, one *reading) {
	if r.going[path] == one {
		delete(r.going, path)
	}
}
