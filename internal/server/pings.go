package server

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// pings has a ping written to every connection, once in an interval.
//
// Connections have their turn together, some at a time: with a timer each, thousands
// that say nothing would wake a processor thousands of times, for their ping and for
// the answer. Which turn is drawn, for connections come together when a server has
// been restarted, and would be pinged together from then on.
type pings struct {
	every time.Duration // turn

	mu      sync.Mutex
	turns   [pingTurns]map[*conn]struct{}
	next    int // turn
	conns   int
	running bool
}

// pingTurns are the turns of an interval; 256 of 30 seconds are 0.12 seconds each.
const pingTurns = 256

func newPings(interval time.Duration) *pings { return &pings{every: interval / pingTurns} }

// add gives a connection a turn, and returns what takes it away.
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

// tick is a turn, and the last one if there are no connections.
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
