package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vantage-search/vantage/model"
)

// Why a text was not encoded.
var (
	errDeadline     = errors.New("the deadline passed before the text was encoded")
	errAway         = errors.New("the client is away")
	errShuttingDown = errors.New("the server is shutting down: connect again")
	errInternal     = errors.New("the model failed on this text")
)

// overloadError is the one answer to more work than there is room for.
type overloadError struct {
	what  string
	retry time.Duration
}

func (e *overloadError) Error() string {
	return fmt.Sprintf("%s: try again in %v", e.what, e.retry.Round(time.Millisecond))
}

// job is one text to be encoded.
type job struct {
	text     string
	ids      []uint32 // of its tokens, in place of the text; nil: the text
	role     model.Role
	cost     int // tokens, of texts estimated
	deadline time.Time
	entered  time.Time
	// wanted says why the text need no longer be encoded, or nil. It takes no locks.
	wanted func() error
	// finish takes the result, once. It must not block.
	finish func(model.Embedding, error)
	trail  *trail
}

// flow are the waiting jobs of one client, in order.
type flow struct {
	jobs    []*job
	deficit int  // tokens that it may still take in its turn
	turn    bool // has begun, and was cut short by the end of a batch
}

// quantum is what a client may take of a batch before it is the next one's turn,
// in tokens (deficit round-robin: Shreedhar and Varghese, 1996, section 3).
const quantum = 64

// batchTime is about how long the model may take for a batch of several texts, so
// that a client with little does not wait behind a large one of others. Processors
// gain nothing by larger ones; accelerators encode thousands of tokens in it.
const batchTime = 25 * time.Millisecond

// batchLeast are the tokens that a batch may have however slow the model is: with
// fewer, processors take longer for each.
const batchLeast = 128

// batchesAtOnce are encoded where full ones wait: what of the model has nothing left
// of one begins with the next. A model that computes on one thread has one, which
// would but change threads between two.
const batchesAtOnce = 2

// queue holds the waiting jobs of all clients and makes batches of them.
type queue struct {
	budget, bound int           // tokens of a batch, of all that waits
	window        time.Duration // that the oldest job may wait for others while the model is idle

	mu      sync.Mutex
	active  []*flow // with jobs, in the order of their turns
	waiting int     // tokens
	running int     // batches
	oldest  time.Time
	closed  bool
	wake    []chan struct{} // of each who takes batches
	rate    float64         // tokens a second that batches have been encoded with
	last    time.Time       // when one was
}

// newQueue returns the queue of those who take so many batches at once.
func newQueue(budget, bound int, window time.Duration, atOnce int) *queue {
	q := &queue{budget: budget, bound: bound, window: window, wake: make([]chan struct{}, atOnce), rate: 10_000}
	for i := range q.wake {
		q.wake[i] = make(chan struct{}, 1)
	}
	return q
}

// push adds all jobs of a request, or none. A request counts for at most half of
// the bound when it is let in, so that one of any size finds its moment.
func (q *queue) push(f *flow, jobs []*job) error {
	cost := 0
	for _, j := range jobs {
		cost += j.cost
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errShuttingDown
	}
	if q.waiting+min(cost, q.bound/2) > q.bound {
		return &overloadError{"too much is waiting to be encoded", q.retry()}
	}
	now := time.Now()
	if len(q.active) == 0 {
		q.oldest = now
	}
	for _, j := range jobs {
		j.entered = now
	}
	if len(f.jobs) == 0 && len(jobs) > 0 {
		q.active = append(q.active, f)
	}
	f.jobs = append(f.jobs, jobs...)
	q.waiting += cost
	q.signal()
	return nil
}

// retry is about how long it takes to encode half of what waits.
func (q *queue) retry() time.Duration {
	d := time.Duration(float64(q.waiting) / 2 / q.rate * float64(time.Second))
	return min(max(d, 100*time.Millisecond), 30*time.Second)
}

// signal wakes those for whom there may be a batch: the second only for one that may
// begin beside another. q.mu is held.
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

// sweep takes the jobs of a client out that are no longer wanted.
func (q *queue) sweep(f *flow) {
	var unwanted []*job
	var why []error
	q.mu.Lock()
	f.jobs = slices.DeleteFunc(f.jobs, func(j *job) bool {
		err := j.wanted()
		if err != nil {
			unwanted, why = append(unwanted, j), append(why, err)
			q.waiting -= j.cost
		}
		return err != nil
	})
	if len(f.jobs) == 0 {
		q.active = slices.DeleteFunc(q.active, func(g *flow) bool { return g == f })
	}
	q.mu.Unlock()
	for i, j := range unwanted {
		j.finish(model.Embedding{}, why[i])
	}
}

// size is how many tokens the next batch may have; q.mu is held.
func (q *queue) size() int {
	return min(q.budget, max(batchLeast, int(q.rate*batchTime.Seconds())))
}

// next waits for a batch: until it is full and there is room for it beside those
// that run, or none runs and its oldest member has waited for the window. It returns
// nil when the queue is closed and empty, or the context has ended. The batch runs
// until done is called.
//
// Who asks has a number below those at once, one each: the first gets all
// batches but those that begin beside another, so that few change threads.
func (q *queue) next(ctx context.Context, who int) []*job {
	for {
		q.mu.Lock()
		if q.closed && len(q.active) == 0 || ctx.Err() != nil {
			q.mu.Unlock()
			return nil
		}
		var wait <-chan time.Time
		if len(q.active) > 0 {
			left := q.window - time.Since(q.oldest)
			full := q.waiting >= q.size()
			if full && q.running >= who && q.running < len(q.wake) || q.running == 0 && (who == 0 && left <= 0 || q.closed) {
				batch := q.take()
				q.running++
				if q.waiting >= q.size() {
					q.signal()
				}
				q.mu.Unlock()
				return batch
			}
			if q.running == 0 && who == 0 {
				wait = time.After(left)
			}
		}
		q.mu.Unlock()
		select {
		case <-q.wake[who]:
		case <-wait:
		case <-ctx.Done():
			return nil
		}
	}
}

// rest takes all that waits.
func (q *queue) rest() []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []*job
	for _, f := range q.active {
		all = append(all, f.jobs...)
		f.jobs = nil
	}
	q.active, q.waiting = nil, 0
	return all
}

// done ends a batch.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.signal()
}

// take removes a batch from the queue: the clients take turns, each with as many
// tokens as its share has grown to. The first job is taken whatever it costs.
func (q *queue) take() []*job {
	var batch []*job
	used, size := 0, q.size()
	for len(q.active) > 0 {
		f := q.active[0]
		if !f.turn {
			f.deficit += quantum
		}
		f.turn = false
		for len(f.jobs) > 0 {
			j := f.jobs[0]
			if len(batch) > 0 && used+j.cost > size {
				f.turn = true
				q.settle()
				return batch
			}
			if j.cost > f.deficit {
				break
			}
			f.jobs[0] = nil
			f.jobs = f.jobs[1:]
			f.deficit -= j.cost
			q.waiting -= j.cost
			used += j.cost
			batch = append(batch, j)
		}
		q.active = q.active[1:]
		if len(f.jobs) > 0 {
			q.active = append(q.active, f)
		} else {
			f.jobs, f.deficit = nil, 0 // nothing is saved up
		}
	}
	q.settle()
	return batch
}

// settle finds the oldest of the jobs that are left.
func (q *queue) settle() {
	for i, f := range q.active {
		if t := f.jobs[0].entered; i == 0 || t.Before(q.oldest) {
			q.oldest = t
		}
	}
}

// encoded tells when so many tokens of a batch were begun that are encoded now.
// Another batch may have been under way until lately.
func (q *queue) encoded(tokens int, began time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if began.Before(q.last) {
		began = q.last
	}
	q.last = now
	q.rate += 0.2 * (float64(tokens)/max(now.Sub(began).Seconds(), 1e-6) - q.rate)
}

// tokens that wait.
func (q *queue) tokens() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// close lets nothing in any more; what waits is still encoded.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}
