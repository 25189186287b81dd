package server

import (
	"container/list"
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// request is an accepted ENCODE. It keeps answers compactly: vectors in the form in
// which they are sent, and only the codes of faults.
type request struct {
	session   *session
	id        uint32
	turn      uint32 // number of the connection (session.turn) that sent ENCODE or RESUME
	dtype     wire.DType
	dim       int
	texts     int
	left      int
	state     []state
	vectors   []byte // VECTOR frames of all texts; nil before the first
	done      wire.Done
	pending   int64         // bytes that count against --pending-bytes
	cost      int64         // bytes that count against --session-bytes
	place     *list.Element // element of the session's finished requests
	work      *work         // nil if answered in full or cancelled
	cancelled atomic.Bool
	refs      atomic.Int64 // references from the session and from frames that wait to be written
}

// work is the state that a request needs until it is answered in full.
type work struct {
	addr     netip.Addr      // address that the request counts for
	caller   context.Context // caller of the connection that sent ENCODE, for traces
	role     encoder.Role
	started  time.Time
	deadline time.Time
	texts    []string // texts to encode
	orders   []*order // those with texts that have no result; several if texts were parked at different times
	cost     int64
}

// state is the state of a text: the code of its fault, or one of these values.
type state uint8

const (
	unanswered state = 0
	parked     state = 0xfe // waits until the client is back
	vector     state = 0xff
)

func (s state) answered() bool { return s != unanswered && s != parked }

// whole is the index of the DONE frame of a request.
const whole = -1

// Memory of a request and its parts in bytes, including what the allocator and maps
// add.
const (
	requestBytes = 448 // request, with its entries in maps and lists
	workBytes    = 640 // work, with its order and references to it
	jobBytes     = 160 // job of a text in the queue, without the text
	traceBytes   = 4 << 10
)

// kept is the memory of a request until it is acknowledged, with a number of vectors.
func (r *request) kept(vectors int) int64 {
	n := int64(requestBytes + r.texts*2)
	if vectors > 0 { // one allocation with a place for each text
		n += int64(roundUp(r.texts * wire.VectorSize(r.dim, r.dtype)))
	}
	return n
}

// workCost is the additional memory of texts until they are encoded, by their number
// and total length.
func (s *Server) workCost(texts, length int) int64 {
	n := int64(workBytes + roundUp(length) + texts*jobBytes)
	if s.tracing != nil {
		n += traceBytes
	}
	return n
}

// roundUp is at least the number of bytes that the allocator uses for n bytes.
func roundUp(n int) int { return n + n/8 + 16 }

// enter records the answer to a text; the session's lock is held.
func (r *request) enter(i int, v *wire.Vector, fault wire.Code) {
	r.left--
	if v == nil {
		r.state[i] = state(fault)
		r.done.Faults++
		return
	}
	size := wire.VectorSize(r.dim, r.dtype)
	if r.vectors == nil {
		r.vectors = make([]byte, r.texts*size)
	}
	v.Append(r.vectors[i*size : i*size : (i+1)*size])
	r.state[i] = vector
	r.done.Vectors++
	r.done.Tokens += v.Tokens
}

// stop gives back the memory of work, and counts the request no longer for its address; the
// session's lock is held.
func (r *request) stop() {
	w := r.work
	if w == nil {
		return
	}
	r.work = nil
	server := r.session.server
	server.sessions.bytes.Add(-w.cost)
	server.access.hold(w.addr, -r.cost-w.cost)
}

// parked counts the texts that wait until the client is back; the session's lock is held.
func (r *request) parked() (n int) {
	for _, state := range r.state {
		if state == parked {
			n++
		}
	}
	return n
}

// waiting returns the orders of a request that was not answered in full; the session's lock is held.
func (r *request) waiting() []*order {
	if r.work == nil {
		return nil
	}
	return r.work.orders
}

// release drops a reference. The last one gives back the request's memory.
func (r *request) release() {
	if r.refs.Add(-1) == 0 {
		r.session.server.sessions.bytes.Add(-r.cost)
	}
}

// frame is the answer to a text, or DONE.
func (r *request) frame(i int) []byte {
	if i == whole {
		return r.done.Append(nil)
	}
	if size := wire.VectorSize(r.dim, r.dtype); r.state[i] == vector {
		return r.vectors[i*size : (i+1)*size]
	}
	f := wire.Fault{ID: r.id, Index: uint32(i), Code: wire.Code(r.state[i])}
	switch f.Code {
	case wire.CodeInvalidText:
		f.Message = "the text is not UTF-8"
	case wire.CodeTooLarge:
		f.Message = fmt.Sprintf("the text has more than %d bytes", r.session.server.limits.TextBytes)
	case wire.CodeDeadline:
		f.Message = errDeadline.Error()
	case wire.CodeOverloaded:
		f.Message, f.Retry = "too much is waiting to be encoded", uint32(time.Second.Milliseconds())
	case wire.CodeShuttingDown:
		f.Message, f.Retry = errShuttingDown.Error(), uint32(goodbyeRetry.Milliseconds())
	default:
		f.Message = errInternal.Error()
	}
	return f.Append(nil)
}

// frameSize is about the length of frame(i).
func (r *request) frameSize(i int) int {
	if i != whole && r.state[i] == vector {
		return wire.VectorSize(r.dim, r.dtype)
	}
	return 64
}
