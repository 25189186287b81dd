// Package stall gives up answers of hosts from which nothing comes any more. It
// does not limit how long an answer takes, only how long its host may be silent.
package stall

import (
	"context"
	"errors"
	"io"
	"time"
)

// After is how long a host may be silent.
const After = 30 * time.Second

// Err is what a silent host's answer ends with.
var Err = errors.New("nothing comes any more")

// Watch follows one request.
type Watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	after  time.Duration
}

// New returns the context that the request has to be made with: it ends when
// nothing came for a while. The waiting begins at once.
func New(ctx context.Context, after time.Duration) (context.Context, *Watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &Watch{ctx, cancel, time.AfterFunc(after, func() { cancel(Err) }), after}
}

// Explain is err, or Err if that is what led to it.
func (w *Watch) Explain(err error) error {
	if err != nil && err != io.EOF && errors.Is(context.Cause(w.ctx), Err) {
		return Err
	}
	return err
}

// Reader reads the answer's body; every byte begins the waiting anew.
func (w *Watch) Reader(body io.Reader) io.Reader { return &reader{w, body} }

// Stop frees the request, whose answer can then not be read any more.
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
