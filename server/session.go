package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/vantage-search/vantage/model"
	"github.com/vantage-search/vantage/server/wire"
)

// session is what is known of a client's unacknowledged requests.
type session struct {
	all    *sessions
	server *Server
	token  wire.Token
	key    int
	expiry *time.Timer // while away; all.mu guards it
	flow   flow        // its texts in the queue

	gone     atomic.Bool // it has no connection
	mu       sync.Mutex
	conn     *conn  // nil: away
	turn     uint32 // counts connections
	requests map[uint32]*request
	finished []*request // the oldest first
	bytes    int64

	answeredBytes int64 // of them of finished ones
}

// request is an ENCODE that was accepted.
type request struct {
	*wire.Encode
	role      model.Role
	caller    context.Context // of the connection that ENCODE came by, for traces
	started   time.Time
	deadline  time.Time
	texts     []string // "" once answered
	frames    [][]byte // the answers
	parked    []int    // texts that wait for the client to come back
	left      int
	done      wire.Done
	turn      uint32 // of the connection that ENCODE or RESUME came by
	bytes     int64
	cancelled atomic.Bool
}

var errCancelled = errors.New("the request was cancelled")

const errRate = "too many requests from this address"

const errTakenOver = "another connection has resumed the session"

// encode takes a request in.
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
	r := &request{Encode: f, caller: c.caller, started: started, texts: make([]string, len(f.Texts)), frames: make([][]byte, len(f.Texts)), left: len(f.Texts),
		role: s.server.engine.role([]model.Role{model.NoRole, model.Query, model.Document, roleRoot, rolePerspective}[f.Role])}
	r.done.ID = f.ID
	if f.Deadline > 0 {
		r.deadline = started.Add(time.Duration(f.Deadline) * time.Millisecond)
	}
	faults := map[int]*wire.Fault{}
	var texts []int
	for i, text := range f.Texts {
		r.bytes += int64(len(text) + wire.VectorSize(dim, f.DType))
		switch {
		case !utf8.Valid(text):
			faults[i] = &wire.Fault{Code: wire.CodeInvalidText, Message: "the text is not UTF-8"}
		case len(text) > limits.TextBytes:
			faults[i] = &wire.Fault{Code: wire.CodeTooLarge, Message: fmt.Sprintf("the text has %d bytes, at most %d", len(text), limits.TextBytes)}
		default:
			r.texts[i] = string(text)
			texts = append(texts, i)
		}
	}
	f.Texts = nil // they refer to the message
	if r.bytes > int64(limits.PendingBytes) {
		s.reject(c, f.ID, wire.CodeTooLarge, 0, fmt.Sprintf("texts and vectors take %d bytes, at most %d: send fewer texts at a time", r.bytes, limits.PendingBytes))
		return
	}
	if !s.all.reserve(r.bytes) {
		s.reject(c, f.ID, wire.CodeOverloaded, time.Second, "too much is unacknowledged in all sessions")
		return
	}
	if code, why := s.admit(c, r); code != 0 {
		s.all.bytes.Add(-r.bytes)
		retry := time.Duration(0)
		if code == wire.CodeOverloaded {
			retry = time.Second
		}
		s.reject(c, f.ID, code, retry, why)
		return
	}
	if err := s.submit(r, texts); err != nil {
		s.forget(f.ID)
		if overload, ok := errors.AsType[*overloadError](err); ok {
			s.reject(c, f.ID, wire.CodeOverloaded, overload.retry, err.Error())
		} else {
			s.reject(c, f.ID, wire.CodeShuttingDown, goodbyeRetry, err.Error())
		}
		return
	}
	for i, fault := range faults {
		s.answer(r, i, nil, fault)
	}
}

// refuse refuses a request that was not read.
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

// codeNames are the codes as labels.
var codeNames = map[wire.Code]string{wire.CodeTooLarge: "too_large", wire.CodeBadRequest: "bad_request", wire.CodeOverloaded: "overloaded",
	wire.CodeRateLimited: "rate_limited", wire.CodeUnknownRequest: "unknown_request", wire.CodeShuttingDown: "shutting_down"}

// admit enters a request, for which finished ones may have to go.
func (s *session) admit(c *conn, r *request) (wire.Code, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c { // which will ask for what it has sent, or send it again
		return wire.CodeUnknownRequest, errTakenOver
	}
	if s.requests[r.ID] != nil {
		return wire.CodeBadRequest, fmt.Sprintf("id %d is in use", r.ID)
	}
	limit := int64(s.server.limits.PendingBytes)
	for len(s.finished) > 0 && s.bytes+r.bytes > limit {
		s.drop(s.finished[0])
	}
	if s.bytes+r.bytes > limit {
		return wire.CodeOverloaded, "too much is unacknowledged in this session: send ACK for what has arrived"
	}
	s.requests[r.ID] = r
	r.turn = s.turn
	s.bytes += r.bytes
	return 0, ""
}

// drop forgets a request; s.mu is held.
func (s *session) drop(r *request) {
	delete(s.requests, r.ID)
	s.finished = slices.DeleteFunc(s.finished, func(other *request) bool { return other == r })
	r.cancelled.Store(true)
	s.bytes -= r.bytes
	if r.left == 0 {
		s.answeredBytes -= r.bytes
	}
	s.all.bytes.Add(-r.bytes)
}

// answered returns the bytes of requests that were answered in full.
func (s *session) answered() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answeredBytes
}

// forgetAnswered forgets the requests that were answered in full.
func (s *session) forgetAnswered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.finished) > 0 {
		s.drop(s.finished[0])
	}
}

// unread returns the bytes that wait to be written to the client, where those are many.
func (s *session) unread() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return 0
	}
	return s.conn.unread()
}

// cut cuts off a client that does not read.
func (s *session) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.cutOff()
	}
}

// forget ends a request, whether it was answered or not.
func (s *session) forget(id uint32) {
	s.mu.Lock()
	r := s.requests[id]
	if r != nil {
		s.drop(r)
	}
	waiting := r != nil && r.left > 0
	s.mu.Unlock()
	if waiting {
		s.server.engine.queue.sweep(&s.flow)
	}
}

// submit has texts of a request encoded.
func (s *session) submit(r *request, texts []int) error {
	asks := make([]ask, len(texts))
	for k, i := range texts {
		asks[k] = ask{text: r.texts[i], finish: func(got model.Embedding, err error) { s.encoded(r, i, got, err) }}
	}
	trail := s.server.tracing.follow(s.server.tracing.request(r.caller, "ENCODE"), asks, true)
	err := s.server.engine.submit(&s.flow, r.role, asks, r.deadline, func() error {
		switch {
		case r.cancelled.Load():
			return errCancelled
		case s.gone.Load():
			return errAway
		}
		return nil
	})
	if err != nil {
		trail.refused(err)
	}
	return err
}

// encoded takes the result of a text.
func (s *session) encoded(r *request, i int, got model.Embedding, err error) {
	switch {
	case errors.Is(err, errAway):
		s.park(r, i)
	case errors.Is(err, errDeadline):
		s.answer(r, i, nil, &wire.Fault{Code: wire.CodeDeadline, Message: err.Error()})
	case errors.Is(err, errShuttingDown):
		s.answer(r, i, nil, &wire.Fault{Code: wire.CodeShuttingDown, Retry: uint32(goodbyeRetry.Milliseconds()), Message: err.Error()})
	case err != nil:
		s.answer(r, i, nil, &wire.Fault{Code: wire.CodeInternal, Message: errInternal.Error()})
	default:
		v := wire.NewVector(r.ID, uint32(i), shorten(got.Vector, int(r.Dimensions), s.server.engine.info.Normalize), r.DType)
		v.Truncated, v.Tokens = got.Truncated, uint32(got.Tokens)
		s.answer(r, i, v, nil)
	}
}

// park keeps a text until the client is back, which it may be already.
func (s *session) park(r *request, i int) {
	s.mu.Lock()
	r.parked = append(r.parked, i)
	back := s.conn != nil
	s.mu.Unlock()
	if back {
		s.unpark(r)
	}
}

// unpark has a request's parked texts encoded.
func (s *session) unpark(r *request) {
	s.mu.Lock()
	texts := r.parked
	r.parked = nil
	s.mu.Unlock()
	if len(texts) == 0 || r.cancelled.Load() {
		return
	}
	err := s.submit(r, texts)
	if err == nil {
		return
	}
	fault := wire.Fault{Code: wire.CodeShuttingDown, Retry: uint32(goodbyeRetry.Milliseconds()), Message: err.Error()}
	if overload, ok := errors.AsType[*overloadError](err); ok {
		fault.Code, fault.Retry = wire.CodeOverloaded, uint32(overload.retry.Milliseconds())
	}
	for _, i := range texts {
		one := fault
		s.answer(r, i, nil, &one)
	}
}

// answer enters the answer to a text, a vector or a fault, and sends it.
func (s *session) answer(r *request, i int, v *wire.Vector, fault *wire.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.cancelled.Load() || r.frames[i] != nil {
		return
	}
	if v != nil {
		r.frames[i] = v.Append(make([]byte, 0, wire.VectorSize(v.Dim(), v.DType)))
		r.done.Vectors++
		r.done.Tokens += v.Tokens
	} else {
		fault.ID, fault.Index = r.ID, uint32(i)
		r.frames[i] = fault.Append(nil)
		r.done.Faults++
	}
	r.texts[i] = ""
	r.left--
	frames := [][]byte{r.frames[i]}
	if r.left == 0 {
		s.finished = append(s.finished, r)
		s.answeredBytes += r.bytes
		s.server.metrics.requests.WithLabelValues("ENCODE", "ok").Inc()
		s.server.metrics.latency.WithLabelValues("ENCODE").Observe(time.Since(r.started).Seconds())
		frames = append(frames, r.done.Append(nil))
	}
	if s.conn != nil && r.turn == s.turn { // or else RESUME will ask for it
		s.conn.send(frames...)
	}
}

// resume sends what is missing of a request after a lost connection.
func (s *session) resume(c *conn, f *wire.Resume) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c { // which has its own RESUME
		return
	}
	r := s.requests[f.ID]
	if r == nil || int(f.Count) != len(r.frames) {
		s.reject(c, f.ID, wire.CodeUnknownRequest, 0, "the session holds no such request: send it again")
		return
	}
	for i, frame := range r.frames {
		if frame != nil && !f.Has(i) {
			c.send(frame)
		}
	}
	r.turn = s.turn
	if r.left == 0 {
		c.send(r.done.Append(nil))
	}
}

// attach gives the session a connection in place of the one that it may have
// had.
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

// detach takes the connection away, and the texts that wait out of the queue.
func (s *session) detach(c *conn) bool {
	s.mu.Lock()
	mine := s.conn == c
	if mine {
		s.conn = nil
		s.gone.Store(true)
	}
	s.mu.Unlock()
	if mine {
		s.server.engine.queue.sweep(&s.flow)
	}
	return mine
}

func (s *session) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests) == 0
}

// clear forgets all requests.
func (s *session) clear() {
	s.mu.Lock()
	for _, r := range s.requests {
		s.drop(r)
	}
	s.mu.Unlock()
	s.server.engine.queue.sweep(&s.flow)
}
