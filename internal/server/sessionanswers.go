package server

import (
	"errors"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// answeredBytes returns the bytes of requests that were answered in full.
func (s *session) answeredBytes() int64 {
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
	var waiting []*order
	if r != nil {
		waiting = r.waiting()
		s.drop(r)
	}
	s.mu.Unlock()
	for _, o := range waiting {
		s.server.engine.sweep(o)
	}
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
	switch {
	case r.cancelled.Load():
		s.server.metrics.dropped.WithLabelValues(droppedAway).Inc()
	case r.state[i] == unanswered:
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
	n := r.parked()
	if n == 0 {
		s.mu.Unlock()
		return
	}
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
	err := s.submit(c, r, o)
	if err == nil {
		return
	}
	s.server.metrics.dropped.WithLabelValues(droppedAway).Add(float64(len(texts)))
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
