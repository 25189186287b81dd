package main

import (
	"context"
	"sync/atomic"
	"time"
)

// closing is how long a command may take to end after a signal. Everything that
// it writes survives being cut off at any moment, so this is only a courtesy.
const closing = 10 * time.Second

// lastResort ends the process if a signal has not ended the command. The
// command may be blocked in a system call that no context can end, such as
// opening a pipe without a writer, or reading from a network disk that is gone.
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
