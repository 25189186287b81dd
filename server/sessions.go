package server

import (
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vantage-search/vantage/server/wire"
)

// sessions are all sessions by their tokens. Its lock is taken before a
// session's.
type sessions struct {
	server *Server
	bytes  atomic.Int64 // of unacknowledged requests in all

	mu      sync.Mutex
	byToken map[wire.Token]*session
	away    []*session // without a connection, the longest gone first
}

func newSessions(s *Server) *sessions {
	return &sessions{server: s, byToken: map[wire.Token]*session{}}
}

// attach gives a connection the session of the token, where it may have it, or
// a new one, and welcomes it.
func (a *sessions) attach(c *conn, token wire.Token) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.byToken[token]
	resumed := s != nil && s.key == c.key
	if !resumed {
		s = &session{all: a, server: a.server, key: c.key, requests: map[uint32]*request{}}
		rand.Read(s.token[:]) // never fails
		a.byToken[s.token] = s
	}
	c.session = s
	a.away = slices.DeleteFunc(a.away, func(other *session) bool { return other == s })
	if s.expiry != nil {
		s.expiry.Stop()
		s.expiry = nil
	}
	s.attach(c, (&wire.Welcome{Resumed: resumed, Token: s.token, Facts: a.server.welcome}).Append(nil))
}

// detach keeps the session of a lost connection for a while, where there is
// something to keep.
func (a *sessions) detach(s *session, c *conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !s.detach(c) {
		return // another connection has taken its place
	}
	if s.empty() || a.server.draining.Load() {
		a.remove(s)
		return
	}
	a.away = append(a.away, s)
	s.expiry = time.AfterFunc(a.server.limits.Resume, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if slices.Contains(a.away, s) {
			a.remove(s)
		}
	})
}

// remove forgets a session without a connection; a.mu is held.
func (a *sessions) remove(s *session) {
	delete(a.byToken, s.token)
	a.away = slices.DeleteFunc(a.away, func(other *session) bool { return other == s })
	if s.expiry != nil {
		s.expiry.Stop()
	}
	s.clear()
}

// reserve makes room for so many bytes: sessions without a connection go first, then
// what was answered to those that hold most. Only what is not answered yet stays.
func (a *sessions) reserve(n int64) bool {
	limit := int64(a.server.limits.SessionBytes)
	if a.bytes.Add(n) <= limit {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.away) > 0 && a.bytes.Load() > limit {
		a.remove(a.away[0])
	}
	for a.bytes.Load() > limit && a.yield() {
	}
	if a.bytes.Load() > limit {
		a.bytes.Add(-n)
		return false
	}
	return true
}

// yield has the session that holds most, of those to which something was answered,
// forget all that was; a.mu is held. It reports whether there was one.
func (a *sessions) yield() bool {
	var most *session
	var bytes int64
	for _, s := range a.byToken {
		if n := s.answered(); n > bytes {
			most, bytes = s, n
		}
	}
	if most != nil {
		most.forgetAnswered()
	}
	return most != nil
}

// clear forgets the sessions of all lost connections.
func (a *sessions) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.away) > 0 {
		a.remove(a.away[0])
	}
}
