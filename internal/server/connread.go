package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gorilla/websocket"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// read handles frames until the connection ends.
func (c *conn) read() {
	limits, memory := c.server.limits, &held{server: c.server, addr: c.addr}
	alive := func() error { return c.ws.SetReadDeadline(time.Now().Add(2 * limits.Ping)) }
	c.ws.SetReadLimit(int64(limits.MessageBytes))
	c.ws.SetReadDeadline(time.Now().Add(limits.Write)) // time for HELLO
	c.ws.SetPongHandler(func(string) error {
		if c.session == nil || memory.bytes > 0 { // a pong gives no more time, neither for HELLO nor for the rest of a long message
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
