package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/server/wire"
)

// conn is one WebSocket. A goroutine reads it; another writes, only while there is
// something to be written, so that an idle connection takes little memory.
type conn struct {
	server  *Server
	ws      *websocket.Conn
	net     *corked // under ws
	addr    netip.Addr
	key     int
	session *session        // of the reader, after HELLO
	caller  context.Context // the client's span, for traces

	mu      sync.Mutex
	out     [][]byte
	bytes   int
	ping    bool // is due
	writing bool // by a goroutine, or no more: written is closed
	ending  bool // what is in out is still written
	dropped bool // nothing that waited is
	code    int
	why     string
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
	response := &corking{ResponseWriter: w, patience: s.limits.Write}
	ws, err := s.upgrader.Upgrade(response, r, nil)
	if err != nil { // answered
		s.access.disconnect(addr)
		return
	}
	c := &conn{server: s, ws: ws, net: response.conn, addr: addr, key: key, caller: s.tracing.caller(r), written: make(chan struct{}), silent: make(chan struct{})}
	s.mu.Lock()
	refused := s.draining.Load()
	if !refused {
		s.conns[c] = struct{}{}
		s.closing.Add(1)
	}
	s.mu.Unlock()
	if refused {
		ws.Close()
		s.access.disconnect(addr)
		return
	}
	s.metrics.sockets.Inc()
	go c.serve() // so that nothing of the request is kept
}

// serve reads the connection until it ends.
func (c *conn) serve() {
	s := c.server
	unping := s.pings.add(c)
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "route", "/v1/stream", "stack", string(debug.Stack())) // not its value, which may hold a text
		}
		close(c.silent)
		if c.session != nil {
			s.sessions.detach(c.session, c)
		}
		c.end(websocket.CloseNormalClosure, "") // without effect where it ends already
		<-c.written
		unping()
		s.access.disconnect(c.addr)
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

// read handles frames until the connection ends.
func (c *conn) read() {
	limits, memory := c.server.limits, &held{server: c.server, addr: c.addr}
	alive := func() error { return c.ws.SetReadDeadline(time.Now().Add(2 * limits.Ping)) }
	c.ws.SetReadLimit(int64(limits.MessageBytes))
	c.ws.SetReadDeadline(time.Now().Add(limits.Write)) // for HELLO
	c.ws.SetPongHandler(func(string) error {
		if c.session == nil || memory.bytes > 0 { // a message that is counted has so much time
			return nil
		}
		return alive()
	})
	defer memory.free()
	for {
		kind, r, err := c.ws.NextReader()
		if err != nil {
			return
		}
		message, err := readMessage(r, memory, func() {
			if c.session != nil { // HELLO is not long
				alive()
			}
		})
		switch {
		case isFull(err) && kind == websocket.BinaryMessage && !c.isEnding():
			beginning, read := bytes.Clone(message[:uncounted]), len(message)
			message = nil
			memory.free()
			rest, broken := io.Copy(io.Discard, r)
			if broken != nil {
				return
			}
			c.refuse(beginning, int64(read)+rest, err)
			alive()
		case err != nil && !isFull(err):
			return
		case c.isEnding(): // read until the client has closed too, or it would lose what was sent last
		case kind != websocket.BinaryMessage:
			c.fail("frames are binary messages")
		default:
			c.take(message)
			alive()
		}
		memory.free()
	}
}

// uncounted bytes of a message are read before any are counted, which few have more of.
const uncounted = 4 << 10

// readMessage reads a message, of which it returns the beginning where there is no room
// for more. It is begun after uncounted bytes, when begin gives it its time.
func readMessage(r io.Reader, memory *held, begin func()) ([]byte, error) {
	message, err := io.ReadAll(io.LimitReader(r, uncounted))
	if err != nil || len(message) < uncounted {
		return message, err
	}
	begin()
	const each = 3 // a slice that grows, and the one that it grew from
	rest, err := io.ReadAll(memory.reader(r, each))
	return append(message, rest...), err
}

// refuse answers a frame of so many bytes that there is no room to read.
func (c *conn) refuse(beginning []byte, size int64, why error) {
	id, _, ok := wire.CountTexts(beginning, size)
	overload, later := errors.AsType[*overloadError](why)
	switch {
	case !ok || c.session == nil:
		c.end(websocket.CloseTryAgainLater, why.Error())
	case later:
		c.session.refuse(c, id, wire.CodeOverloaded, overload.retry, why.Error())
	default:
		c.session.refuse(c, id, wire.CodeTooLarge, 0, why.Error())
	}
}

// take handles a message.
func (c *conn) take(message []byte) {
	most := c.server.limits.Texts
	if id, n, ok := wire.CountTexts(message, int64(len(message))); ok && n > int64(most) && c.session != nil {
		c.session.refuse(c, id, wire.CodeTooLarge, 0, fmt.Sprintf("%d texts, at most %d: send fewer at a time", n, most))
	} else if ok && c.session == nil {
		c.fail(helloFirst)
	} else if frame, err := wire.Parse(message); err != nil {
		c.fail(err.Error())
	} else {
		c.handle(frame)
	}
}

const helloFirst = "HELLO is the first frame, and comes once"

// handle does what a frame asks for.
func (c *conn) handle(frame wire.Frame) {
	if hello, ok := frame.(*wire.Hello); ok == (c.session != nil) {
		c.fail(helloFirst)
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

// send has frames written. A client that does not read is cut off.
func (c *conn) send(frames ...[]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	for _, frame := range frames {
		c.count(len(frame) + frameBytes)
	}
	c.out = append(c.out, frames...)
	if c.bytes > 2*c.server.limits.PendingBytes+slack { // small vectors take twice their bytes
		c.cut()
	}
	c.start()
}

// frameBytes are what a frame takes beside its bytes.
const frameBytes = 64

// count counts what waits to be written, here and in all; c.mu is held.
func (c *conn) count(n int) {
	c.bytes += n
	c.server.sessions.bytes.Add(int64(n))
}

// unread returns the bytes that wait to be written, where they are more than a client
// that reads may have.
func (c *conn) unread() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending || c.bytes <= slack {
		return 0
	}
	return int64(c.bytes)
}

// cutOff cuts off a client that does not read.
func (c *conn) cutOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.cut()
		c.start()
	}
}

// cut ends the connection without what waits to be written; c.mu is held.
func (c *conn) cut() {
	c.server.metrics.refused.WithLabelValues("slow").Inc()
	c.count(-c.bytes)
	c.out, c.ending, c.dropped, c.code, c.why = nil, true, true, websocket.ClosePolicyViolation, "the client does not read"
	c.net.Conn.SetWriteDeadline(time.Now()) // what is being written is not, either
}

// end has the connection closed once all is written.
func (c *conn) end(code int, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.ending, c.code, c.why = true, code, why
	}
	c.start()
}

// pingDue has a ping written.
func (c *conn) pingDue() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.ping = true
		c.start()
	}
}

// start begins to write; c.mu is held.
func (c *conn) start() {
	if !c.writing {
		c.writing = true
		go c.write()
	}
}

// write sends frames and pings while there are any, and closes the connection
// where it ends.
func (c *conn) write() {
	limits := c.server.limits
	for {
		c.mu.Lock()
		frames, ping, ending := c.out, c.ping, c.ending
		c.out, c.ping = nil, false
		if len(frames) == 0 && !ping && !ending {
			c.writing = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		var err error
		if ping {
			err = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(limits.Write))
		}
		c.net.cork()
		for _, frame := range frames {
			if err != nil {
				break
			}
			err = c.ws.WriteMessage(websocket.BinaryMessage, frame)
			c.mu.Lock()
			dropped := c.dropped
			if !dropped {
				c.count(-len(frame) - frameBytes)
			}
			c.mu.Unlock()
			if dropped {
				break
			}
		}
		err = cmp.Or(err, c.net.flush())
		if err == nil && !ending {
			continue
		}
		if err == nil {
			err = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, c.why), time.Now().Add(limits.Write))
		}
		if err == nil && c.code != websocket.ClosePolicyViolation {
			select {
			case <-c.silent:
			case <-time.After(farewell):
			}
		}
		c.ws.Close() // which ends the reader as well
		c.mu.Lock()
		c.count(-c.bytes)
		c.out, c.ending = nil, true
		c.mu.Unlock()
		close(c.written)
		return
	}
}
