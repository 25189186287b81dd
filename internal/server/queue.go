package server

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Why a text was not encoded.
var (
	errDeadline     = fault.New(fault.Unavailable, "the deadline passed before the text was encoded")
	errAway         = fault.New(fault.Unavailable, "the client is away")
	errShuttingDown = fault.New(fault.Unavailable, "the server is shutting down: connect again")
	errInternal     = fault.New(fault.Internal, "the model failed on this text")
)

// overloadError says that there is no room for more work.
type overloadError struct {
	what  string
	retry time.Duration
}

// Is reports the kind of fault: unavailable.
func (e *overloadError) Is(target error) bool { return target == fault.Unavailable }

func (e *overloadError) Error() string {
	return fmt.Sprintf("%s: try again in %v", e.what, e.retry.Round(time.Millisecond))
}

// batchesAtOnce is the number of batches that are encoded at the same time if full
// batches wait, so that threads of the model that have finished one batch can begin the next. A
// model with one thread has one batch, because two would only switch threads.
const batchesAtOnce = 2

// queue holds the waiting jobs of all clients and makes batches of them.
type queue struct {
	budget, bound int           // most tokens of a batch, and of all waiting jobs
	window        time.Duration // time that the oldest job may wait for others while the model is idle

	mu      sync.Mutex
	flows   map[asker]*flow
	active  []*flow // flows in the order of their turns
	waiting int     // waiting tokens
	counted int     // tokens that count against the bound; an asker counts for at most its share
	running int     // running batches
	oldest  time.Time
	closed  bool
	wake    []chan struct{} // one channel per taker of batches
	rate    float64         // speed of encoding, in tokens per second
	last    time.Time       // end of the last batch
}

// newQueue returns a queue for a number of concurrent batches.
func newQueue(budget, bound int, window time.Duration, atOnce int) *queue {
	q := &queue{budget: budget, bound: bound, window: window, flows: map[asker]*flow{}, wake: make([]chan struct{}, atOnce), rate: 10_000}
	for i := range q.wake {
		q.wake[i] = make(chan struct{}, 1)
	}
	return q
}

// push adds all jobs of an order, or none. An asker's share is half of the room that
// the others leave. A single asker thus has half of the bound, and there is always room
// for one more asker. For admission, a request counts for at most half of the share, so
// that requests of any size are admitted eventually. If it is larger than the share, it
// is admitted only if the others have at most half of the bound, and then counts for
// the whole share.
func (q *queue) push(who asker, l *lane, o *order) error {
	cost := 0
	for i := range o.jobs {
		cost += o.jobs[i].cost
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errShuttingDown
	}
	if len(o.jobs) == 0 {
		return nil
	}
	f := q.flows[who]
	if f == nil {
		f = &flow{asker: who}
	}
	others := q.counted - f.counted
	share := (q.bound - others) / 2
	if f.counted+min(cost, share/2) > share || cost > share && others > q.bound/2 {
		what := "too much is waiting to be encoded"
		if f.waiting > 0 {
			what = "too much from this address is waiting to be encoded"
		}
		return &overloadError{what, q.retry()}
	}
	now := time.Now()
	if len(q.active) == 0 {
		q.oldest = now
	}
	if f.waiting == 0 {
		q.flows[who] = f
		q.active = append(q.active, f)
	}
	o.entered, o.flow, o.lane = now, f, l
	if l.place == nil {
		l.credit = quantum // an empty lane keeps neither credit nor debt
		l.place = f.lanes.PushBack(l)
	}
	o.place = l.orders.PushBack(o)
	q.waiting += cost
	f.waiting += cost
	q.count(f, min(f.waiting, share))
	q.signal()
	return nil
}

// count sets the number of a flow's tokens that count against the bound; q.mu is held.
func (q *queue) count(f *flow, tokens int) {
	q.counted += tokens - f.counted
	f.counted = tokens
}

// taken subtracts tokens of a flow that left the queue; q.mu is held.
func (q *queue) taken(f *flow, cost int) {
	q.waiting -= cost
	f.waiting -= cost
	q.count(f, min(f.counted, f.waiting))
	if f.lanes.Len() == 0 {
		delete(q.flows, f.asker)
	}
}

// retry is about the time to encode half of the waiting texts.
func (q *queue) retry() time.Duration {
	seconds := min(max(float64(q.waiting)/2/q.rate, 0.1), 30)
	return time.Duration(seconds * float64(time.Second))
}

// signal wakes the takers that may find a batch. It wakes the second taker only if a
// batch may begin beside another, or if the queue is closed. q.mu is held.
func (q *queue) signal() {
	for i, wake := range q.wake {
		if i > 0 && !q.closed && (i > q.running || q.waiting < q.size()) {
			break
		}
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// sweep removes the jobs of an order if they are no longer wanted, and returns the
// reason.
func (q *queue) sweep(o *order) (jobs []job, why error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.place == nil {
		return nil, nil
	}
	if why = o.wanted(); why == nil {
		return nil, nil
	}
	cost := 0
	for i := range o.jobs {
		cost += o.jobs[i].cost
	}
	jobs, o.jobs = o.jobs, nil
	o.flow.leave(o)
	q.taken(o.flow, cost)
	if o.flow.lanes.Len() == 0 {
		q.active = slices.DeleteFunc(q.active, func(f *flow) bool { return f == o.flow })
	}
	return jobs, why
}

// tokens is the number of waiting tokens.
func (q *queue) tokens() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// close refuses further jobs. Waiting jobs are still encoded.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}
