package server

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// open opens a connection that has not said HELLO.
func (r *running) open(t *testing.T) (*websocket.Conn, *http.Response) {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol}}
	ws, answer, err := d.Dial("ws"+strings.TrimPrefix(r.url, "http")+"/v1/stream", nil)
	if err != nil && answer == nil {
		t.Fatal(err)
	}
	if ws != nil {
		t.Cleanup(func() { ws.Close() })
	}
	return ws, answer
}

// ended waits for the server to end a connection.
func ended(t *testing.T, ws *websocket.Conn) error {
	t.Helper()
	ws.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				t.Error("the server did not end the connection")
			}
			return err
		}
	}
}

// The server cuts off clients that send nothing, answer no pings or send a frame that
// is too long. It keeps the others.
func TestCutOff(t *testing.T) {
	t.Parallel() // the test mostly waits
	r := start(t, nil, func(o *Options) {
		o.Limits.Write, o.Limits.Ping, o.Limits.MessageBytes = time.Second, 1500*time.Millisecond, 1000
	})
	alive, dead := r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	dead.ws.SetPingHandler(func(string) error { return nil })
	pongs := make(chan error, 1)
	go func() { // reads, and so answers pings
		_, err := alive.read()
		pongs <- err
	}()
	silent, _ := r.open(t)
	ended(t, silent)
	long := r.dial(t, wire.Token{})
	long.ws.WriteMessage(websocket.BinaryMessage, (&wire.Encode{ID: 1, DType: wire.F32, Texts: texts(strings.Repeat("a", 1000))}).Append(nil))
	if err := ended(t, long.ws); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("%v", err)
	}
	ended(t, dead.ws)
	alive.send(&wire.Ping{})
	if err := <-pongs; err != nil {
		t.Errorf("a live client was cut off: %v", err)
	}
	wait.Until(t, "the others are gone", func() bool { r.access.mu.Lock(); defer r.access.mu.Unlock(); return r.access.sockets == 1 })
}

// The total number of connections is limited, and an address's requests on sockets,
// too.
func TestLimitsInAll(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.Sockets, o.Limits.Rate = 2, 1 })
	for i, want := range []int{101, 101, 429} {
		if _, answer := r.open(t); answer.StatusCode != want || (want == 429) != (answer.Header.Get("Retry-After") != "") {
			t.Errorf("socket %d: %d %v", i, answer.StatusCode, answer.Header)
		}
		r.access.mu.Lock()
		clear(r.access.clients) // the rate must not matter here
		r.access.mu.Unlock()
	}
	limited := start(t, nil, func(o *Options) { o.Limits.Rate = 1 })
	c := limited.dial(t, wire.Token{})
	codes := map[wire.Code]int{}
	for id := range uint32(4) {
		c.send(&wire.Encode{ID: id + 1, DType: wire.F32, Texts: texts("night")})
		_, faults, _ := c.collect(id + 1)
		if f := faults[int(uint32(wire.WholeRequest))]; f != nil {
			codes[f.Code]++
			if f.Retry == 0 {
				t.Errorf("%+v", f)
			}
		}
	}
	if codes[wire.CodeRateLimited] == 0 || len(codes) != 1 {
		t.Errorf("%v", codes)
	}
}
