package server

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// press makes clients that ask for memory wait if they ask faster than the collector
// frees what others have given back.
type press struct {
	most    int64 // bytes that the process may use before clients wait
	every   int64 // bytes asked for between two checks
	asked   atomic.Int64
	waiting atomic.Bool // a collection is running
	mu      sync.Mutex
}

// over records the bytes that a client asks for. It reports whether the process uses
// too much memory even after a collection.
func (p *press) over(n int64) bool {
	now := p.asked.Add(n)
	if p.waiting.Load() {
		p.mu.Lock() // wait until the collection is over
		defer p.mu.Unlock()
		return false
	}
	if now/p.every == (now-n)/p.every || inUse() <= p.most {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if inUse() <= p.most { // another client has just run a collection
		return false
	}
	p.waiting.Store(true)
	defer p.waiting.Store(false)
	runtime.GC()
	return inUse() > p.most
}
