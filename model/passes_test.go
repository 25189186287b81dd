package model

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/wasm/kernel/dense"
)

// However many goroutines encode, one large pass at a time has memory, and so do a
// few short ones beside it.
func TestPasses(t *testing.T) {
	workers := dense.NewPool(3)
	defer workers.Close()
	p := newPasses(workers)
	var now, most [2]atomic.Int64
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			kind, tokens := i%2, []int{shortTokens, shortTokens + 1}[i%2]
			err := p.do(t.Context(), tokens, func(*pass) error {
				n := now[kind].Add(1)
				for old := most[kind].Load(); n > old && !most[kind].CompareAndSwap(old, n); old = most[kind].Load() {
				}
				for range 100 {
					runtime.Gosched()
				}
				now[kind].Add(-1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if short, large := most[0].Load(), most[1].Load(); short > 3 || large != 1 {
		t.Errorf("%d short passes and %d large ones at once", short, large)
	}
	// Whoever waits can give up.
	err := p.do(t.Context(), 2000, func(*pass) error {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		return p.do(ctx, 2000, func(*pass) error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for hidden, want := range map[int]int{32: 2048, 384: 2048, 768: 1310, 4096: 256} {
		if got := batchTokens(hidden); got != want {
			t.Errorf("%d tokens at once for %d components, want %d", got, hidden, want)
		}
	}
}
