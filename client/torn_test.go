package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/server"
)

// tearing is a proxy that cuts each connection after a random number of bytes, or
// lets it hang: nothing more comes, and nobody is told.
type tearing struct {
	net.Listener
	cuts atomic.Int32
}

func tear(t *testing.T, target string, least, most int, hang bool) *tearing {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &tearing{Listener: l}
	var open sync.WaitGroup
	open.Go(func() {
		random := rand.New(rand.NewPCG(3, 4))
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			limit := int64(least + random.IntN(most-least))
			both := func() { in.Close(); out.Close() }
			open.Go(func() { defer both(); io.Copy(out, in) })
			open.Go(func() {
				defer both()
				if n, _ := io.CopyN(in, out, limit); n == limit {
					p.cuts.Add(1)
				}
				if hang {
					io.Copy(io.Discard, out)
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); open.Wait() })
	return p
}

// Connections are cut at random bytes, in the middle of frames: every text is
// answered once, and encoded once.
func TestTornConnections(t *testing.T) {
	e, h := start(t, func(o *server.Options) { o.Limits.BatchTokens, o.Limits.CacheBytes = 64, 0 })
	p := tear(t, h.Listener.Addr().String(), 1500, 9000, false)
	var protocol atomic.Int32
	url := "ws://" + p.Addr().String() + "/v1/stream"
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			var c *client.Client
			for c == nil { // the first connection may be cut too
				c, _ = client.Dial(context.Background(), url, client.Options{Lost: func(err error) {
					if _, ok := errors.AsType[*client.ProtocolError](err); ok {
						protocol.Add(1)
						t.Error(err)
					}
				}})
			}
			defer c.Close()
			list := claims(fmt.Sprint(k, " "), 200)
			got := make([]int, len(list))
			err := c.Each(context.Background(), list, client.EncodeOptions{}, func(a client.Answer) {
				got[a.Index]++
				if a.Err != nil {
					t.Errorf("%+v", a)
				}
			})
			if err != nil {
				t.Error(err)
			}
			for i, n := range got {
				if n != 1 {
					t.Errorf("text %d has %d answers", i, n)
				}
			}
		})
	}
	all.Wait()
	if p.cuts.Load() < 10 {
		t.Errorf("%d cuts only", p.cuts.Load())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for text, n := range e.times {
		if n != 1 {
			t.Errorf("%q was encoded %d times", text, n)
		}
	}
	if len(e.times) != 800 {
		t.Errorf("%d texts", len(e.times))
	}
}

// If a connection goes dead without being closed, the client notices and continues on
// another one.
func TestHalfOpen(t *testing.T) {
	e, h := start(t, func(o *server.Options) { o.Limits.CacheBytes = 0 })
	p := tear(t, h.Listener.Addr().String(), 3000, 6000, true)
	c := dial(t, "ws://"+p.Addr().String()+"/v1/stream", client.Options{KeepAlive: 100 * time.Millisecond})
	got := map[int]bool{}
	err := c.Each(context.Background(), claims("", 100), client.EncodeOptions{}, func(a client.Answer) {
		if got[a.Index] || a.Err != nil {
			t.Errorf("%+v, once more", a)
		}
		got[a.Index] = true
	})
	if err != nil || len(got) != 100 || p.cuts.Load() < 2 {
		t.Errorf("%d answers, %d dead connections (%v)", len(got), p.cuts.Load(), err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for text, n := range e.times {
		if n != 1 {
			t.Errorf("%q was encoded %d times", text, n)
		}
	}
}
