package server

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// press keeps clients from asking for memory faster than the collector finds what they
// have given back, which takes memory until it does: those who ask wait for it.
type press struct {
	most    int64 // bytes that this process may have before they do
	every   int64 // bytes asked for between two looks
	asked   atomic.Int64
	waiting atomic.Bool // for a collection
	mu      sync.Mutex
}

// over is told of bytes that are asked for, and reports whether the process has too much
// memory, all of it in use.
func (p *press) over(n int64) bool {
	now := p.asked.Add(n)
	if p.waiting.Load() {
		p.mu.Lock() // until it is over
		defer p.mu.Unlock()
		return false
	}
	if now/p.every == (now-n)/p.every || inUse() <= p.most {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if inUse() <= p.most { // another has waited for it
		return false
	}
	p.waiting.Store(true)
	defer p.waiting.Store(false)
	runtime.GC()
	return inUse() > p.most
}
