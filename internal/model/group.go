package model

import (
	"sync"
	"sync/atomic"
)

// group is a sync.WaitGroup whose Wait panics if one of its goroutines did. The
// waiting caller can recover, whereas a panic in the goroutine itself would end the
// process.
type group struct {
	running  sync.WaitGroup
	panicked atomic.Pointer[any]
}

func (g *group) Go(f func()) {
	g.running.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				g.panicked.Store(&p)
			}
		}()
		f()
	})
}

func (g *group) Wait() {
	g.running.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(*p)
	}
}
