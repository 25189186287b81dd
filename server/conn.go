package server

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/server/wire"
)

// conn is one WebSocket. One goroutine reads it, another writes.
type conn struct {
	server  *Server
	ws      *websocket.Conn
	addr    netip.Addr
	key     int
	session *session        // of the reader, after HELLO
	caller  context.Context // the client's span, for traces

	mu      sync.Mutex
	out     [][]byte
	bytes   int
	ending  bool // what is in out is still written
	code    int
	why     string
	wake    chan struct{}
	written chan struct{} // closed when nothing is written any more
	silent  chan struct{} // closed when nothing is read any more
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
	defer s.access.disconnect(addr)
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered
	}
	s.metrics.sockets.Inc()
	defer s.metrics.sockets.Dec()
	c := &conn{server: s, ws: ws, addr: addr, key: key, caller: s.tracing.caller(r), wake: make(chan struct{}, 1), written: make(chan struct{}), silent: make(chan struct{})}
	s.mu.Lock()
	refused := s.draining.Load()
	if !refused {
		s.conns[c] = struct{}{}
		s.closing.Add(1)
	}
	s.mu.Unlock()
	if refused {
		ws.Close()
		return
	}
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		s.closing.Done()
	}()
	go c.write()
	defer func() {
		if c.session != nil {
			s.sessions.detach(c.session, c)
		}
		c.end(websocket.CloseNormalClosure, "") // without effect where it ends already
		<-c.written
	}()
	c.read()
	close(c.silent)
}

func asksFor(r *http.Request, protocol string) bool {
	for _, name := range websocket.Subprotocols(r) {
		if name == protocol {
			return true
		}
	}
	return false
}

// read handles frames until the connection ends.
func (c *conn) read() {
	limits := c.server.limits
	alive := func() error { return c.ws.SetReadDeadline(time.Now().Add(2 * limits.Ping)) }
	c.ws.SetReadLimit(int64(limits.MessageBytes))
	c.ws.SetReadDeadline(time.Now().Add(limits.Write)) // for HELLO
	c.ws.SetPongHandler(func(string) error {
		if c.session == nil {
			return nil
		}
		return alive()
	})
	for {
		kind, message, err := c.ws.ReadMessage()
		switch {
		case err != nil:
			return
		case c.isEnding(): // read until the client has closed too, or it would lose what was sent last
		case kind != websocket.BinaryMessage:
			c.fail("frames are binary messages")
		default:
			frame, err := wire.Parse(message)
			if err != nil {
				c.fail(err.Error())
				continue
			}
			c.handle(frame)
			alive()
		}
	}
}

// handle does what a frame asks for.
func (c *conn) handle(frame wire.Frame) {
	if hello, ok := frame.(*wire.Hello); ok == (c.session != nil) {
		c.fail("HELLO is the first frame, and comes once")
		return
	} else if ok {
		c.server.sessions.attach(c, hello.Token)
		return
	}
	switch f := frame.(type) {
	case *wire.Encode:
		c.session.encode(c, f)
	case *wire.Cancel:
		c.session.forget(f.ID)
	case *wire.Ack:
		c.session.forget(f.ID)
	case *wire.Resume:
		c.session.resume(c, f)
	case *wire.Ping:
		c.send((&wire.Pong{Nonce: f.Nonce}).Append(nil))
	default:
		c.fail("a frame that only servers send")
	}
}

func (c *conn) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending
}

// fail ends the connection over a malformed frame.
func (c *conn) fail(why string) {
	c.server.metrics.refused.WithLabelValues("protocol").Inc()
	c.send((&wire.Fault{Code: wire.CodeProtocol, Message: why}).Append(nil))
	c.end(websocket.CloseProtocolError, "a malformed frame")
}

// farewell is how long a client may take to close after the server.
const farewell = 2 * time.Second

// slack is what may wait to be written beside a session's results.
const slack = 1 << 20

// send has a frame written. A client that does not read is cut off.
func (c *conn) send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	if c.bytes+len(frame) > c.server.limits.PendingBytes+slack {
		c.server.metrics.refused.WithLabelValues("slow").Inc()
		c.out, c.ending, c.code, c.why = nil, true, websocket.ClosePolicyViolation, "the client does not read"
	} else {
		c.out = append(c.out, frame)
		c.bytes += len(frame)
	}
	c.signal()
}

// end has the connection closed once all is written.
func (c *conn) end(code int, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.ending, c.code, c.why = true, code, why
	}
	c.signal()
}

func (c *conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// write sends frames and pings until the connection ends, and closes it.
func (c *conn) write() {
	defer close(c.written)
	defer c.ws.Close() // which ends the reader as well
	limits := c.server.limits
	ping := time.NewTicker(limits.Ping)
	defer ping.Stop()
	for {
		select {
		case <-c.wake:
		case <-ping.C:
			if err := c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(limits.Write)); err != nil {
				return
			}
		}
		c.mu.Lock()
		frames, ending := c.out, c.ending
		c.out = nil
		c.mu.Unlock()
		for _, frame := range frames {
			c.ws.SetWriteDeadline(time.Now().Add(limits.Write))
			if err := c.ws.WriteMessage(websocket.BinaryMessage, frame); err != nil {
				return
			}
			c.mu.Lock()
			c.bytes -= len(frame)
			c.mu.Unlock()
		}
		if ending {
			err := c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, c.why), time.Now().Add(limits.Write))
			if err == nil && c.code != websocket.ClosePolicyViolation {
				select {
				case <-c.silent:
				case <-time.After(farewell):
				}
			}
			return
		}
	}
}
