package server

import (
	"cmp"
	"time"

	"github.com/gorilla/websocket"
)

// send queues a frame to be written.
func (c *conn) send(frame []byte) { c.push(outgoing{frame: frame}) }

// answer queues frames of a request, given by their indexes.
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

// writeAtOnce is the greatest number of frames that are written together.
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
