package search

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// counted is a core that can be lost, and counts when it is closed.
type counted struct {
	native
	lost   bool
	closed *atomic.Int32
}

func (c *counted) Lost() bool   { return c.lost }
func (c *counted) Close() error { c.closed.Add(1); return nil }

// slow opens cores only when the test allows it, like a slow file system.
type slow struct {
	let    chan error // one value per opening that may end
	begun  atomic.Int32
	ended  atomic.Int32 // openings ended by their contexts
	closed atomic.Int32 // closed cores
}

func newSlow() *slow { return &slow{let: make(chan error, 16)} }

func (s *slow) open(ctx context.Context) (*instance, error) {
	s.begun.Add(1)
	select {
	case err := <-s.let:
		return &instance{core: &counted{closed: &s.closed}}, err
	case <-ctx.Done():
		s.ended.Add(1)
		return nil, ctx.Err()
	}
}

// taken is the result of a call of acquire.
type taken struct {
	in   *instance
	err  error
	done bool
}

func take(ctx context.Context, p *pool) *taken {
	t := &taken{}
	go func() {
		t.in, t.err = p.acquire(ctx)
		t.done = true
	}()
	synctest.Wait()
	return t
}

func inBubble(t *testing.T, size int, test func(t *testing.T, s *slow, p *pool)) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow()
		p := newPool("collection", size, false, s.open)
		test(t, s, p)
	})
}

// While a core is being opened, other cores can be acquired and released, and a waiting
// query takes the first free one.
func TestOpeningBlocksNobody(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *slow, p *pool) {
		s.let <- nil
		a := take(t.Context(), p)
		if !a.done || a.err != nil {
			t.Fatalf("the first core: %+v", a)
		}
		b := take(t.Context(), p)
		if b.done || s.begun.Load() != 2 {
			t.Fatalf("the second core does not open: %+v", b)
		}
		p.release(a.in)
		synctest.Wait()
		if !b.done || b.in != a.in {
			t.Fatalf("a query that waits for an opening does not take a released core: %+v", b)
		}
		p.release(b.in)
		for range 3 {
			c := take(t.Context(), p)
			if !c.done || c.in != a.in {
				t.Fatalf("an opening keeps other queries from an idle core: %+v", c)
			}
			p.release(c.in)
		}
		s.let <- nil
		synctest.Wait()
		c, d := take(t.Context(), p), take(t.Context(), p)
		if !c.done || !d.done || c.in == d.in || s.begun.Load() != 2 {
			t.Fatalf("after the opening: %+v, %+v", c, d)
		}
		p.release(c.in)
		p.release(d.in)
		if err := p.close(); err != nil || s.closed.Load() != 2 {
			t.Errorf("%d cores of 2 are closed: %v", s.closed.Load(), err)
		}
	})
}

// A query that gives up does not affect other waiting queries. An opening that nobody
// waits for is cancelled.
func TestGivingUpAnOpening(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *slow, p *pool) {
		first, giveUp := context.WithCancel(t.Context())
		a, b := take(first, p), take(t.Context(), p)
		giveUp()
		synctest.Wait()
		if !a.done || !errors.Is(a.err, context.Canceled) || b.done {
			t.Fatalf("given up: %+v, the other: %+v", a, b)
		}
		s.let <- nil
		synctest.Wait()
		if !b.done || b.err != nil || s.begun.Load() != 1 {
			t.Fatalf("the other: %+v after %d openings", b, s.begun.Load())
		}
		b.in.core.(*counted).lost = true
		p.release(b.in)

		again, giveUp := context.WithCancel(t.Context())
		c, d := take(again, p), take(again, p)
		giveUp()
		synctest.Wait()
		if !c.done || !d.done || s.ended.Load() != 1 {
			t.Fatalf("both have given up, and %d openings have ended: %+v, %+v", s.ended.Load(), c, d)
		}
		s.let <- nil
		if e := take(t.Context(), p); !e.done || e.err != nil || s.begun.Load() != 3 {
			t.Fatalf("the next query: %+v", e)
		} else {
			p.release(e.in)
		}
		if err := p.close(); err != nil || s.closed.Load() != 2 {
			t.Errorf("%d cores are closed: %v", s.closed.Load(), err)
		}
	})
}

// Waiting queries learn that an opening has failed, and the next query tries again.
func TestFailedOpeningIsNotRemembered(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *slow, p *pool) {
		broken := errors.New("the network is down")
		a, b := take(t.Context(), p), take(t.Context(), p)
		s.let <- broken
		synctest.Wait()
		if !a.done || !b.done || a.err != broken || b.err != broken || s.begun.Load() != 1 {
			t.Fatalf("%+v, %+v after %d openings", a, b, s.begun.Load())
		}
		s.let <- nil
		c := take(t.Context(), p)
		if !c.done || c.err != nil {
			t.Fatalf("after the failure: %+v", c)
		}
		p.release(c.in)
		if err := p.close(); err != nil || s.closed.Load() != 1 {
			t.Errorf("%d cores are closed: %v", s.closed.Load(), err)
		}
	})
}

// If a core cannot be opened, queries that can wait for a core in use do not fail.
func TestFailedOpeningBesideOthers(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *slow, p *pool) {
		s.let <- nil
		a, b := take(t.Context(), p), take(t.Context(), p)
		c := take(t.Context(), p)
		s.let <- errors.New("no memory for another core")
		synctest.Wait()
		if b.err == nil || c.done || s.begun.Load() != 3 { // c has begun an opening of its own
			t.Fatalf("%+v, %+v after %d openings", b, c, s.begun.Load())
		}
		p.release(a.in)
		synctest.Wait()
		if !c.done || c.err != nil {
			t.Fatalf("%+v", c)
		}
		p.release(c.in)
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
}

// Closing cancels openings and waits for running queries.
func TestClosingThePool(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *slow, p *pool) {
		s.let <- nil
		a, b := take(t.Context(), p), take(t.Context(), p)
		closed := false
		go func() {
			if err := p.close(); err != nil {
				t.Error(err)
			}
			closed = true
		}()
		synctest.Wait()
		if !b.done || !errors.Is(b.err, ErrClosed) || s.ended.Load() != 1 || closed {
			t.Fatalf("%+v, %d openings have ended, closed: %t", b, s.ended.Load(), closed)
		}
		p.release(a.in)
		synctest.Wait()
		if !closed || s.closed.Load() != 1 {
			t.Fatalf("closed: %t, %d cores", closed, s.closed.Load())
		}
		if c := take(t.Context(), p); !errors.Is(c.err, ErrClosed) {
			t.Errorf("after closing: %+v", c)
		}
	})
}
