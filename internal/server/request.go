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

// request is an ENCODE that was accepted. It keeps the answers, as small as they are:
// vectors as they are sent, of faults the code.
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
	work      *work         // nil: it was answered in full, or cancelled
	cancelled atomic.Bool
	refs      atomic.Int64 // by the session, and by what waits to be written
}

// work is what a request takes until it is answered in full.
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

// state is what became of a text: a code of its fault, or one of these.
type state uint8

const (
	unanswered state = 0
	parked     state = 0xfe // until the client is back
	vector     state = 0xff
)

func (s state) answered() bool { return s != unanswered && s != parked }

// whole is the index of DONE among a request's frames.
const whole = -1

// What a request and its parts take, in bytes of memory with all that the allocator and
// maps add.
const (
	requestBytes = 448 // and its places in maps and lists
	workBytes    = 640 // with its order and what refers to it
	jobBytes     = 160 // of a text in the queue, beside its own bytes
	traceBytes   = 4 << 10
)

// kept is what a request takes until it is acknowledged: of so many of its texts, the
// vectors.
func (r *request) kept(vectors int) int64 {
	n := int64(requestBytes + r.texts*2)
	if vectors > 0 { // in one piece, with a place for each text
		n += int64(roundUp(r.texts * wire.VectorSize(r.dim, r.dtype)))
	}
	return n
}

// workCost is what so many texts to be encoded take beside, of so many bytes in all.
func (s *Server) workCost(texts, length int) int64 {
	n := int64(workBytes + roundUp(length) + texts*jobBytes)
	if s.tracing != nil {
		n += traceBytes
	}
	return n
}

// roundUp is what the allocator makes of so many bytes, or a little more.
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

// stop gives back what only the work on the request took; the session's lock is held.
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

// release gives back what the request takes, when the last of those who refer to it do.
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
