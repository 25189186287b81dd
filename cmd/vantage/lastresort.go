package main

import (
	"context"
	"sync/atomic"
	"time"
)

// closing is how long a command has to end in order after a signal. What it
// writes can be cut off at any moment, so this is a courtesy, not a need.
const closing = 10 * time.Second

// lastResort ends the process if a signal has not ended the command: it may
// be held by what no context ends, such as the opening of a pipe that nobody
// writes to, or a disk of the network that is gone.
type lastResort struct {
	patience atomic.Int64 // time.Duration
	end      func()
}

func newLastResort(end func()) *lastResort {
	l := &lastResort{end: end}
	l.patience.Store(int64(closing))
	return l
}

// watch begins to wait when the context ends. The function it returns says that
// the command has ended.
func (l *lastResort) watch(ctx context.Context) (ended func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		select {
		case <-done:
		case <-time.After(time.Duration(l.patience.Load())):
			l.end()
		}
	})
	return func() {
		forget()
		close(done)
	}
}
