package server

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// A client that does not read is cut off.
func TestSlowReader(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.Write, o.Limits.PendingBytes = 100*time.Millisecond, 1<<20 })
	c := r.dial(t, wire.Token{})
	go func() { // may block, because the kernel may report late that the server has closed
		for id := range uint32(10_000) {
			request := (&wire.Encode{ID: id, DType: wire.F32, Texts: make([][]byte, 2000)}).Append(nil)
			if c.ws.WriteMessage(websocket.BinaryMessage, request) != nil {
				return
			}
		}
	}()
	wait.Until(t, "the connection is gone", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.conns) == 0
	})
	c.ws.NetConn().Close()
}

// A silent client is cut off. A client that answers pings is not.
func TestHalfOpen(t *testing.T) {
	t.Parallel()
	r := start(t, nil, func(o *Options) { o.Limits.Ping = 2 * time.Second }) // a busy machine answers within two of these
	alive := r.dial(t, wire.Token{})
	pings := 0
	alive.ws.SetPingHandler(func(data string) error {
		pings++
		return alive.ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	})
	ended := make(chan wire.Frame, 1)
	go func() {
		f, _ := alive.read()
		ended <- f
	}()
	r.dial(t, wire.Token{}) // reads nothing, and answers no ping
	open := func() int { r.mu.Lock(); defer r.mu.Unlock(); return len(r.conns) }
	wait.Until(t, "one is cut off", func() bool { return open() == 1 })
	alive.send(&wire.Ping{})
	if f, ok := (<-ended).(*wire.Pong); !ok || pings == 0 || open() != 1 {
		t.Errorf("the other has %+v after %d pings", f, pings)
	}
}

// Clients that connect at the same time are not pinged at the same time.
func TestPingsAreSpread(t *testing.T) {
	const ping = 2 * time.Second
	r := start(t, nil, func(o *Options) { o.Limits.Ping = ping })
	ended := make(chan time.Duration, 100)
	const sockets = 20
	for range sockets {
		c, opened := r.dial(t, wire.Token{}), time.Now()
		pinged := time.Hour // if it is cut off before
		c.ws.SetPingHandler(func(string) error {
			pinged = time.Since(opened)
			c.ws.Close()
			return nil
		})
		go func() {
			c.read()
			ended <- pinged
		}()
	}
	first := time.Hour
	for range sockets {
		first = min(first, <-ended)
	}
	if first > 3*ping/4 { // by chance with a probability of 4^-20
		t.Errorf("the first of %d is pinged after %v, of %v", sockets, first, ping)
	}
}

// Connections leave no goroutine, descriptor or memory, in whatever way they end.
func TestLeaks(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.Resume = 10 * time.Millisecond })
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("descriptors are counted on Linux only")
		}
		return len(entries)
	}
	memory := func() int {
		runtime.GC() // pools are emptied by the second run
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	use := func(n int) {
		t.Run(fmt.Sprint(n), func(t *testing.T) { // its end frees the clients' memory
			for i := range n {
				c := r.dial(t, wire.Token{})
				c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts(fmt.Sprint("text ", i%10))})
				switch i % 4 {
				case 0:
					c.collect(1)
					c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
				case 1:
					c.ws.WriteMessage(websocket.BinaryMessage, []byte("torn"))
					c.read()
				case 2:
					c.send(&wire.Cancel{ID: 1})
				}
				c.ws.NetConn().Close()
			}
		})
	}
	use(20)
	wait.Until(t, "idle", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.conns) == 0 })
	goroutines, open, heap := runtime.NumGoroutine(), descriptors(), memory()
	use(200)
	wait.Until(t, "as many goroutines and descriptors as before", func() bool { return runtime.NumGoroutine() <= goroutines+2 && descriptors() <= open+2 })
	wait.Until(t, "no session is left", func() bool {
		r.sessions.mu.Lock()
		defer r.sessions.mu.Unlock()
		return len(r.sessions.byToken) == 0 && r.held() == 0
	})
	if more := memory() - heap; more > 200*1024 {
		t.Errorf("200 connections have left %d bytes", more)
	}
}
