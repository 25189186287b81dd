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

// request is an accepted ENCODE. It keeps the answers in little memory: vectors as they
// are sent, and only the codes of faults.
type request struct {
	session   *session
	id        uint32
	turn      uint32 // of the connection that ENCODE or RESUME came by
	dtype     wire.DType
	dim       int
	texts     int
	left      int
	state     []state
	vectors   []byte // VECTOR frames of all texts, once there is one
	done      wire.Done
	pending   int64         // bytes of --pending-bytes
	cost      int64         // bytes of memory, of --session-bytes
	place     *list.Element // among the session's finished ones
	work      *work         // nil if it was answered in full, or cancelled
	cancelled atomic.Bool
	refs      atomic.Int64 // references from the session and from frames that wait to be written
}

// work is what a request needs until it is answered in full.
type work struct {
	addr     netip.Addr // which it counts for
	asker    asker
	lane     *lane
	caller   context.Context // of the connection that ENCODE came by, for traces
	role     encoder.Role
	started  time.Time
	deadline time.Time
	texts    []string // those that are encoded
	order    *order
	cost     int64
}

// state is the state of a text: the code of its fault, or one of these.
type state uint8

const (
	unanswered state = 0
	parked     state = 0xfe // until the client is back
	vector     state = 0xff
)

func (s state) answered() bool { return s != unanswered && s != parked }

// whole is the index of DONE among a request's frames.
const whole = -1

// Memory of a request and its parts in bytes, including what the allocator and maps
// add.
const (
	requestBytes = 448 // and its places in maps and lists
	workBytes    = 640 // with its order and what refers to it
	jobBytes     = 160 // of a text in the queue, beside its own bytes
	traceBytes   = 4 << 10
)

// kept is the memory of a request until it is acknowledged, with the vectors of so many
// texts.
func (r *request) kept(vectors int) int64 {
	n := int64(requestBytes + r.texts*2)
	if vectors > 0 { // in one piece, with a place for each text
		n += int64(roundUp(r.texts * wire.VectorSize(r.dim, r.dtype)))
	}
	return n
}

// workCost is the additional memory of so many texts, of so many bytes in all, until
// they are encoded.
func (s *Server) workCost(texts, length int) int64 {
	n := int64(workBytes + roundUp(length) + texts*jobBytes)
	if s.tracing != nil {
		n += traceBytes
	}
	return n
}

// roundUp is about the number of bytes that the allocator takes for n bytes, or a
// little more.
func roundUp(n int) int { return n + n/8 + 16 }

// enter enters the answer to a text; the session's lock is held.
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

// stop gives back the memory that only the work on the request took; the session's lock
// is held.
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

// release drops a reference, and gives back the request's memory with the last one.
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
