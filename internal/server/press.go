package server

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// press makes clients who ask for memory wait, if they ask faster than the collector
// finds the memory that others have given back.
type press struct {
	most    int64 // bytes that the process may have before clients wait
	every   int64 // bytes asked for between two looks
	asked   atomic.Int64
	waiting atomic.Bool // for a collection
	mu      sync.Mutex
}

// over notes the bytes that are asked for, and reports whether the process has too much
// memory and all of it is in use.
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
