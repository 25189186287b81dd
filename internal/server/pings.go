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

	mu      sync.Mutex
	turns   [pingTurns]map[*conn]struct{}
	next    int // group to ping next
	conns   int
	running bool
}

// pingTurns is the number of groups: 256 in 30 seconds means one every 0.12 seconds.
const pingTurns = 256

func newPings(interval time.Duration) *pings { return &pings{every: interval / pingTurns} }

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
	if !p.running {
		p.running = true
		time.AfterFunc(p.every, p.tick)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.turns[turn], c)
		p.conns--
	}
}

// tick pings the next group. It stops if there are no connections.
func (p *pings) tick() {
	p.mu.Lock()
	due := slices.Collect(maps.Keys(p.turns[p.next]))
	p.next = (p.next + 1) % pingTurns
	if p.running = p.conns > 0; p.running {
		time.AfterFunc(p.every, p.tick)
	}
	p.mu.Unlock()
	for _, c := range due {
		c.pingDue()
	}
}
