package server

import (
	"container/list"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// session holds a client's unacknowledged requests.
type session struct {
	all    *sessions
	server *Server
	token  wire.Token
	key    int
	expiry *time.Timer   // set while the client is away; guarded by all.mu
	place  *list.Element // element of all.away; guarded by all.mu

	gone     atomic.Bool // the session has no connection
	mu       sync.Mutex
	conn     *conn  // nil while the client is away
	turn     uint32 // counts connections
	requests map[uint32]*request
	most     int       // most requests that there were at a time
	finished list.List // elements are *request, the oldest first
	pending  int64     // bytes that count against --pending-bytes
	answered int64     // bytes of memory of finished requests
}

var errCancelled = errors.New("the request was cancelled")

// atOnce is the least time to wait that is not 0. It tells clients that do not know the fault's
// code that they need not give up.
const atOnce = time.Millisecond

const errTakenOver = "another connection has resumed the session"

// resume sends the missing answers of a request after a lost connection.
func (s *session) resume(c *conn, f *wire.Resume) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c { // the new connection sends its own RESUME
		return
	}
	r := s.requests[f.ID]
	switch {
	case r == nil:
		s.reject(c, f.ID, wire.CodeUnknownRequest, atOnce, "the session holds no such request: send the texts that lack an answer with ENCODE")
		return
	case int64(f.Count) != int64(len(r.state)):
		s.reject(c, f.ID, wire.CodeBadRequest, 0, fmt.Sprintf("RESUME counts %d texts, the request has %d: send the count that it has, or CANCEL it", f.Count, len(r.state)))
		return
	}
	for i, state := range r.state {
		if state.answered() && !f.Has(i) {
			c.answer(r, i)
		}
	}
	r.turn = s.turn
	if r.left == 0 {
		c.answer(r, whole)
	}
}

// attach gives the session a connection, which replaces the previous one.
func (s *session) attach(c *conn, welcome []byte) {
	s.mu.Lock()
	if s.conn != nil {
		s.conn.end(4000, errTakenOver)
	}
	s.conn = c
	s.turn++
	s.gone.Store(false)
	c.send(welcome)
	requests := make([]*request, 0, len(s.requests))
	for _, r := range s.requests {
		requests = append(requests, r)
	}
	s.mu.Unlock()
	for _, r := range requests {
		s.unpark(r)
	}
}

// detach removes the connection, and takes the session's waiting texts out of the
// queue.
func (s *session) detach(c *conn) bool {
	s.mu.Lock()
	mine := s.conn == c
	var waiting []*order
	if mine {
		s.conn = nil
		s.gone.Store(true)
		waiting = s.waiting()
	}
	s.mu.Unlock()
	for _, o := range waiting {
		s.server.engine.sweep(o)
	}
	return mine
}

// waiting returns the orders of requests that are not answered in full; s.mu is held.
func (s *session) waiting() (all []*order) {
	for _, r := range s.requests {
		all = append(all, r.waiting()...)
	}
	return all
}

func (s *session) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests) == 0
}

// clear forgets all requests.
func (s *session) clear() {
	s.mu.Lock()
	waiting := s.waiting()
	for _, r := range s.requests {
		s.drop(r)
	}
	s.mu.Unlock()
	for _, o := range waiting {
		s.server.engine.sweep(o)
	}
}

// shrunk returns the map, or a copy if it has become much smaller than it once was,
// because a map never gives memory back.
func shrunk[K comparable, V any](m map[K]V, most *int) map[K]V {
	if *most < 64 || len(m) > *most/4 {
		return m
	}
	*most = len(m)
	small := make(map[K]V, len(m))
	maps.Copy(small, m)
	return small
}
