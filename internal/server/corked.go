package server

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// corked is a connection that gathers the writes between cork and flush. Several frames then
// take one system call, and wake the client only once.
type corked struct {
	net.Conn
	patience time.Duration // time limit for sending the gathered frames
	mu       sync.Mutex
	buffer   *[]byte // nil if not gathering
}

// corkBytes is the greatest number of bytes that are gathered. Longer frames are written separately.
const corkBytes = 16 << 10

var corkBuffers = sync.Pool{New: func() any {
	b := make([]byte, 0, corkBytes)
	return &b
}}

func (c *corked) cork() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffer = corkBuffers.Get().(*[]byte)
}

// Write implements net.Conn.
func (c *corked) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buffer == nil {
		return c.Conn.Write(b)
	}
	if len(*c.buffer)+len(b) > corkBytes {
		if err := c.send(); err != nil {
			return 0, err
		}
	}
	if len(b) > corkBytes {
		c.Conn.SetWriteDeadline(time.Now().Add(c.patience))
		return c.Conn.Write(b)
	}
	*c.buffer = append(*c.buffer, b...)
	return len(b), nil
}

// SetWriteDeadline implements net.Conn. It does not apply to gathered frames,
// because a pong between them must not shorten their time.
func (c *corked) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buffer != nil {
		return nil
	}
	return c.Conn.SetWriteDeadline(t)
}

// send writes the gathered frames; c.mu is held.
func (c *corked) send() error {
	b := *c.buffer
	*c.buffer = b[:0]
	if len(b) == 0 {
		return nil
	}
	c.Conn.SetWriteDeadline(time.Now().Add(c.patience))
	_, err := c.Conn.Write(b)
	return err
}

// flush writes the gathered frames and ends gathering.
func (c *corked) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.send()
	corkBuffers.Put(c.buffer)
	c.buffer = nil
	return err
}

// corking is a response whose connection gathers writes once it is hijacked.
type corking struct {
	http.ResponseWriter
	patience time.Duration
	conn     *corked
}

// Hijack implements http.Hijacker.
func (w *corking) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		w.conn = &corked{Conn: conn, patience: w.patience}
		return w.conn, rw, nil
	}
	return nil, nil, err
}
