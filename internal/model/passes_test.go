package model

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// echo is a model whose hidden states are its input.
type echo struct {
	during func(b *transformer.Batch, s *transformer.Scratch) error // called in each pass, unless nil
}

func (echo) Hidden() int     { return 3 }
func (echo) Vocabulary() int { return 1 << 20 }
func (echo) MaxTokens() int  { return 0 }
func (e echo) Forward(out []float32, b *transformer.Batch, s *transformer.Scratch) error {
	at := 0
	for i, n := range b.Lengths {
		for range n {
			copy(out[3*at:], []float32{float32(b.IDs[at]), float32(b.Types[at]), float32(n + 1000*b.Keys[i])})
			at++
		}
	}
	if e.during != nil {
		return e.during(b, s)
	}
	return nil
}

// batchOf is a batch of texts with the given numbers of tokens, and echo's output for
// it.
func batchOf(lengths ...int) (*transformer.Batch, []float32) {
	b, want := &transformer.Batch{}, []float32(nil)
	for i, n := range lengths {
		b.Lengths, b.Keys = append(b.Lengths, n), append(b.Keys, n-i%3)
		for range n {
			id := uint32(len(b.IDs))
			b.IDs, b.Types = append(b.IDs, id), append(b.Types, id%2)
			want = append(want, float32(id), float32(id%2), float32(n+1000*(n-i%3)))
		}
	}
	return b, want
}

// All ways to compute a batch give the same result.
func TestPassesAgree(t *testing.T) {
	pool := dense.NewPool(3)
	defer pool.Close()
	p := newPasses(pool)
	for _, c := range []struct {
		lengths []int
		passes  int64
	}{
		{[]int{20}, 1},                         // shared
		{slices.Repeat([]int{8}, 15), 3},       // short and divided
		{[]int{400, 3}, 1},                     // shared
		{slices.Repeat([]int{7, 5, 6}, 13), 3}, // divided
		{slices.Repeat([]int{6}, 66), 6},
	} {
		b, want := batchOf(c.lengths...)
		var n atomic.Int64
		e := echo{func(*transformer.Batch, *transformer.Scratch) error { n.Add(1); return nil }}
		var got []float32
		if err := p.do(t.Context(), e, b, func(hidden []float32) { got = slices.Clone(hidden) }); err != nil || !slices.Equal(got, want) || n.Load() != c.passes {
			t.Errorf("%v: %v in %d passes (%v), want %v", c.lengths, got, n.Load(), err, want)
		}
		wrong := errors.New("wrong")
		e.during = func(*transformer.Batch, *transformer.Scratch) error { return wrong }
		if err := p.do(t.Context(), e, b, func([]float32) { t.Error("used") }); err != wrong {
			t.Errorf("%v: %v", c.lengths, err)
		}
		e.during = func(*transformer.Batch, *transformer.Scratch) error { panic(wrong) }
		func() {
			defer func() {
				if got := recover(); got != any(wrong) || len(p.workers) != 3 {
					t.Errorf("%v: a panic gives %v, %d workers are free", c.lengths, got, len(p.workers))
				}
			}()
			p.do(t.Context(), e, b, func([]float32) { t.Error("used") })
		}()
	}
}

// Even if many goroutines encode, large batches use at most the given number of
// workers, a batch that cannot be divided has all of them, and a few short batches are
// computed beside it.
func TestPasses(t *testing.T) {
	const workers = 3
	pool := dense.NewPool(workers)
	defer pool.Close()
	p := newPasses(pool)
	var short, parts, whole, mostShort, mostParts, mostWhole, mixed atomic.Int64
	count := func(now, most *atomic.Int64) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		for range 100 {
			runtime.Gosched()
		}
		now.Add(-1)
	}
	e := echo{func(b *transformer.Batch, s *transformer.Scratch) error {
		switch {
		case len(b.Lengths) == 1 && len(b.IDs) <= shortTokens:
			count(&short, &mostShort)
		case len(b.Lengths) == 1:
			mixed.Add(parts.Load())
			count(&whole, &mostWhole)
			mixed.Add(parts.Load())
		default:
			mixed.Add(whole.Load())
			count(&parts, &mostParts)
		}
		return nil
	}}
	batches := []*transformer.Batch{}
	for _, lengths := range [][]int{{20}, {shortTokens + 1}, slices.Repeat([]int{20}, 40)} {
		b, _ := batchOf(lengths...)
		batches = append(batches, b)
	}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			if err := p.do(t.Context(), e, batches[i%3], func([]float32) {}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if mostShort.Load() > workers || mostParts.Load() > workers || mostWhole.Load() != 1 || mixed.Load() != 0 {
		t.Errorf("%d short passes, %d parts, %d whole batches at once; whole ones beside parts: %d", mostShort.Load(), mostParts.Load(), mostWhole.Load(), mixed.Load())
	}
	for hidden, want := range map[int]int{32: 2048, 384: 2048, 768: 1310, 4096: 256} {
		if got := batchTokens(hidden); got != want {
			t.Errorf("%d tokens at once for %d components, want %d", got, hidden, want)
		}
	}
}

// Workers that have finished their parts of one batch begin the next, and a waiting
// caller can give up.
func TestPassesOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := dense.NewPool(2)
		p := newPasses(pool)
		many, _ := batchOf(slices.Repeat([]int{16}, 16)...)
		long, _ := batchOf(shortTokens + 1)
		held := make(chan struct{})
		first := make(chan error, 1)
		go func() {
			first <- p.do(t.Context(), echo{func(b *transformer.Batch, _ *transformer.Scratch) error {
				if b.IDs[0] == 0 { // one worker stays busy
					<-held
				}
				return nil
			}}, many, func([]float32) {})
		}()
		synctest.Wait()
		if err := p.do(t.Context(), echo{}, many, func([]float32) {}); err != nil || len(first) != 0 {
			t.Errorf("%v; the first has ended: %d", err, len(first))
		}
		short, _ := batchOf(5)
		if err := p.do(t.Context(), echo{}, short, func([]float32) {}); err != nil {
			t.Error(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		waiting := make(chan error, 1)
		go func() { waiting <- p.do(ctx, echo{}, long, func([]float32) { t.Error("used") }) }()
		synctest.Wait()
		stop()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(held)
		if err := <-first; err != nil || len(p.workers) != 2 {
			t.Errorf("%v; %d workers are free", err, len(p.workers))
		}
		pool.Close()
	})
}
