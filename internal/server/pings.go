package server

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// pings pings every connection once per interval.
//
// It pings connections in groups, because with a timer for each, thousands of quiet
// connections would wake a processor thousands of times. A connection's group is
// random, because many clients connect at the same moment after a restart and would
// otherwise be pinged together.
type pings struct {
	every time.Duration // time between two groups

	mu    sync.Mutex
	turns [pingTurns]map[*conn]struct{}
	next  int // group to ping next
	conns int
	last  time.Time // when that before it was due; zero if there are no connections
}

// pingTurns is the number of groups: 256 in 30 seconds means one every 0.12 seconds.
const pingTurns = 256

func newPings(interval time.Duration) *pings { return &pings{every: max(interval/pingTurns, 1)} }

// add puts a connection into a group, and returns a function that removes it.
func (p *pings) add(c *conn) (remove func()) {
	turn := rand.N(pingTurns)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turns[turn] == nil {
		p.turns[turn] = map[*conn]struct{}{}
	}
	p.turns[turn][c] = struct{}{}
	p.conns++
	if p.last.IsZero() {
		p.last = time.Now()
		time.AfterFunc(p.every, p.tick)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.turns[turn], c)
		p.conns--
	}
}

// tick pings the groups whose turn has come. It stops if there are no connections.
func (p *pings) tick() {
	p.mu.Lock()
	now := time.Now()
	due := p.due(now)
	if p.conns > 0 {
		time.AfterFunc(p.last.Add(p.every).Sub(now), p.tick)
	} else {
		p.last = time.Time{}
	}
	p.mu.Unlock()
	for _, c := range due {
		c.pingDue()
	}
}

// due takes the turns that have come by the clock. A late tick, on a busy machine, takes several, since a client
// that is not pinged in time would be cut off for its silence. p.mu is held.
func (p *pings) due(now time.Time) (conns []*conn) {
	turns := now.Sub(p.last) / p.every
	p.last = p.last.Add(turns * p.every)
	for range min(turns, pingTurns) {
		conns = slices.AppendSeq(conns, maps.Keys(p.turns[p.next]))
		p.next = (p.next + 1) % pingTurns
	}
	return conns
}
