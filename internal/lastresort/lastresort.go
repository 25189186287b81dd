// Package lastresort ends a process that does not end by itself.
package lastresort

import (
	"context"
	"sync/atomic"
	"time"
)

// closing is the time that a command may take to end after a signal. It is only a
// courtesy, because killing a command at any moment damages none of its output.
const closing = 10 * time.Second

// Ending ends the process if a signal has not ended the command. The
// command may be blocked in a system call that no context can end, such as
// opening a pipe without a writer, or reading from a network disk that is gone.
type Ending struct {
	patience atomic.Int64 // time.Duration
	end      func()
}

// New returns an Ending that calls end if a watched command has not ended ten seconds after
// its context, or after the time that Wait sets.
func New(end func()) *Ending {
	l := &Ending{end: end}
	l.patience.Store(int64(closing))
	return l
}

// Wait sets the time that a command has to end by itself.
func (l *Ending) Wait(patience time.Duration) { l.patience.Store(int64(patience)) }

// Watch begins to wait when the context ends. The caller must call the returned
// function when the command has ended.
func (l *Ending) Watch(ctx context.Context) (ended func()) {
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
