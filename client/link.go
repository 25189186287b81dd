package client

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// Times of a connection.
const (
	shakeTime = 10 * time.Second       // for it to be made
	writeTime = 10 * time.Second       // for the server to read a frame
	keepAlive = 20 * time.Second       // of silence, by default
	leastWait = 100 * time.Millisecond // the longest pause before an attempt to reconnect; each failure doubles it,
	mostWait  = 15 * time.Second       // up to this
	mostAsked = 10 * time.Minute       // that a server may ask to wait
	ackWait   = 20 * time.Millisecond  // how long an ACK may wait for the next frame
)

// readLimit bounds a frame, in addition to the size of a vector.
const readLimit = 1 << 20

// link is one WebSocket. A goroutine writes for as long as there is something to
// be written.
type link struct {
	ws      *websocket.Conn
	leaving bool          // after GOODBYE; the client's lock guards it
	left    chan struct{} // closed at GOODBYE
	retry   time.Duration // after which to connect again; set at GOODBYE

	mu      sync.Mutex
	out     [][]byte
	writing bool
	later   *time.Timer // that writes frames which may wait
}

var writeBuffers sync.Pool

// connect makes a connection and exchanges HELLO and WELCOME.
func (c *Client) connect(ctx context.Context) (*link, *wire.Welcome, error) {
	ctx, cancel := context.WithTimeout(ctx, shakeTime)
	defer cancel()
	header := http.Header{}
	if c.options.Key != "" {
		header.Set("Authorization", "Bearer "+c.options.Key)
	}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, TLSClientConfig: c.options.TLS, Subprotocols: []string{wire.Protocol},
		ReadBufferSize: 1 << 10, WriteBufferPool: &writeBuffers}
	ws, answer, err := dialer.DialContext(ctx, c.url, header)
	if err != nil {
		if answer == nil {
			return nil, nil, err
		}
		var said struct{ Error struct{ Message string } }
		json.NewDecoder(answer.Body).Decode(&said) // at most 1,024 bytes; a proxy may send anything
		answer.Body.Close()
		return nil, nil, &StatusError{answer.StatusCode, min(retry.After(answer.Header, time.Now()), mostAsked), said.Error.Message}
	}
	stop := context.AfterFunc(ctx, func() { ws.Close() })
	defer stop()
	c.mu.Lock()
	token := c.token
	if len(c.requests) == 0 {
		token = wire.Token{} // there is nothing to resume
	}
	c.mu.Unlock()
	ws.SetReadLimit(readLimit)
	var welcome *wire.Welcome
	if ws.Subprotocol() == wire.Protocol {
		welcome, err = hello(ws, token)
	} else {
		err = violation("it does not speak %s", wire.Protocol)
	}
	if err != nil {
		ws.Close()
		return nil, nil, err
	}
	return &link{ws: ws, left: make(chan struct{})}, welcome, nil
}

func hello(ws *websocket.Conn, token wire.Token) (*wire.Welcome, error) {
	if err := ws.WriteMessage(websocket.BinaryMessage, (&wire.Hello{Token: token}).Append(nil)); err != nil {
		return nil, err
	}
	_, b, err := ws.ReadMessage()
	if err != nil {
		return nil, err
	}
	frame, err := wire.Parse(b)
	if err != nil {
		return nil, violation("%v", err)
	}
	switch f := frame.(type) {
	case *wire.Welcome:
		return f, nil
	case *wire.Goodbye: // it began to stop meanwhile
		return nil, &StatusError{Status: http.StatusServiceUnavailable, Retry: asked(f.Retry)}
	}
	return nil, violation("%T in place of WELCOME", frame)
}

// run reads and reconnects until the client is closed. It also reads the last answers of
// a server that said GOODBYE.
func (c *Client) run(l *link) {
	defer close(c.ended)
	var reading sync.WaitGroup
	defer reading.Wait()
	failures := 1 // connections in succession that failed, also after WELCOME
	for {
		ended, present := make(chan end, 1), l
		reading.Go(func() {
			useful, err := c.read(present)
			c.detach(present)
			ended <- end{useful, err}
		})
		last := end{true, errGoodbye}
		select {
		case <-l.left:
		case last = <-ended:
		}
		err, retry := last.err, l.retry
		if last.useful {
			failures = 0
		}
		for l = nil; l == nil; failures++ {
			if c.life.Err() != nil {
				return
			}
			c.lost(err)
			if status, ok := errors.AsType[*StatusError](err); ok {
				retry = status.Retry
				if !status.temporary() {
					err = &fatalError{err}
				}
			}
			if fatal, ok := errors.AsType[*fatalError](err); ok {
				c.giveUp(fatal.error, func(r *request) bool { return r.link == nil || !r.link.leaving })
				reading.Wait() // what the last server still answers
				c.fail(fatal.error)
				return
			}
			select {
			case <-time.After(retry + backoff(failures)):
			case <-c.life.Done():
				return
			}
			var welcome *wire.Welcome
			retry = 0
			if l, welcome, err = c.connect(c.life); err == nil {
				if err = c.attach(l, welcome); err != nil {
					l = nil
				}
			}
		}
	}
}

// asked is the time that a frame asks the client to wait, in milliseconds there.
func asked(retry uint32) time.Duration {
	return min(time.Duration(retry)*time.Millisecond, mostAsked)
}

// end is the end of a connection, which was useful if any frame came that the protocol allows.
type end struct {
	useful bool
	err    error
}

func (c *Client) lost(err error) {
	if c.options.Lost != nil {
		c.options.Lost(err)
	}
}

// backoff is a random time up to a bound that doubles with each failure, so that
// clients of a server that failed do not all come back at once.
func backoff(failures int) time.Duration {
	return rand.N(min(leastWait<<min(failures, 20), mostWait)) + 1
}

// read takes frames until the connection ends; it was useful if it took any.
func (c *Client) read(l *link) (useful bool, err error) {
	defer l.ws.Close()
	stop := context.AfterFunc(c.life, l.close)
	defer stop()
	l.ws.SetReadLimit(readLimit + int64(wire.VectorSize(c.Facts().Model.Dim, wire.F32)))
	silence := c.options.KeepAlive
	quiet := time.AfterFunc(silence, func() { l.send(&wire.Ping{}) })
	defer quiet.Stop()
	heard := func() {
		l.ws.SetReadDeadline(time.Now().Add(2 * silence))
		quiet.Reset(silence)
	}
	heard()
	pong := l.ws.PingHandler()
	l.ws.SetPingHandler(func(data string) error {
		heard()
		return pong(data)
	})
	for ; ; useful = true {
		kind, b, err := l.ws.ReadMessage()
		if err != nil {
			return useful, err
		}
		if kind != websocket.BinaryMessage {
			return useful, violation("a message of text")
		}
		frame, err := wire.Parse(b)
		if err != nil {
			return useful, violation("%v", err)
		}
		heard()
		if err := c.take(l, frame); err != nil {
			return useful || errors.Is(err, errGoodbye), err
		}
	}
}

// close closes the WebSocket with a closing frame.
func (l *link) close() {
	l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	l.ws.Close()
}

// send queues a frame.
func (l *link) send(f wire.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = append(l.out, f.Append(nil))
	l.start()
}

// sendLater queues a frame that is written with the next one, or after a short time.
func (l *link) sendLater(f wire.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = append(l.out, f.Append(nil))
	if l.later == nil {
		l.later = time.AfterFunc(ackWait, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.later = nil
			l.start()
		})
	}
}

// start starts the writer; l.mu is held.
func (l *link) start() {
	if !l.writing {
		l.writing = true
		go l.write()
	}
}

// write writes the queued frames. After an error the reader fails as well, and nothing
// more is written.
func (l *link) write() {
	for {
		l.mu.Lock()
		frames := l.out
		l.out = nil
		if len(frames) == 0 {
			l.writing = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		for _, frame := range frames {
			l.ws.SetWriteDeadline(time.Now().Add(writeTime))
			if err := l.ws.WriteMessage(websocket.BinaryMessage, frame); err != nil {
				l.ws.Close()
				return
			}
		}
	}
}
