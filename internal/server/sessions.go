package server

import (
	"cmp"
	"container/list"
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// sessions has all sessions by their tokens. Its lock must be taken before a session's
// lock.
type sessions struct {
	server *Server
	tidy   *tidy
	press  *press
	bytes  atomic.Int64 // memory that this process holds for all clients

	mu      sync.Mutex
	byToken map[wire.Token]*session
	most    int       // most sessions that there were at a time
	away    list.List // elements are *session without a connection, the longest gone first
}

// awayBytes is the memory of a session without its requests.
const awayBytes = 1 << 10

func newSessions(s *Server) *sessions {
	a := &sessions{server: s, byToken: map[wire.Token]*session{}}
	a.tidy = newTidy(a.bytes.Load)
	a.press = &press{most: used() + int64(s.limits.SessionBytes+s.limits.CacheBytes) + s.limits.garbage()/2, every: max(1<<20, int64(s.limits.SessionBytes/64))}
	return a
}

// attach gives a connection the session of the token if the connection may have it,
// otherwise a new session, and sends WELCOME.
func (a *sessions) attach(c *conn, token wire.Token) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.byToken[token]
	resumed := s != nil && s.key == c.key
	if !resumed {
		s = &session{all: a, server: a.server, key: c.key, requests: map[uint32]*request{}}
		rand.Read(s.token[:]) // never fails
		a.byToken[s.token] = s
		a.most = max(a.most, len(a.byToken))
	}
	c.session = s
	a.back(s)
	s.attach(c, (&wire.Welcome{Resumed: resumed, Token: s.token, Facts: a.server.welcome}).Append(nil))
}

// detach keeps the session of a lost connection for a limited time, if it has requests.
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
	a.bytes.Add(awayBytes)
	s.place = a.away.PushBack(s)
	var expiry *time.Timer
	expiry = time.AfterFunc(a.server.limits.Resume, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if s.expiry == expiry {
			a.remove(s)
		}
	})
	s.expiry = expiry
}

// back removes a session from away; a.mu is held.
func (a *sessions) back(s *session) {
	if s.place != nil {
		a.away.Remove(s.place)
		s.expiry.Stop()
		s.place, s.expiry = nil, nil
		a.bytes.Add(-awayBytes)
	}
}

// remove forgets a session without a connection; a.mu is held.
func (a *sessions) remove(s *session) {
	delete(a.byToken, s.token)
	a.byToken = shrunk(a.byToken, &a.most)
	a.back(s)
	s.clear()
}

// reserve makes room for n bytes. It first drops sessions without a connection, then
// answered requests of the sessions that hold most, and then disconnects the clients
// with the most unread bytes. It never drops unanswered requests of connected clients
// that read.
func (a *sessions) reserve(n int64) bool {
	if a.press.over(n) { // collecting garbage did not help
		a.mu.Lock()
		a.makeRoom(n, int64(a.server.limits.SessionBytes)/16)
		a.mu.Unlock()
	}
	if a.add(n) {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.makeRoom(n, 0)
	a.yield(n, (*session).unread, (*session).cut)
	return a.add(n)
}

// makeRoom drops sessions without a connection, and then answered requests of the
// sessions that hold most, until n bytes are free, and at least the given number of bytes
// (more) in addition to those that are free now; a.mu is held.
func (a *sessions) makeRoom(n, more int64) {
	n = max(n, a.free()+more)
	for a.away.Len() > 0 && !a.fits(n) {
		a.remove(a.away.Front().Value.(*session))
	}
	a.yield(n, (*session).answeredBytes, (*session).forgetAnswered)
}

// free is the number of free bytes.
func (a *sessions) free() int64 { return int64(a.server.limits.SessionBytes) - a.bytes.Load() }

func (a *sessions) fits(n int64) bool {
	return a.bytes.Load()+n <= int64(a.server.limits.SessionBytes)
}

// add counts n bytes if there is room for them.
func (a *sessions) add(n int64) bool {
	a.tidy.used()
	for {
		now := a.bytes.Load()
		if now+n > int64(a.server.limits.SessionBytes) {
			return false
		}
		if a.bytes.CompareAndSwap(now, now+n) {
			return true
		}
	}
}

// yield makes sessions give up one kind of memory until n bytes are free. It begins
// with the session that holds most; a.mu is held.
func (a *sessions) yield(n int64, holds func(*session) int64, giveUp func(*session)) {
	if a.fits(n) {
		return
	}
	type holder struct {
		session *session
		bytes   int64
	}
	var all []holder
	for _, s := range a.byToken {
		if bytes := holds(s); bytes > 0 {
			all = append(all, holder{s, bytes})
		}
	}
	slices.SortFunc(all, func(a, b holder) int { return cmp.Compare(b.bytes, a.bytes) })
	for _, h := range all {
		if a.fits(n) {
			return
		}
		giveUp(h.session)
	}
}

// clear forgets the sessions of all lost connections.
func (a *sessions) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.away.Len() > 0 {
		a.remove(a.away.Front().Value.(*session))
	}
}
