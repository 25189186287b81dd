// Package client encodes texts on a server of `vantage serve --model`, over the
// WebSocket protocol of docs/protocol.md. Sides and Perspectives go over HTTP.
//
//	c, err := client.Dial(ctx, "ws://localhost:8080/v1/stream", client.Options{})
//	…
//	defer c.Close()
//	answers, err := c.Encode(ctx, []string{"night trains"}, client.EncodeOptions{Role: vantage.RoleQuery})
//
// A client keeps one connection, which all its calls share. If the connection is
// lost, it reconnects and resumes its session, so that calls continue: no text is
// lost, and none is answered twice.
package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Options are the options of Dial.
type Options struct {
	Key string      // that the server wants; "": none
	TLS *tls.Config // of wss:// addresses, which the client copies; nil: the system's
	// KeepAlive is how long the server may be silent before the client sends a ping;
	// after twice as long the connection counts as lost. Default: 20 seconds.
	KeepAlive time.Duration
	// Lost, if not nil, is called with the reason why a connection was lost or could
	// not be made. It must not block.
	Lost func(error)
}

// Facts are what the server says about itself.
type Facts struct {
	// Model describes the model as vantage.Model does. MaxLength counts tokens; if Normalize is
	// true, vectors have length 1.
	Model struct {
		ID        string            `json:"id"`
		Revision  string            `json:"revision"`
		Dim       int               `json:"dim"`
		Normalize bool              `json:"normalize"`
		MaxLength int               `json:"max_length"`
		Prompts   map[string]string `json:"prompts"`
	} `json:"model"`
	// Limits are the most bytes of a frame and of a text, the most texts in a request, and
	// the most unacknowledged bytes in a session.
	Limits struct {
		MessageBytes int `json:"message_bytes"`
		TextBytes    int `json:"text_bytes"`
		Texts        int `json:"texts"`
		PendingBytes int `json:"pending_bytes"`
	} `json:"limits"`
}

// mostDimensions bounds the dimensions of a model.
const mostDimensions = 1 << 20

// ErrClosed is the error of calls after Close.
var ErrClosed = fault.New(fault.Unavailable, "the client is closed")

// ProtocolError is an answer that the protocol does not allow. The client closes the
// connection on which it came.
type ProtocolError struct{ Reason string }

func (e *ProtocolError) Error() string {
	return "the server does not keep to the protocol: " + e.Reason
}

// Is reports the kind of fault: integrity.
func (e *ProtocolError) Is(target error) bool { return target == fault.Integrity }

func violation(format string, args ...any) error { return &ProtocolError{fmt.Sprintf(format, args...)} }

// Client is a connection to a server. It reconnects whenever the connection is lost.
// It may be used by several goroutines.
type Client struct {
	url     string
	options Options
	http    *http.Client // for what the stream does not carry
	life    context.Context
	end     context.CancelFunc
	ended   chan struct{}

	mu       sync.Mutex
	link     *link // nil: not connected
	token    wire.Token
	facts    Facts
	requests map[uint32]*request // that are not fully answered
	dropped  []uint32            // cancelled; the server may not know yet
	last     uint32              // id
	bytes    int64               // unacknowledged, as the protocol counts them
	changed  chan struct{}       // closed when there may be room for more
	err      error               // that ended the client
}

// Dial connects to a server by its URL, such as wss://example.org/v1/stream. The context
// applies only to connecting. Dial tries once. Later the client reconnects until it is
// closed, the server refuses it for good (*StatusError, *Fault), or the server has another
// model. Errors of Dial are of kind vantage.ErrInput (url is no such address), *StatusError,
// *ProtocolError, or those of the context and the network.
func Dial(ctx context.Context, url string, o Options) (*Client, error) {
	if err := checkAddress(url); err != nil {
		return nil, err
	}
	o.KeepAlive = cmp.Or(o.KeepAlive, keepAlive)
	ofHTTP := o.TLS.Clone() // http.Transport writes HTTP/2 into it, which no WebSocket is made over
	if o.TLS = o.TLS.Clone(); o.TLS != nil {
		o.TLS.NextProtos = []string{"http/1.1"} // the caller may have given its own to a Transport before
	}
	c := &Client{url: url, options: o, ended: make(chan struct{}), requests: map[uint32]*request{}, changed: make(chan struct{})}
	c.life, c.end = context.WithCancel(context.Background())
	c.http = &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: ofHTTP, ForceAttemptHTTP2: true, IdleConnTimeout: keepAlive},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the key is for this server
	}
	l, welcome, err := c.connect(ctx)
	if err == nil {
		err = c.attach(l, welcome)
	}
	if err != nil {
		c.end()
		return nil, err
	}
	go c.run(l)
	return c, nil
}

// checkAddress refuses what is not the address of a WebSocket.
func checkAddress(place string) error {
	address, err := url.Parse(place)
	switch {
	case err != nil:
		return fault.As(fault.Input, err)
	case address.Scheme != "ws" && address.Scheme != "wss" || address.Host == "":
		return fault.Errorf(fault.Input, "%q is not the address of a stream: it must begin with ws:// or wss://, such as wss://example.org/v1/stream", address.Redacted())
	case address.User != nil:
		return fault.Errorf(fault.Input, "%q has a name or password, which no server of texts takes: leave it out, and give the key as Options.Key", address.Redacted())
	}
	return nil
}

// Facts returns the facts of the server that the client was last connected to.
func (c *Client) Facts() Facts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.facts
}

// Close ends the connection and all calls.
func (c *Client) Close() {
	c.fail(ErrClosed)
	<-c.ended
	c.http.CloseIdleConnections()
}

// fail ends the client.
func (c *Client) fail(err error) {
	c.giveUp(err, func(*request) bool { return true })
	c.end()
}

// giveUp makes err the client's error, unless it has one already. New calls fail with it,
// and so do the requests r for which of(r) is true.
func (c *Client) giveUp(err error, of func(*request) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	for _, r := range c.requests {
		if of(r) {
			r.call.fail(c.err)
		}
	}
	c.signal()
}

// signal wakes the calls that wait for room; c.mu is held.
func (c *Client) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// attach begins to use a connection: it asks again for unanswered texts and sends the
// requests that were not sent yet.
func (c *Client) attach(l *link, w *wire.Welcome) error {
	var facts Facts
	if err := json.Unmarshal(w.Facts, &facts); err != nil || facts.Model.Dim < 1 || facts.Model.Dim > mostDimensions || facts.Limits.Texts < 1 {
		l.ws.Close()
		return violation("WELCOME lacks the model or its limits")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, is := c.facts.Model, facts.Model; was.Dim > 0 && (was.ID != is.ID || was.Revision != is.Revision || was.Dim != is.Dim || !maps.Equal(was.Prompts, is.Prompts)) {
		l.ws.Close() // or vectors of two models would be mixed
		if was.ID == is.ID && was.Revision == is.Revision && was.Dim == is.Dim {
			return &fatalError{fault.Errorf(fault.Integrity, "the server has other prompts of the model %s now: dial again", is.ID)}
		}
		return &fatalError{fault.Errorf(fault.Integrity, "the server has another model now, %s, not %s: dial again", is.ID, was.ID)}
	}
	c.link, c.token, c.facts = l, w.Token, facts
	if w.Resumed {
		for _, id := range c.dropped {
			l.send(&wire.Cancel{ID: id})
		}
	}
	c.dropped = nil
	unanswered := make([]*request, 0, len(c.requests))
	for _, r := range c.requests {
		unanswered = append(unanswered, r)
	}
	for _, r := range unanswered {
		switch {
		case r.timer != nil: // it waits for its time
		case r.link != nil && r.link.leaving: // the server that stops still answers it
		case r.link != nil && w.Resumed:
			l.send(&wire.Resume{ID: r.id, Count: uint32(len(r.texts)), Have: r.have})
			r.link = l
		default:
			c.again(r, r.missing(), 0)
		}
	}
	c.signal()
	return nil
}

// detach ends the use of a connection. The next connection asks for the unanswered texts,
// immediately if it is there already.
func (c *Client) detach(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == l {
		c.link = nil
	}
	if !l.leaving {
		return
	}
	for _, r := range c.sentBy(l) {
		if r.link = nil; c.link != nil {
			c.again(r, r.missing(), 0)
		}
	}
}

// sent returns an unanswered request of a connection, or nil; c.mu is held.
func (c *Client) sent(l *link, id uint32) *request {
	if r := c.requests[id]; r != nil && r.link == l {
		return r
	}
	return nil
}

// sentBy returns the unanswered requests of a connection; c.mu is held.
func (c *Client) sentBy(l *link) (all []*request) {
	for _, r := range c.requests {
		if r.link == l {
			all = append(all, r)
		}
	}
	return all
}

// leave notes that a server will stop: it answers the requests that it has, and new ones
// wait for another server. Its session cannot be resumed. c.mu is held.
func (c *Client) leave(l *link, retry time.Duration) {
	if l.leaving {
		return
	}
	l.leaving, l.retry = true, retry
	close(l.left)
	c.link, c.token, c.dropped = nil, wire.Token{}, nil
}

// take handles a frame. Its error ends the connection.
func (c *Client) take(l *link, frame wire.Frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch f := frame.(type) {
	case *wire.Vector:
		if r := c.sent(l, f.ID); r != nil {
			if err := r.vector(f, c.facts.Model.Dim); err != nil {
				return err
			}
		}
	case *wire.Fault:
		if err := c.fault(l, f); err != nil {
			return err
		}
	case *wire.Done:
		r := c.sent(l, f.ID)
		if r == nil {
			break
		}
		if r.left > 0 {
			return violation("DONE before all answers")
		}
		l.sendLater(&wire.Ack{ID: r.id})
		c.finish(r)
	case *wire.Goodbye:
		c.leave(l, asked(f.Retry))
	case *wire.Pong:
	default:
		return violation("%T after WELCOME", frame)
	}
	if l.leaving && len(c.sentBy(l)) == 0 {
		return errGoodbye
	}
	return nil
}

// unknownPause is the pause before a request is sent again that a server does not know, though it was sent anew.
const unknownPause = time.Second

// fault handles a FAULT; c.mu is held.
func (c *Client) fault(l *link, f *wire.Fault) error {
	fault := &Fault{Code(f.Code), f.Message}
	r := c.sent(l, f.ID)
	switch {
	case f.Code == wire.CodeProtocol:
		return &fatalError{fault}
	case r == nil:
	case f.Index != wire.WholeRequest:
		return r.fault(f, fault)
	case f.Code == wire.CodeUnknownRequest:
		after := time.Duration(0)
		if r.anew { // ENCODE needs no earlier request
			after = unknownPause
		}
		c.again(r, r.missing(), after)
	case f.Retry > 0:
		c.again(r, r.missing(), asked(f.Retry))
	default:
		r.call.fail(fault)
	}
	return nil
}
