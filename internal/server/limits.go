// Package server encodes texts for browsers and OpenAI's clients: over the WebSocket
// protocol of docs/protocol.md, and over HTTP.
package server

import "time"

// Limits are the limits of the server. WELCOME announces those that concern clients.
type Limits struct {
	BatchTokens int           // tokens in one call of the model
	BatchWait   time.Duration // time that a text waits for others while the model is idle
	QueueTokens int           // tokens that may wait; a client may have half
	CacheBytes  int           // memory of recent vectors

	MessageBytes int // length of a frame or a request's body
	TextBytes    int
	Texts        int // texts in one request
	PendingBytes int // unacknowledged texts and answers of one session
	SessionBytes int // memory that the server holds for all clients

	Sockets           int // sockets of all clients
	SocketsPerAddress int
	Rate              float64 // requests per second from one address; 0 means no limit

	Resume time.Duration // time that a session outlives its connection
	Write  time.Duration // time that a client may take to read one frame
	Ping   time.Duration // time between pings; a client may be silent twice as long
}

// DefaultLimits are for a server that clients reach directly.
func DefaultLimits() Limits {
	return Limits{
		BatchTokens: 4096, QueueTokens: 1 << 18, CacheBytes: 64 << 20,
		MessageBytes: 4 << 20, TextBytes: 256 << 10, Texts: 2048, PendingBytes: 16 << 20, SessionBytes: 512 << 20,
		Sockets: 10_000, SocketsPerAddress: 100, Rate: 200,
		Resume: 30 * time.Second, Write: 10 * time.Second, Ping: 30 * time.Second,
	}
}

// Memory is the most memory in bytes that the server may use for clients, in addition
// to the model: SessionBytes, CacheBytes, and room for garbage.
func (l *Limits) Memory() int64 {
	return int64(l.SessionBytes) + int64(l.CacheBytes) + l.garbage()
}

// garbage is room for uncollected garbage and for the current batch: a tenth of
// SessionBytes and CacheBytes, at least 16 MB.
func (l *Limits) garbage() int64 {
	return max(16<<20, (int64(l.SessionBytes)+int64(l.CacheBytes))/10)
}
