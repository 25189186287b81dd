package server

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
)

const errRate = "too many requests from this address"

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
	w := &work{addr: c.addr, caller: c.caller, started: started, cost: s.server.workCost(good, length),
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
	if err := s.submit(c, r, o); err != nil {
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
	if reason := refusals[code]; reason != "" {
		s.server.metrics.refused.WithLabelValues(reason).Inc()
	}
	c.send((&wire.Fault{ID: id, Index: wire.WholeRequest, Code: code, Retry: uint32(retry.Milliseconds()), Message: why}).Append(nil))
}

// codeNames are the labels of the codes.
var codeNames = map[wire.Code]string{wire.CodeTooLarge: "too_large", wire.CodeBadRequest: "bad_request", wire.CodeOverloaded: "overloaded",
	wire.CodeRateLimited: "rate_limited", wire.CodeUnknownRequest: "unknown_request", wire.CodeShuttingDown: "shutting_down"}

// refusals are the reasons of codes that HTTP's requests are refused for, too.
var refusals = map[wire.Code]string{wire.CodeOverloaded: "overloaded", wire.CodeRateLimited: "rate", wire.CodeShuttingDown: "shutting_down"}

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
	if r.left > 0 {
		s.server.metrics.dropped.WithLabelValues(droppedAway).Add(float64(r.parked()))
	}
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

// order returns an order for a number of a request's texts.
func (s *session) order(r *request, w *work, n int) *order {
	var o *order
	var left atomic.Int64 // texts without a result
	left.Store(int64(n))
	o = newOrder(n, w.role, func() error {
		switch {
		case r.cancelled.Load():
			return errCancelled
		case s.gone.Load():
			return errAway
		}
		return nil
	}, func(i int, got encoder.Embedding, err error) {
		s.encoded(r, i, got, err)
		if left.Add(-1) == 0 {
			s.over(r, o)
		}
	})
	o.deadline = w.deadline
	return o
}

// over forgets an order whose texts all have a result.
func (s *session) over(r *request, o *order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.work != nil {
		r.work.orders = slices.DeleteFunc(r.work.orders, func(other *order) bool { return other == o })
	}
}

// submit queues texts of a request for a connection.
func (s *session) submit(c *conn, r *request, o *order) error {
	s.mu.Lock()
	w := r.work
	if w != nil {
		w.orders = append(w.orders, o)
	}
	s.mu.Unlock()
	if w == nil { // the request was cancelled
		return nil
	}
	trail := s.server.tracing.follow(s.server.tracing.request(w.caller, "ENCODE"), o, true)
	err := s.server.engine.submit(asker{c.addr, c.key}, c.lane, o)
	if err != nil {
		s.over(r, o)
		trail.refused(err)
	}
	return err
}
