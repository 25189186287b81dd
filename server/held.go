package server

import (
	"io"
	"time"
)

// held is the memory that an HTTP request takes, of what all sessions and requests
// may have.
type held struct {
	all   *sessions
	bytes int64
}

var errFull = &overloadError{"too much is unanswered in all", time.Second}

// take adds to it, or refuses.
func (h *held) take(n int64) error {
	if !h.all.reserve(n) {
		return errFull
	}
	h.bytes += n
	return nil
}

// free gives all of it back.
func (h *held) free() { h.all.bytes.Add(-h.bytes) }

// reader counts a body as it comes: who announces much and sends nothing takes
// nothing.
func (h *held) reader(body io.Reader) io.Reader { return &countedReader{body, h} }

type countedReader struct {
	body io.Reader
	held *held
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.body.Read(b)
	if full := c.held.take(int64(n)); full != nil {
		return n, full
	}
	return n, err
}
