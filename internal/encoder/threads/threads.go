// Package threads runs goroutines whose panics reach the caller that waits for them.
package threads

import (
	"sync"
	"sync/atomic"
)

// Group is a sync.WaitGroup whose Wait panics if one of its goroutines did. The
// waiting caller can recover, whereas a panic in the goroutine itself would end the
// process.
type Group struct {
	running  sync.WaitGroup
	panicked atomic.Pointer[any]
}

// Go runs f in a goroutine.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				g.panicked.Store(&p)
			}
		}()
		f()
	})
}

// Wait returns when all goroutines have ended.
func (g *Group) Wait() {
	g.running.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(*p)
	}
}
