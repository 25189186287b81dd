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

	pause time.Duration // before the second restart in a row; default firstPause
}

const (
	window       = 4       // concurrent requests of a process, so that one is tokenised while another is computed
	requestTexts = 512     // texts of a request
	requestBytes = 1 << 20 // of them, about
	patience     = 5 * time.Second

	firstPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
	// the number of failed starts in a row after which the engine gives up: with their
	// pauses, a quarter of a minute.
	starts = 8
	// mostDeaths is how many times a process may die during a request before the
	// request gets an error.
	mostDeaths = 2
)

// ModelError says that a model cannot be opened as it is: neither the process nor
// its device is to blame.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// errClosed is the error of calls to a closed engine.
var errClosed = errors.New("the engine is closed")

// errGivenUp is the public form of a refusal, without the lines of the log.
var errGivenUp = errors.New("the engine's process does not start any more, or has another model: see the log")

// Engine is an encoder in a process of its own. It implements encoder.IDEncoder.
//
// When the process dies, it is started again, and unanswered requests are sent again:
// first those that were under way, one at a time. A request during which the process
// dies a second time gets an error.
type Engine struct {
	o       Options
	info    encoder.Info
	texts   int // of a request
	ctx     context.Context
	close   context.CancelFunc
	stopped chan struct{} // closed when no process is left
	wake    chan struct{} // there may be something to send

	mu      sync.Mutex
	number  uint64
	waiting []*request
	flying  map[uint64]*request
	cancels []uint64
	refusal error // of everything, once it is set
}

var _ encoder.IDEncoder = (*Engine)(nil)

// request is work that is answered as a whole.
type request struct {
	work
	id     uint64
	deaths int
	gone   bool        // nobody waits for the answer
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

// do splits work into requests and waits for their answers.
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

// abandon cancels requests that nobody waits for.
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
		b, _ := endFrame(beginFrame(kindCancel, id)) // which is never too long
		return b
	}
	for len(e.waiting) > 0 {
		r, most := e.waiting[0], window
		for _, other := range append(slices.Collect(maps.Values(e.flying)), r) {
			if other.deaths > 0 { // alone, so that the culprit is known
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

// recall returns the requests of a dead process to the queue.
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

// refuse makes all requests fail from now on.
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
