package server

import (
	"testing"
	"time"
)

// Every connection is pinged once per interval, also if ticks are late.
func TestPingsByTheClock(t *testing.T) {
	const interval = pingTurns * time.Second
	p := newPings(interval)
	conns := map[*conn]bool{}
	p.last = time.Now() // no timer is wanted
	began := p.last
	for range 100 {
		c := &conn{}
		p.add(c)
		conns[c] = true
	}
	pinged := map[*conn]time.Duration{}
	count := func(after time.Duration) (n int) {
		for _, c := range p.due(began.Add(after)) {
			if before, again := pinged[c]; again && after-before < interval-20*time.Second {
				t.Errorf("after %v a connection is pinged that was pinged after %v", after, before)
			}
			pinged[c] = after
			n++
		}
		return n
	}
	if n := count(time.Second - 1); n > 0 {
		t.Errorf("%d are pinged before the first turn", n)
	}
	for round := range 3 {
		n := 0
		for after := 20 * time.Second; after < interval; after += 20 * time.Second { // each tick is 19 turns late
			n += count(time.Duration(round)*interval + after)
		}
		if n += count(time.Duration(round+1) * interval); n != len(conns) || len(pinged) != len(conns) {
			t.Errorf("%d pings in an interval, of %d connections", n, len(conns))
		}
	}
	if n := count(10 * interval); n != len(conns) {
		t.Errorf("%d pings after a long pause", n)
	}
	if n := count(10*interval + time.Second/2); n > 0 {
		t.Errorf("%d pings without a turn", n)
	}
}
