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

// read handles frames until the connection ends.
func (c *conn) read() {
	limits, memory := c.server.limits, &held{server: c.server, addr: c.addr}
	alive := func() error { return c.ws.SetReadDeadline(time.Now().Add(2 * limits.Ping)) }
	c.ws.SetReadLimit(int64(limits.MessageBytes))
	c.ws.SetReadDeadline(time.Now().Add(limits.Write)) // time for HELLO
	c.ws.SetPongHandler(func(string) error {
		if c.session == nil || memory.bytes > 0 { // a counted message must arrive within this time
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
			if c.session != nil { // HELLO is short
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
		case c.isEnding(): // read until the client has closed, or it would lose the last frames
		case kind != websocket.BinaryMessage:
			c.fail("frames are binary messages")
		default:
			c.take(message, memory)
			alive()
		}
		memory.free()
	}
}

// uncounted is the number of bytes of a message that are read before memory is counted.
// Few messages are longer.
const uncounted = 4 << 10

// readMessage reads a message. If there is no room, it returns only the beginning. After
// uncounted bytes it calls begin, which limits the time.
func readMessage(r io.Reader, memory *held, begin func()) ([]byte, error) {
	message, err := io.ReadAll(io.LimitReader(r, uncounted))
	if err != nil || len(message) < uncounted {
		return message, err
	}
	begin()
	const each = 3 // the growing slice (at most twice the bytes) and its predecessor
	rest, err := io.ReadAll(memory.reader(r, each))
	return append(message, rest...), err
}

// refuse answers a frame for which there is no room.
func (c *conn) refuse(beginning []byte, size int64, why error) {
	id, _, ok := wire.CountTexts(beginning, size)
	if !ok || c.session == nil {
		c.end(websocket.CloseTryAgainLater, why.Error())
		return
	}
	c.calm()
	code, retry := whyFull(why)
	c.session.refuse(c, id, code, retry, why.Error())
}

// whyFull is the fault for a request for which there is no room.
func whyFull(why error) (wire.Code, time.Duration) {
	if overload, later := errors.AsType[*overloadError](why); later {
		return wire.CodeOverloaded, overload.retry
	}
	return wire.CodeTooLarge, 0
}

// parsedBytes is the memory of each text of a parsed ENCODE, in addition to the
// message.
const parsedBytes = 24

// take handles a message.
func (c *conn) take(message []byte, memory *held) {
	most := c.server.limits.Texts
	id, n, ok := wire.CountTexts(message, int64(len(message)))
	if ok && c.session == nil {
		c.fail(helloFirst)
		return
	}
	if ok && n > int64(most) {
		c.calm()
		c.session.refuse(c, id, wire.CodeTooLarge, 0, fmt.Sprintf("%d texts, at most %d: send fewer at a time", n, most))
		return
	}
	if ok {
		if err := memory.take(parsedBytes * n); err != nil {
			c.refuse(message, int64(len(message)), err)
			return
		}
	}
	frame, err := wire.Parse(message)
	if err != nil {
		c.fail(err.Error())
		return
	}
	c.handle(frame)
}

const helloFirst = "HELLO is the first frame, and comes once"

// handle executes a frame.
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
		c.calm()
		c.session.encode(c, f)
	case *wire.Cancel:
		c.session.forget(f.ID)
	case *wire.Ack:
		c.session.forget(f.ID)
	case *wire.Resume:
		c.calm()
		c.session.resume(c, f)
	case *wire.Ping:
		c.calm()
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

// fail ends the connection because of a malformed frame.
func (c *conn) fail(why string) {
	c.server.metrics.refused.WithLabelValues("protocol").Inc()
	c.send((&wire.Fault{Code: wire.CodeProtocol, Message: why}).Append(nil))
	c.end(websocket.CloseProtocolError, "a malformed frame")
}

// farewell is the time that a client has to close after the server.
const farewell = 2 * time.Second

// crowded is the most bytes that may wait to be written to a client. With more, the
// server stops reading from it.
const crowded = 64 << 10

// calm waits until at most that many bytes wait to be written, or the connection ends.
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

// send queues a frame to be written.
func (c *conn) send(frame []byte) { c.push(outgoing{frame: frame}) }

// answer writes frames of a request, given by their indexes.
func (c *conn) answer(r *request, frames ...int) {
	all := make([]outgoing, len(frames))
	for k, i := range frames {
		all[k] = outgoing{request: r, index: i}
	}
	c.push(all...)
}

func (c *conn) push(all ...outgoing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	for _, o := range all {
		c.out.push(o)
		c.server.sessions.bytes.Add(int64(o.bytes()))
	}
	c.start()
}

// unread returns the number of bytes that wait to be written. It is 0 if they are so
// few that the client may still be reading.
func (c *conn) unread() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending || c.out.unread <= corkBytes {
		return 0
	}
	return int64(c.out.unread)
}

// cutOff disconnects a client that does not read.
func (c *conn) cutOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	c.server.metrics.refused.WithLabelValues("slow").Inc()
	c.drop()
	c.ending, c.dropped, c.code, c.why = true, true, websocket.ClosePolicyViolation, "the client does not read"
	c.calmDown()
	c.net.Conn.SetWriteDeadline(time.Now()) // the client will not read the current frame either
	c.start()
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

// pingDue queues a ping to be written.
func (c *conn) pingDue() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ending {
		c.ping = true
		c.start()
	}
}

// start starts the writer if there is none; c.mu is held.
func (c *conn) start() {
	if !c.writing {
		c.writing = true
		go c.write()
	}
}

// writerBytes is the memory of a writing goroutine: its stack and its buffers.
const writerBytes = 8<<10 + corkBytes + 8<<10

// writeAtOnce is the most frames that are written together.
const writeAtOnce = 32

// write sends frames and pings while there are any, and closes the connection if it
// ends.
func (c *conn) write() {
	limits := c.server.limits
	var some [writeAtOnce]outgoing
	counted := false
	defer func() {
		if counted {
			c.server.sessions.bytes.Add(-writerBytes)
		}
	}()
	for {
		c.mu.Lock()
		frames, ping := c.out.take(some[:]), c.ping
		ending := c.ending && c.out.empty()
		c.ping = false
		if len(frames) == 0 && !ping && !ending {
			c.writing = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		if len(frames) > 0 && !counted {
			counted = true
			c.server.sessions.bytes.Add(writerBytes) // even without room, because writing frees some
		}
		var err error
		if ping {
			err = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(limits.Write))
		}
		err = c.writeFrames(frames, err)
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
		c.ws.Close() // also ends the reader
		c.mu.Lock()
		c.drop()
		c.ending = true
		c.calmDown()
		c.mu.Unlock()
		close(c.written)
		return
	}
}

// writeFrames writes frames together, and releases them, even after an error.
func (c *conn) writeFrames(frames []outgoing, err error) error {
	if len(frames) == 0 {
		return err
	}
	c.net.cork()
	dropped := false
	for i := range frames {
		o := &frames[i]
		if err == nil && !dropped {
			err = c.ws.WriteMessage(websocket.BinaryMessage, o.content())
		}
		c.mu.Lock()
		if dropped = c.dropped; !dropped {
			c.out.written(o)
			c.server.sessions.bytes.Add(-int64(o.bytes()))
			c.calmDown()
		}
		c.mu.Unlock()
		o.release()
		*o = outgoing{}
	}
	return cmp.Or(err, c.net.flush())
}
