package child

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

// Options of Start.
type Options struct {
	// Command starts a process that calls Serve on its stdin and stdout.
	Command []string
	// Env is added to the process's environment.
	Env []string
	// Config is passed to Serve's open, as JSON.
	Config any
	// Log, if not nil, receives each line that the process writes to stderr, and a
	// line for each restart. The lines come from outside and may contain anything.
	Log func(line string)

	pause time.Duration // pause before the second restart in a row; default firstPause
}

const (
	window       = 4       // concurrent requests to a process; one is tokenised while another is computed
	requestTexts = 512     // most texts per request
	requestBytes = 1 << 20 // about the most bytes of texts per request
	patience     = 5 * time.Second

	firstPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
	// The number of failed starts in a row after which the engine gives up. With the
	// pauses, they take about 15 seconds.
	starts = 8
	// mostDeaths is the number of process deaths during a request after which the
	// request gets an error.
	mostDeaths = 2
)

// ModelError says that the model itself cannot be opened. Neither the process nor its
// device is at fault.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// errClosed is the error of calls to a closed engine.
var errClosed = errors.New("the engine is closed")

// errGivenUp is the public error of an engine that has given up. It contains no lines
// of the log.
var errGivenUp = errors.New("the engine's process does not start any more, or has another model: see the log")

// Engine is an encoder in a process of its own. It implements encoder.IDEncoder.
//
// If the process dies, it is started again, and unanswered requests are sent again,
// beginning with those that were running, one at a time. If the process dies during the
// same request again, the request gets an error.
type Engine struct {
	o       Options
	info    encoder.Info
	texts   int // most texts of a request
	ctx     context.Context
	close   context.CancelFunc
	stopped chan struct{} // closed when no process runs any more
	wake    chan struct{} // signals that there may be something to send

	mu      sync.Mutex
	number  uint64
	waiting []*request
	flying  map[uint64]*request
	cancels []uint64
	refusal error // error of all requests if set
}

var _ encoder.IDEncoder = (*Engine)(nil)

// request is work that gets one answer.
type request struct {
	work
	id     uint64
	deaths int
	gone   bool        // the caller has given up
	done   chan answer // of one
}

type answer struct {
	embeddings []encoder.Embedding
	err        error
}

// Start starts a process and waits until its model is open.
func Start(ctx context.Context, o Options) (*Engine, error) {
	if o.pause == 0 {
		o.pause = firstPause
	}
	p, err := start(ctx, o)
	if err != nil {
		return nil, err
	}
	e := &Engine{o: o, info: p.info, texts: max(1, min(requestTexts, maxFrame/2/(4*p.info.Dim+5))), stopped: make(chan struct{}),
		wake: make(chan struct{}, 1), flying: map[uint64]*request{}}
	e.ctx, e.close = context.WithCancel(context.Background())
	go e.supervise(p)
	return e, nil
}

// Info implements model.Encoder.
func (e *Engine) Info() encoder.Info { return e.info }

// Encode implements model.Encoder.
func (e *Engine) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if err := o.Check(len(texts)); err != nil {
		return nil, err
	}
	return e.do(ctx, work{texts: texts, options: o})
}

// EncodeIDs implements encoder.IDEncoder.
func (e *Engine) EncodeIDs(ctx context.Context, ids [][]uint32) ([]encoder.Embedding, error) {
	return e.do(ctx, work{ids: ids})
}

// Ready returns an error if the engine has given up and will not answer again. The
// error contains nothing that the process wrote.
func (e *Engine) Ready() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch e.refusal {
	case nil, errClosed:
		return e.refusal
	}
	return errGivenUp
}

// Close ends the process and fails waiting requests.
func (e *Engine) Close() error {
	e.refuse(errClosed)
	e.close()
	<-e.stopped
	return nil
}

// do splits work into requests, sends them and waits for their answers.
func (e *Engine) do(ctx context.Context, w work) (embeddings []encoder.Embedding, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parts := w.split(e.texts)
	requests := make([]*request, len(parts))
	for i, part := range parts {
		requests[i] = &request{work: part, done: make(chan answer, 1)}
	}
	if err := e.submit(requests); err != nil {
		return nil, err
	}
	embeddings = make([]encoder.Embedding, 0, w.size())
	for i, r := range requests {
		var a answer
		select {
		case a = <-r.done:
		case <-ctx.Done():
			a.err = ctx.Err()
		}
		if a.err != nil {
			e.abandon(requests[i:])
			return nil, a.err
		}
		embeddings = append(embeddings, a.embeddings...)
	}
	return embeddings, nil
}

func (e *Engine) submit(requests []*request) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refusal != nil {
		return e.refusal
	}
	for _, r := range requests {
		e.number++
		r.id = e.number
	}
	e.waiting = append(e.waiting, requests...)
	e.signal()
	return nil
}

// abandon cancels requests whose caller has given up.
func (e *Engine) abandon(requests []*request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range requests {
		r.gone = true
		if e.flying[r.id] != nil {
			e.cancels = append(e.cancels, r.id)
		}
	}
	e.waiting = slices.DeleteFunc(e.waiting, func(r *request) bool { return r.gone })
	e.signal()
}

func (e *Engine) signal() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// next is the next frame to send, or nil if there is none now.
func (e *Engine) next() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.cancels) > 0 {
		id := e.cancels[0]
		e.cancels = e.cancels[1:]
		b, _ := endFrame(beginFrame(kindCancel, id)) // the frame is never too long
		return b
	}
	for len(e.waiting) > 0 {
		r, most := e.waiting[0], window
		for _, other := range append(slices.Collect(maps.Values(e.flying)), r) {
			if other.deaths > 0 { // alone, so that it is clear which request kills the process
				most = 1
			}
		}
		if len(e.flying) >= most {
			return nil
		}
		e.waiting = e.waiting[1:]
		b, err := r.frame(r.id)
		if err != nil {
			r.done <- answer{err: err}
			continue
		}
		e.flying[r.id] = r
		return b
	}
	return nil
}

// take handles an answer from the process. It returns an error if the frame makes no
// sense.
func (e *Engine) take(f frame) error {
	e.mu.Lock()
	r := e.flying[f.id]
	e.mu.Unlock()
	if r == nil {
		return fmt.Errorf("%w: an answer to request %d, which is not under way", errFrame, f.id)
	}
	var a answer
	switch {
	case f.kind == kindVectors:
		var err error
		if a.embeddings, err = parseVectors(f.content, r.size(), e.info.Dim); err != nil {
			return err
		}
	case f.kind == kindError && len(f.content) <= maxWords:
		a.err = errors.New(strings.ToValidUTF8(string(f.content), "�"))
	default:
		return fmt.Errorf("%w: kind %d for an answer", errFrame, f.kind)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flying, f.id)
	if !r.gone {
		r.done <- a
	}
	e.signal()
	return nil
}

// recall puts the requests of a dead process back into the queue.
func (e *Engine) recall(reason error) (again int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := slices.Sorted(maps.Keys(e.flying))
	var suspects []*request
	for _, id := range ids {
		r := e.flying[id]
		if r.deaths++; r.gone {
			continue
		}
		if r.deaths == mostDeaths {
			r.done <- answer{err: fmt.Errorf("the engine's process died twice while it had these %d texts, which are not sent again: %w", r.size(), reason)}
			continue
		}
		suspects = append(suspects, r)
	}
	clear(e.flying)
	e.cancels = nil
	e.waiting = append(suspects, e.waiting...)
	return len(suspects)
}

// refuse makes all current and later requests fail.
func (e *Engine) refuse(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refusal == nil {
		e.refusal = err
	}
	for _, r := range e.flying {
		if !r.gone {
			r.gone = true
			r.done <- answer{err: e.refusal}
		}
	}
	for _, r := range e.waiting {
		r.done <- answer{err: e.refusal}
	}
	e.waiting = nil
}
