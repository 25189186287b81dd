package client

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// Attempts come after a random time below a bound that doubles, up to a limit.
func TestBackoff(t *testing.T) {
	for failures, bound := 0, leastWait; failures < 100; failures, bound = failures+1, min(2*bound, mostWait) {
		var least, most time.Duration = time.Hour, 0
		for range 200 {
			d := backoff(failures)
			least, most = min(least, d), max(most, d)
		}
		if least < 1 || most > bound || most < 3*bound/4 || least > bound/4 { // chance fails this once in (4/3)²⁰⁰ times
			t.Errorf("after %d failures: %v to %v, want up to %v", failures, least, most, bound)
		}
	}
}

// unconnected is a client without a connection, and a connection that keeps what it is to write.
func unconnected() (*Client, *link) {
	return &Client{requests: map[uint32]*request{}, changed: make(chan struct{})}, kept()
}

func kept() *link { return &link{left: make(chan struct{}), writing: true} }

// sent enters the request of a call of one text, as if a connection had sent it.
func sent(t *testing.T, c *Client, l *link) *request {
	r := &request{call: &call{ctx: t.Context(), requests: map[*request]struct{}{}}, texts: []string{"a"}, index: []int{0}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(r, 0)
	r.link = l
	return r
}

// written counts what a connection is to write.
func (l *link) written() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.out)
}

const someFacts = `{"model": {"id": "m", "dim": 2}, "limits": {"texts": 8}}`

// Requests that wait for their time also do so after a reconnection. Those that were told the same time are not sent
// all at once.
func TestWaitsAcrossConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := unconnected()
		const n = 8
		for range n {
			if err := c.take(l, &wire.Fault{ID: sent(t, c, l).id, Index: wire.WholeRequest, Code: wire.CodeOverloaded, Retry: 1000}); err != nil {
				t.Fatal(err)
			}
		}
		next := kept()
		if err := c.attach(next, &wire.Welcome{Facts: []byte(someFacts)}); err != nil {
			t.Fatal(err)
		}
		times := map[time.Duration]bool{}
		for began, before := time.Now(), 0; before < n; {
			after := time.Since(began)
			if now := next.written(); now > before {
				before, times[after] = now, true
				if after < time.Second {
					t.Fatalf("sent after %v, not a second", after)
				}
			}
			if after > 2*time.Second {
				t.Fatalf("after %v, %d of %d were sent", after, before, n)
			}
			time.Sleep(time.Millisecond)
			synctest.Wait()
		}
		if len(times) < 2 { // chance does this once in 1000⁷ times
			t.Error("all are sent at once")
		}
	})
}

// Without a connection, a client remembers only so many of the requests that were cancelled.
func TestForgetsCancelled(t *testing.T) {
	c, l := unconnected()
	var last uint32
	for range dropLimit + 1 {
		r := sent(t, c, l)
		last = r.id
		c.forget(r.call)
	}
	if len(c.dropped) != dropLimit || c.dropped[dropLimit-1] != last || len(c.requests) > 0 {
		t.Errorf("%d are remembered, %d requests are left", len(c.dropped), len(c.requests))
	}
	next := kept()
	if err := c.attach(next, &wire.Welcome{Resumed: true, Facts: []byte(someFacts)}); err != nil || next.written() != dropLimit || len(c.dropped) > 0 {
		t.Errorf("the next connection cancels %d, %v", next.written(), err)
	}
}

// A server may ask the client to wait only for so long, in whichever frame it does.
func TestAskedToWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long = math.MaxUint32
		c, l := unconnected()
		enter := func() *request { return sent(t, c, l) }
		waits := func(r *request) bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			for next := range r.call.requests {
				return next != r && next.timer != nil
			}
			return false
		}
		again := func(r *request) {
			t.Helper()
			if !waits(r) {
				t.Error("it does not wait to be sent again")
			}
			time.Sleep(2 * mostAsked) // with the random part
			synctest.Wait()
			if waits(r) {
				t.Error("it is not sent again")
			}
		}
		whole := enter()
		if err := c.take(l, &wire.Fault{ID: whole.id, Index: wire.WholeRequest, Code: wire.CodeOverloaded, Retry: long}); err != nil {
			t.Error(err)
		}
		again(whole)
		single := enter()
		if err := c.take(l, &wire.Fault{ID: single.id, Code: wire.CodeOverloaded, Retry: long}); err != nil {
			t.Error(err)
		}
		c.finish(single)
		again(single)
		if err := c.take(l, &wire.Goodbye{Retry: long}); !errors.Is(err, errGoodbye) || l.retry != mostAsked {
			t.Errorf("after GOODBYE: %v, %v", l.retry, err)
		}
	})
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{Subprotocols: []string{wire.Protocol}}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		ws.WriteMessage(websocket.BinaryMessage, (&wire.Goodbye{Retry: math.MaxUint32}).Append(nil))
	}))
	defer first.Close()
	_, err := Dial(t.Context(), "ws"+strings.TrimPrefix(first.URL, "http"), Options{})
	if status, ok := errors.AsType[*StatusError](err); !ok || status.Retry != mostAsked {
		t.Errorf("GOODBYE in place of WELCOME: %v", err)
	}
}

// What may pass is tried again. A server that lacks a method will lack it then, too.
func TestTemporary(t *testing.T) {
	for status, want := range map[int]bool{400: false, 404: false, 408: true, 429: true, 500: true, 501: false, 502: true, 503: true, 504: true, 505: false, 521: true} {
		if got := (&StatusError{Status: status}).temporary(); got != want {
			t.Errorf("%d: %v", status, got)
		}
	}
}
