package server

import (
	"context"
	"time"
)

// batchTime is about the longest time for a batch of several texts, so that a client
// with a short text does not wait long for others. Larger batches gain little on
// processors, and accelerators encode thousands of tokens in this time.
const batchTime = 25 * time.Millisecond

// batchLeast is the least number of tokens that fill a batch, even if the model is
// slow. With fewer, processors take longer per token.
const batchLeast = 128

// size is the number of tokens of a full batch; q.mu is held.
func (q *queue) size() int {
	return min(q.budget, max(batchLeast, int(q.rate*batchTime.Seconds())))
}

// next waits for a batch. A batch is ready if it is full and another may run beside the
// running ones, or if none runs and its oldest job has waited for the window. next
// returns nil if the queue is closed and empty, or the context has ended. The batch
// runs until done is called.
//
// Takers are numbered from 0. Until the queue is closed, only number 0 gets batches that
// do not begin beside another, so that batches rarely change threads.
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

// rest takes all waiting jobs.
func (q *queue) rest() []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []*job
	for _, f := range q.active {
		for f.lanes.Len() > 0 {
			o := f.lanes.Front().Value.(*lane).orders.Front().Value.(*order)
			for i := range o.jobs {
				all = append(all, &o.jobs[i])
			}
			f.leave(o)
		}
		delete(q.flows, f.asker)
	}
	q.active, q.waiting, q.counted = nil, 0, 0
	return all
}

// done ends a batch.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.signal()
}

// take removes a batch from the queue. The askers take turns, each with as many tokens
// as its deficit allows. The first job is taken regardless of its cost.
func (q *queue) take() []*job {
	var batch []*job
	used, size := 0, q.size()
	for len(q.active) > 0 {
		f := q.active[0]
		if !f.turn {
			f.deficit += quantum
		}
		f.turn = false
		for f.lanes.Len() > 0 {
			l := f.next()
			o := l.orders.Front().Value.(*order)
			j := &o.jobs[0]
			if len(batch) > 0 && used+j.cost > size {
				f.turn = true
				q.settle()
				return batch
			}
			if j.cost > f.deficit {
				break
			}
			o.jobs = o.jobs[1:]
			if len(o.jobs) == 0 {
				f.leave(o)
			}
			l.credit -= j.cost
			f.deficit -= j.cost
			q.taken(f, j.cost)
			used += j.cost
			batch = append(batch, j)
		}
		q.active = q.active[1:]
		if f.lanes.Len() > 0 {
			q.active = append(q.active, f)
		}
	}
	q.settle()
	return batch
}

// settle finds the oldest of the remaining jobs, which the window needs.
func (q *queue) settle() {
	if q.window == 0 {
		return
	}
	q.oldest = time.Time{}
	for _, f := range q.active {
		for l := f.lanes.Front(); l != nil; l = l.Next() {
			o := l.Value.(*lane).orders.Front().Value.(*order)
			if q.oldest.IsZero() || o.entered.Before(q.oldest) {
				q.oldest = o.entered
			}
		}
	}
}

// encoded measures the speed after a batch. began is the batch's start; another batch
// may have run at the same time. A batch without tokens, which has failed, says nothing
// about the speed.
func (q *queue) encoded(tokens int, began time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if began.Before(q.last) {
		began = q.last
	}
	q.last = now
	if tokens == 0 {
		return
	}
	q.rate += 0.2 * (float64(tokens)/max(now.Sub(began).Seconds(), 1e-6) - q.rate)
}
