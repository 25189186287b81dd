package server

import (
	"container/list"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/encoder"
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

const errRate = "too many requests from this address"

const errTakenOver = "another connection has resumed the session"

// encode accepts or refuses a request.
func (s *session) encode(c *conn, f *wire.Encode) {
	started := time.Now()
	if retry, ok := s.server.access.admit(c.addr); !ok {
		s.reject(c, f.ID, wire.CodeRateLimited, retry, errRate)
		return
	}
	limits := s.server.limits
	dim := s.server.engine.info.Dim
	if f.Dimensions > 0 {
		dim = int(min(f.Dimensions, 1<<20))
	}
	switch {
	case s.server.draining.Load():
		s.reject(c, f.ID, wire.CodeShuttingDown, goodbyeRetry, errShuttingDown.Error())
		return
	case f.Role > wire.Perspective:
		s.reject(c, f.ID, wire.CodeBadRequest, 0, fmt.Sprintf("unknown role %d", f.Role))
		return
	case f.DType.Size() == 0:
		s.reject(c, f.ID, wire.CodeBadRequest, 0, fmt.Sprintf("unknown dtype %d", f.DType))
		return
	case dim > s.server.engine.info.Dim:
		s.reject(c, f.ID, wire.CodeBadRequest, 0, fmt.Sprintf("%d dimensions, the model has %d", f.Dimensions, s.server.engine.info.Dim))
		return
	}
	r := &request{session: s, id: f.ID, dtype: f.DType, dim: dim, texts: len(f.Texts), left: len(f.Texts)}
	r.done.ID = f.ID
	r.refs.Store(1)
	good, length := 0, 0 // texts to be encoded, and their bytes
	for _, text := range f.Texts {
		r.pending += int64(len(text) + wire.VectorSize(dim, f.DType))
		if s.textFault(text) == 0 {
			good++
			length += len(text)
		}
	}
	if most := int64(limits.PendingBytes); r.pending > most {
		s.reject(c, f.ID, wire.CodeTooLarge, 0, fmt.Sprintf("texts and vectors take %d bytes, at most %d: send fewer texts at a time", r.pending, most))
		return
	}
	r.cost = r.kept(good)
	w := &work{addr: c.addr, asker: asker{c.addr, c.key}, lane: c.lane, caller: c.caller, started: started, cost: s.server.workCost(good, length),
		role: s.server.engine.role([]encoder.Role{encoder.NoRole, encoder.Query, encoder.Document, roleRoot, rolePerspective}[f.Role])}
	memory := &held{server: s.server, addr: c.addr}
	if err := memory.take(r.cost + w.cost); err != nil {
		code, retry := whyFull(err)
		s.reject(c, f.ID, code, retry, err.Error())
		return
	}
	r.state, r.work = make([]state, len(f.Texts)), w
	if f.Deadline > 0 {
		w.deadline = started.Add(time.Duration(f.Deadline) * time.Millisecond)
	}
	if code, why := s.admit(c, r); code != 0 {
		memory.free()
		retry := time.Duration(0)
		if code == wire.CodeOverloaded {
			retry = time.Second
		}
		s.reject(c, f.ID, code, retry, why)
		return
	}
	o := s.order(r, w, good)
	if good > 0 {
		w.texts = make([]string, len(f.Texts))
		var all strings.Builder // one copy of all texts, so that the message can be collected
		all.Grow(length)
		for i, text := range f.Texts {
			if s.textFault(text) == 0 {
				from := all.Len()
				all.Write(text)
				w.texts[i] = all.String()[from:]
				o.add(i, ask{text: w.texts[i]})
			}
		}
	}
	if err := s.submit(r, o); err != nil {
		s.forget(f.ID)
		if overload, ok := errors.AsType[*overloadError](err); ok {
			s.reject(c, f.ID, wire.CodeOverloaded, overload.retry, err.Error())
		} else {
			s.reject(c, f.ID, wire.CodeShuttingDown, goodbyeRetry, err.Error())
		}
		return
	}
	for i, text := range f.Texts {
		if code := s.textFault(text); code != 0 {
			s.fault(r, i, code)
		}
	}
}

// textFault is the code of a text's fault, or 0.
func (s *session) textFault(text []byte) wire.Code {
	switch {
	case !utf8.Valid(text):
		return wire.CodeInvalidText
	case len(text) > s.server.limits.TextBytes:
		return wire.CodeTooLarge
	}
	return 0
}

// refuse refuses a request before it is parsed.
func (s *session) refuse(c *conn, id uint32, code wire.Code, retry time.Duration, why string) {
	if wait, ok := s.server.access.admit(c.addr); !ok {
		code, retry, why = wire.CodeRateLimited, wait, errRate
	}
	s.reject(c, id, code, retry, why)
}

// reject refuses a whole request.
func (s *session) reject(c *conn, id uint32, code wire.Code, retry time.Duration, why string) {
	s.server.metrics.requests.WithLabelValues("ENCODE", codeNames[code]).Inc()
	c.send((&wire.Fault{ID: id, Index: wire.WholeRequest, Code: code, Retry: uint32(retry.Milliseconds()), Message: why}).Append(nil))
}

// codeNames are the labels of the codes.
var codeNames = map[wire.Code]string{wire.CodeTooLarge: "too_large", wire.CodeBadRequest: "bad_request", wire.CodeOverloaded: "overloaded",
	wire.CodeRateLimited: "rate_limited", wire.CodeUnknownRequest: "unknown_request", wire.CodeShuttingDown: "shutting_down"}

// admit adds a request. It drops finished requests if necessary.
func (s *session) admit(c *conn, r *request) (wire.Code, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c { // the client will resume the request or send it again
		return wire.CodeUnknownRequest, errTakenOver
	}
	if s.requests[r.id] != nil {
		return wire.CodeBadRequest, fmt.Sprintf("id %d is in use", r.id)
	}
	limit := int64(s.server.limits.PendingBytes)
	for s.finished.Len() > 0 && s.pending+r.pending > limit {
		s.drop(s.finished.Front().Value.(*request))
	}
	if s.pending+r.pending > limit {
		return wire.CodeOverloaded, "too much is unacknowledged in this session: send ACK for what has arrived"
	}
	s.requests[r.id] = r
	s.most = max(s.most, len(s.requests))
	r.turn = s.turn
	s.pending += r.pending
	return 0, ""
}

// drop forgets a request; s.mu is held.
func (s *session) drop(r *request) {
	delete(s.requests, r.id)
	s.requests = shrunk(s.requests, &s.most)
	r.cancelled.Store(true)
	s.pending -= r.pending
	if r.place != nil {
		s.finished.Remove(r.place)
		r.place = nil
		s.answered -= r.cost
	}
	r.stop()
	r.release()
}

// mostAnswered returns the bytes of requests that were answered in full.
func (s *session) mostAnswered() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered
}

// forgetAnswered forgets the requests that were answered in full.
func (s *session) forgetAnswered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.finished.Len() > 0 {
		s.drop(s.finished.Front().Value.(*request))
	}
}

// unread returns the bytes that wait to be written to the client, if there are many.
func (s *session) unread() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return 0
	}
	return s.conn.unread()
}

// cut disconnects the client, which does not read.
func (s *session) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.cutOff()
	}
}

// forget ends a request, even if it was not answered.
func (s *session) forget(id uint32) {
	s.mu.Lock()
	r := s.requests[id]
	var waiting *order
	if r != nil {
		if r.work != nil {
			waiting = r.work.order
		}
		s.drop(r)
	}
	s.mu.Unlock()
	if waiting != nil {
		s.server.engine.sweep(waiting)
	}
}

// order returns an order for a number of a request's texts.
func (s *session) order(r *request, w *work, n int) *order {
	o := newOrder(n, w.role, func() error {
		switch {
		case r.cancelled.Load():
			return errCancelled
		case s.gone.Load():
			return errAway
		}
		return nil
	}, func(i int, got encoder.Embedding, err error) { s.encoded(r, i, got, err) })
	o.deadline = w.deadline
	return o
}

// submit queues texts of a request.
func (s *session) submit(r *request, o *order) error {
	s.mu.Lock()
	w := r.work
	if w != nil {
		w.order = o
	}
	s.mu.Unlock()
	if w == nil { // the request was cancelled
		return nil
	}
	trail := s.server.tracing.follow(s.server.tracing.request(w.caller, "ENCODE"), o, true)
	err := s.server.engine.submit(w.asker, w.lane, o)
	if err != nil {
		trail.refused(err)
	}
	return err
}

// encoded handles the result of a text.
func (s *session) encoded(r *request, i int, got encoder.Embedding, err error) {
	switch {
	case errors.Is(err, errAway):
		s.park(r, i)
	case errors.Is(err, errDeadline):
		s.fault(r, i, wire.CodeDeadline)
	case errors.Is(err, errShuttingDown):
		s.fault(r, i, wire.CodeShuttingDown)
	case err != nil:
		s.fault(r, i, wire.CodeInternal)
	default:
		v := wire.NewVector(r.id, uint32(i), shorten(got.Vector, r.dim, s.server.engine.info.Normalize), r.dtype)
		v.Truncated, v.Tokens = got.Truncated, uint32(got.Tokens)
		s.answer(r, i, v, 0)
	}
}

// park keeps a text until the client is back. The client may be back already.
func (s *session) park(r *request, i int) {
	s.mu.Lock()
	if r.state[i] == unanswered {
		r.state[i] = parked
	}
	back := s.conn != nil
	s.mu.Unlock()
	if back {
		s.unpark(r)
	}
}

// unpark queues a request's parked texts for the current connection.
func (s *session) unpark(r *request) {
	s.mu.Lock()
	w, c := r.work, s.conn
	if w == nil || c == nil {
		s.mu.Unlock()
		return
	}
	n := 0
	for _, state := range r.state {
		if state == parked {
			n++
		}
	}
	if n == 0 {
		s.mu.Unlock()
		return
	}
	w.asker, w.lane = asker{c.addr, c.key}, c.lane
	o := s.order(r, w, n)
	for i, state := range r.state {
		if state == parked {
			r.state[i] = unanswered
			o.add(i, ask{text: w.texts[i]})
		}
	}
	s.mu.Unlock()
	texts := make([]int, 0, n)
	for i := range o.jobs {
		texts = append(texts, o.jobs[i].index)
	}
	err := s.submit(r, o)
	if err == nil {
		return
	}
	code := wire.CodeShuttingDown
	if _, ok := errors.AsType[*overloadError](err); ok {
		code = wire.CodeOverloaded
	}
	for _, i := range texts {
		s.fault(r, i, code)
	}
}

// fault answers a text with a FAULT.
func (s *session) fault(r *request, i int, code wire.Code) { s.answer(r, i, nil, code) }

// answer records the answer to a text, a vector or a fault, and sends it.
func (s *session) answer(r *request, i int, v *wire.Vector, fault wire.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.cancelled.Load() || r.state[i] != unanswered {
		return
	}
	r.enter(i, v, fault)
	last := r.left == 0
	if last {
		r.place = s.finished.PushBack(r)
		s.answered += r.cost
		s.server.metrics.requests.WithLabelValues("ENCODE", "ok").Inc()
		s.server.metrics.latency.WithLabelValues("ENCODE").Observe(time.Since(r.work.started).Seconds())
		r.stop()
	}
	if s.conn == nil || r.turn != s.turn { // RESUME will ask for it
		return
	}
	if last {
		s.conn.answer(r, i, whole)
	} else {
		s.conn.answer(r, i)
	}
}

// resume sends the missing answers of a request after a lost connection.
func (s *session) resume(c *conn, f *wire.Resume) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c { // the new connection sends its own RESUME
		return
	}
	r := s.requests[f.ID]
	if r == nil || int64(f.Count) != int64(len(r.state)) {
		s.reject(c, f.ID, wire.CodeUnknownRequest, 0, "the session holds no such request: send it again")
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
		if r.work != nil && r.work.order != nil {
			all = append(all, r.work.order)
		}
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
