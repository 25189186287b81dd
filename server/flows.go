package server

import (
	"net/netip"
	"sync"
)

// flows are those of HTTP requests: one for all that a client, an address with a key,
// has under way, so that many at once have no more of a batch than one.
type flows struct {
	mu   sync.Mutex
	each map[asker]*sharedFlow
}

type asker struct {
	addr netip.Addr
	key  int
}

type sharedFlow struct {
	flow
	requests int
}

// enter returns a client's flow until leave is called.
func (f *flows) enter(a asker) (shared *flow, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.each[a]
	if s == nil {
		s = &sharedFlow{}
		f.each[a] = s
	}
	s.requests++
	return &s.flow, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if s.requests--; s.requests == 0 {
			delete(f.each, a)
		}
	}
}
