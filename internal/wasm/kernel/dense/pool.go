package dense

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool shares work among workers, one of which is the caller. It may be used by
// several goroutines: while one caller's work is shared, other callers do their
// work alone.
//
// A layer takes some tens of microseconds for a short text, and waking a sleeping
// thread takes as long. So workers spin for a short time before they sleep.
type Pool struct {
	workers int
	busy    sync.Mutex

	f        func(task, worker int)
	tasks    int64
	next     atomic.Int64 // task to be taken
	round    atomic.Int64 // number of the present work
	going    atomic.Int64 // workers that have not finished it
	wake     []chan struct{}
	sleep    []atomic.Bool
	done     chan struct{}
	ended    atomic.Bool
	panicked atomic.Pointer[any] // by a task of the present work

	scratch sync.Pool // of *attentionScratch
	rounded sync.Pool // of *Rounded
}

// NewPool returns a pool; Close ends its goroutines.
func NewPool(workers int) *Pool {
	workers = max(1, workers)
	p := &Pool{workers: workers, wake: make([]chan struct{}, workers), sleep: make([]atomic.Bool, workers), done: make(chan struct{}, 1)}
	for w := 1; w < workers; w++ {
		p.wake[w] = make(chan struct{}, 1)
		go p.work(w)
	}
	return p
}

// Workers that share the work.
func (p *Pool) Workers() int { return p.workers }

// Close ends the workers once no work is under way.
func (p *Pool) Close() {
	p.busy.Lock()
	defer p.busy.Unlock()
	if p.ended.Swap(true) {
		return
	}
	for _, c := range p.wake[1:] {
		c <- struct{}{}
	}
}

// Run calls f once for each task below tasks, from several goroutines, and
// returns when all have returned. If one of them panics, Run panics.
func (p *Pool) Run(tasks int, f func(task, worker int)) {
	if tasks <= 1 || p.workers == 1 || !p.busy.TryLock() {
		alone(tasks, f)
		return
	}
	defer p.busy.Unlock()
	if p.ended.Load() {
		alone(tasks, f)
		return
	}
	p.f, p.tasks = f, int64(tasks)
	p.next.Store(0)
	p.going.Store(int64(p.workers - 1))
	p.round.Add(1)
	for w := 1; w < p.workers; w++ {
		if p.sleep[w].Swap(false) {
			p.wake[w] <- struct{}{}
		}
	}
	p.take(0)
	for i := 0; p.going.Load() > 0 && i < patience; i++ {
		if i%64 == 63 {
			runtime.Gosched()
		}
	}
	<-p.done // the last to finish always says so
	p.f = nil
	if value := p.panicked.Swap(nil); value != nil {
		panic(*value)
	}
}

func alone(tasks int, f func(task, worker int)) {
	for task := range tasks {
		f(task, 0)
	}
}

// patience is how often a worker looks for work before it sleeps, some tens of
// microseconds.
const patience = 20_000

func (p *Pool) take(worker int) {
	defer func() {
		if value := recover(); value != nil {
			p.panicked.Store(&value)
		}
	}()
	for {
		task := p.next.Add(1) - 1
		if task >= p.tasks {
			return
		}
		p.f(int(task), worker)
	}
}

func (p *Pool) work(worker int) {
	for seen := int64(0); ; {
		for i := 0; p.round.Load() == seen; i++ {
			if i%64 == 63 {
				runtime.Gosched()
			}
			if i < patience {
				continue
			}
			p.sleep[worker].Store(true)
			if p.round.Load() != seen && p.sleep[worker].Swap(false) {
				break
			}
			<-p.wake[worker]
			if p.ended.Load() {
				return
			}
			break
		}
		if p.round.Load() == seen {
			if p.ended.Load() {
				return
			}
			continue
		}
		seen = p.round.Load()
		p.take(worker)
		if p.going.Add(-1) == 0 {
			p.done <- struct{}{}
		}
	}
}

// Split calls f for consecutive parts of n things, about equal in size. There are at
// most ⌈n/least⌉ parts, so that a part has at least half of least, or all things.
func (p *Pool) Split(n, least int, f func(first, last int)) {
	tasks := min(2*p.Workers(), (n+least-1)/least)
	if p.Workers() == 1 {
		tasks = 1
	}
	p.Run(tasks, func(task, _ int) { f(n*task/tasks, n*(task+1)/tasks) })
}
