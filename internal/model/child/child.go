package child

import (
	"context"
	"errors"
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

	pause time.Duration // first pause before a restart, after a process that answered nothing or did not start; default firstPause
}

const (
	window       = 4       // concurrent requests to a process; one is tokenised while another is computed
	requestTexts = 512     // most texts per request
	requestBytes = 1 << 20 // about the most bytes of texts per request
	patience     = 5 * time.Second

	firstPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
	// The number of failed starts in a row after which the engine gives up. The pauses
	// before them add up to 12 seconds or more.
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
