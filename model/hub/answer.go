package hub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// answer is a response whose body ends with an error where nothing comes any more.
type answer struct {
	*http.Response
	host string
	io.Reader
	cancel context.CancelCauseFunc
	watch  *time.Timer
}

func (a *answer) Close() {
	a.watch.Stop()
	a.Body.Close()
	a.cancel(nil)
}

var errStalled = errors.New("nothing comes any more")

// watchedReader gives up where nothing comes for a while.
type watchedReader struct {
	r     io.Reader
	ctx   context.Context
	watch *time.Timer
	stall time.Duration
}

func (r *watchedReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if n > 0 {
		r.watch.Reset(r.stall)
	}
	if err != nil {
		r.watch.Stop()
		if err != io.EOF && errors.Is(context.Cause(r.ctx), errStalled) {
			err = errStalled
		}
	}
	return n, err
}
