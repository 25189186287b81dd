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

// A server may ask the client to wait only for so long, in whichever frame it does.
func TestAskedToWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long = math.MaxUint32
		c := &Client{requests: map[uint32]*request{}, changed: make(chan struct{})}
		l := &link{left: make(chan struct{})}
		enter := func() *request {
			r := &request{call: &call{ctx: t.Context(), requests: map[*request]struct{}{}}, texts: []string{"a"}, index: []int{0}}
			c.enter(r, 0)
			r.link = l
			return r
		}
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
