package server

import (
	"context"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// conn is one WebSocket. One goroutine reads it. Another writes, but only while there is
// something to write, so that an idle connection takes little memory.
type conn struct {
	server  *Server
	ws      *websocket.Conn
	net     *corked // connection below ws
	addr    netip.Addr
	key     int
	session *session        // set by the reader after HELLO
	caller  context.Context // the client's span, for traces

	lane *lane  // lane of its texts in the queue; may outlive the connection
	free func() // gives back the memory of the connection itself

	mu      sync.Mutex
	out     outbox
	calmed  chan struct{} // not nil while the reader waits in calm
	ping    bool          // a ping is due
	writing bool          // a goroutine is writing, or has ended and closed written
	ending  bool          // the connection ends when out is written
	dropped bool          // the frames in out were discarded
	code    int
	why     string
	written chan struct{} // closed when writing has ended
	silent  chan struct{} // closed when reading has ended
}

// stream answers GET /v1/stream.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		s.refuseEncoding(w, errShuttingDown)
		return
	}
	if !websocket.IsWebSocketUpgrade(r) || !asksFor(r, wire.Protocol) {
		w.Header().Set("Upgrade", "websocket")
		failHTTP(w, &apiError{Status: http.StatusUpgradeRequired, Message: "this is a WebSocket of the subprotocol " + wire.Protocol, Type: invalidRequest})
		return
	}
	key, _ := s.access.key(r)
	addr := s.access.address(r)
	if !s.access.connect(addr) {
		s.refuseEncoding(w, &overloadError{"too many connections", time.Second})
		return
	}
	cost := socketCost(r)
	if !s.sessions.reserve(cost) {
		s.access.disconnect(addr)
		s.refuseEncoding(w, errFull)
		return
	}
	free := func() {
		s.sessions.bytes.Add(-cost)
		s.access.disconnect(addr)
	}
	response := &corking{ResponseWriter: w, patience: s.limits.Write}
	ws, err := s.upgrader.Upgrade(response, r, nil)
	if err != nil { // Upgrade has answered
		free()
		return
	}
	c := &conn{server: s, ws: ws, net: response.conn, addr: addr, key: key, lane: &lane{}, caller: s.tracing.caller(r), free: free, written: make(chan struct{}), silent: make(chan struct{})}
	s.mu.Lock()
	refused := s.draining.Load()
	if !refused {
		s.conns[c] = struct{}{}
		s.closing.Add(1)
	}
	s.mu.Unlock()
	if refused {
		ws.Close()
		free()
		return
	}
	s.metrics.sockets.Inc()
	go c.serve() // a new goroutine keeps nothing of the request
}

// serve reads the connection until it ends.
func (c *conn) serve() {
	s := c.server
	unping := s.pings.add(c)
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "route", "/v1/stream", "stack", string(debug.Stack())) // without the panic's value, which may hold a text
		}
		close(c.silent)
		if c.session != nil {
			s.sessions.detach(c.session, c)
		}
		c.end(websocket.CloseNormalClosure, "") // has no effect if the connection is ending
		<-c.written
		unping()
		c.free()
		s.metrics.sockets.Dec()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		s.closing.Done()
	}()
	c.read()
}

func asksFor(r *http.Request, protocol string) bool {
	for _, name := range websocket.Subprotocols(r) {
		if name == protocol {
			return true
		}
	}
	return false
}

func (c *conn) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending
}

// fail ends the connection because of a malformed frame.
func (c *conn) fail(why string) {
	c.server.metrics.refused.WithLabelValues("protocol").Inc()
	c.send((&wire.Fault{Code: wire.CodeProtocol, Message: why}).Append(nil))
	c.end(websocket.CloseProtocolError, "a malformed frame")
}

// farewell is the time that a client has to close after the server.
const farewell = 2 * time.Second

// crowded is the greatest number of bytes that may wait to be written to a client. With more, the
// server stops reading from it.
const crowded = 64 << 10

// calm waits until at most crowded bytes wait to be written, or the connection ends.
func (c *conn) calm() {
	c.mu.Lock()
	for !c.ending && c.out.unread > crowded {
		if c.calmed == nil {
			c.calmed = make(chan struct{})
		}
		calmed := c.calmed
		c.mu.Unlock()
		<-calmed
		c.mu.Lock()
	}
	c.mu.Unlock()
}

// calmDown wakes the reader if it need not wait in calm any longer; c.mu is held.
func (c *conn) calmDown() {
	if c.calmed != nil && (c.ending || c.out.unread <= crowded) {
		close(c.calmed)
		c.calmed = nil
	}
}

// drop discards all frames that are not written completely; c.mu is held.
func (c *conn) drop() {
	c.server.sessions.bytes.Add(-int64(c.out.bytes))
	c.out.drop()
}

// end closes the connection when everything is written.
func (c *conn) end(code int, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.ending, c.code, c.why = true, code, why
	}
	c.calmDown()
	c.start()
}
