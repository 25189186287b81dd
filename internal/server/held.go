package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// held is the memory of a message until it is handled, or of an HTTP request until it is
// answered. It counts against the limit of all clients and against the limit of the
// address, which is half of that.
type held struct {
	server *Server
	addr   netip.Addr
	bytes  int64
}

// Errors if there is no room.
var (
	errFull        = &overloadError{"the memory for requests and answers is full", time.Second}
	errAddressFull = &overloadError{"this address has too many requests and answers in memory", time.Second}
	errNeverFits   = fault.New(fault.Limit, "the request takes more memory than a client may have")
)

// isFull reports whether an error means that memory is full.
func isFull(err error) bool {
	_, later := errors.AsType[*overloadError](err)
	return later || errors.Is(err, errNeverFits)
}

// take adds bytes, or returns an error if there is no room.
func (h *held) take(n int64) error {
	switch most := h.server.access.mostHeld(); {
	case n == 0:
		return nil
	case h.bytes+n > most:
		return fmt.Errorf("%w, %d bytes, half of --session-bytes: send fewer texts at a time", errNeverFits, most)
	case !h.server.access.hold(h.addr, n):
		return errAddressFull
	}
	if !h.server.sessions.reserve(n) {
		h.server.access.hold(h.addr, -n)
		return errFull
	}
	h.bytes += n
	return nil
}

// free gives all bytes back.
func (h *held) free() {
	if h.bytes > 0 {
		h.server.sessions.bytes.Add(-h.bytes)
		h.server.access.hold(h.addr, -h.bytes)
		h.bytes = 0
	}
}

// reader counts a body as it arrives, each byte times a factor. A client that announces
// a long body and sends nothing holds nothing.
func (h *held) reader(from io.Reader, each int64) io.Reader { return &countedReader{from, h, each} }

type countedReader struct {
	from io.Reader
	held *held
	each int64
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	if full := c.held.take(c.each * int64(n)); full != nil {
		return n, full
	}
	return n, err
}

// Memory of a connection in bytes, without its messages and answers.
const (
	socketBytes  = 24 << 10 // a WebSocket: goroutine, buffers and the beginning of a message
	requestBase  = 32 << 10 // an HTTP request on a connection with its own buffers
	tlsBytes     = 24 << 10 // TLS, which buffers what it reads
	headerFactor = 3        // per byte of headers, which are kept in maps
	headerBytes  = 120      // of a header in these maps, in addition
)

// socketCost is the memory of a WebSocket.
func socketCost(r *http.Request) int64 {
	if r.TLS != nil {
		return socketBytes + tlsBytes
	}
	return socketBytes
}

// requestCost is the memory of an HTTP request without its body.
func requestCost(r *http.Request) int64 {
	n := int64(requestBase + headerFactor*len(r.RequestURI))
	for name, values := range r.Header {
		for _, value := range values {
			n += int64(headerFactor*(len(name)+len(value)) + headerBytes)
		}
	}
	if r.TLS != nil {
		n += tlsBytes
	}
	return n
}
