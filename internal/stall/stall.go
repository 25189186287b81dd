// Package stall gives up on hosts that have stopped sending. It does not limit
// how long an answer takes, because a large file on a slow line may take hours.
// It limits only how long the host may be silent.
package stall

import (
	"context"
	"errors"
	"io"
	"time"
)

// After is the longest time that a host may be silent.
const After = 30 * time.Second

// Err is the error of reading the answer of a silent host.
var Err = errors.New("the host has stopped sending")

// Watch follows one request.
type Watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	after  time.Duration
}

// New returns a context for the request, which ends when nothing has arrived for the
// duration after. The time starts immediately.
func New(ctx context.Context, after time.Duration) (context.Context, *Watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &Watch{ctx, cancel, time.AfterFunc(after, func() { cancel(Err) }), after}
}

// Explain returns Err if silence caused err, otherwise err.
func (w *Watch) Explain(err error) error {
	if err != nil && err != io.EOF && errors.Is(context.Cause(w.ctx), Err) {
		return Err
	}
	return err
}

// Reader reads the answer's body. Every byte restarts the time.
func (w *Watch) Reader(body io.Reader) io.Reader { return &reader{w, body} }

// Stop frees the request. Its answer can no longer be read.
func (w *Watch) Stop() {
	w.timer.Stop()
	w.cancel(nil)
}

type reader struct {
	watch *Watch
	body  io.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	n, err := r.body.Read(b)
	if n > 0 && err == nil {
		r.watch.timer.Reset(r.watch.after)
	}
	return n, r.watch.Explain(err)
}
