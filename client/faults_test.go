package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/server/wire"
)

const facts = `{"model":{"id":"m","dim":2},"limits":{"texts":2,"pending_bytes":1000,"text_bytes":10,"message_bytes":1000}}`

var upgrader = websocket.Upgrader{Subprotocols: []string{wire.Protocol}}

// A client returns to a server that is busy. It gives up if it is refused or if the
// server has another model.
func TestRefused(t *testing.T) {
	for name, last := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		is     func(error) bool
	}{
		"key":   {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, func(err error) bool { return isStatus(err, 401) }},
		"model": {greet(t, `{"model":{"id":"other","dim":2},"limits":{"texts":2}}`), func(err error) bool { return err != nil && strings.Contains(err.Error(), "other") }},
	} {
		connections := 0
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch connections++; connections {
			case 1:
				greet(t, facts)(w, r)
			case 2:
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				last.answer(w, r)
			}
		}))
		lost := make(chan error, 10)
		c := dial(t, stream(h), client.Options{Lost: func(err error) { lost <- err }})
		for range 2 {
			if _, err := c.Encode(context.Background(), []string{"a"}, client.EncodeOptions{}); !last.is(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		<-lost // the first connection
		if busy, end := <-lost, <-lost; !isStatus(busy, 503) || !last.is(end) || connections != 3 {
			t.Errorf("%s: %v, %v, %d connections", name, busy, end, connections)
		}
		h.Close()
	}
}

// greet welcomes a client and disconnects.
func greet(t *testing.T, facts string) func(w http.ResponseWriter, r *http.Request) {
	return greetAnd(t, facts, func(*websocket.Conn) {})
}

// greetAnd welcomes a client, goes on with its connection, and disconnects.
func greetAnd(t *testing.T, facts string, goOn func(ws *websocket.Conn)) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		ws.WriteMessage(websocket.BinaryMessage, (&wire.Welcome{Facts: []byte(facts)}).Append(nil))
		goOn(ws)
	}
}

// A server that knows no request is not asked again and again at once.
func TestUnknownRequests(t *testing.T) {
	var requests atomic.Int32
	h := httptest.NewServer(http.HandlerFunc(greetAnd(t, facts, func(ws *websocket.Conn) {
		for {
			_, b, err := ws.ReadMessage()
			if err != nil {
				return
			}
			if f, err := wire.Parse(b); err == nil {
				if e, ok := f.(*wire.Encode); ok {
					requests.Add(1)
					ws.WriteMessage(websocket.BinaryMessage, (&wire.Fault{ID: e.ID, Index: wire.WholeRequest, Code: wire.CodeUnknownRequest}).Append(nil))
				}
			}
		}
	})))
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	c, err := client.Dial(ctx, stream(h), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Encode(ctx, []string{"a"}, client.EncodeOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if n := requests.Load(); n < 1 || n > 2 {
		t.Errorf("%d requests", n)
	}
}

// A server that breaks the protocol on each connection is dialled again after longer and longer pauses.
func TestViolations(t *testing.T) {
	var connections atomic.Int32
	h := httptest.NewServer(http.HandlerFunc(greetAnd(t, facts, func(ws *websocket.Conn) {
		connections.Add(1)
		for {
			_, b, err := ws.ReadMessage()
			if err != nil {
				return
			}
			if f, err := wire.Parse(b); err == nil {
				if e, ok := f.(*wire.Encode); ok {
					ws.WriteMessage(websocket.BinaryMessage, wire.NewVector(e.ID, 0, []float32{1, 2, 3}, wire.F32).Append(nil))
				}
			}
		}
	})))
	defer h.Close()
	c := dial(t, stream(h), client.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	if _, err := c.Encode(ctx, []string{"a"}, client.EncodeOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if n := connections.Load(); n < 2 || n > 12 { // 5 on average; without longer pauses, 25
		t.Errorf("%d connections", n)
	}
}

// Whatever a server sends, the client neither panics nor waits forever.
func FuzzClient(f *testing.F) {
	welcome := (&wire.Welcome{Facts: []byte(facts)}).Append(nil)
	for _, frame := range []wire.Frame{wire.NewVector(1, 0, []float32{1, 2}, wire.F32), &wire.Done{ID: 1, Vectors: 1}, &wire.Fault{ID: 1, Index: wire.WholeRequest, Code: wire.CodeOverloaded, Retry: 1},
		&wire.Fault{ID: 1, Code: wire.CodeInternal}, &wire.Goodbye{Retry: 1}, &wire.Pong{}, &wire.Fault{Code: wire.CodeProtocol}, &wire.Fault{ID: 1, Index: wire.WholeRequest, Code: wire.CodeUnknownRequest}} {
		f.Add(frame.Append(nil), wire.NewVector(1, 1, []float32{1, 2}, wire.F32).Append(nil), false)
	}
	f.Add(welcome, welcome, true)
	f.Fuzz(func(t *testing.T, first, second []byte, bare bool) {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ws, err := upgrader.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer ws.Close()
			if !bare {
				ws.WriteMessage(websocket.BinaryMessage, welcome)
			}
			for _, b := range [][]byte{first, second} {
				ws.ReadMessage()
				ws.WriteMessage(websocket.BinaryMessage, b)
			}
		}))
		defer h.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		c, err := client.Dial(ctx, stream(h), client.Options{})
		if err != nil {
			return
		}
		defer c.Close()
		answers, err := c.Encode(ctx, []string{"a", "b"}, client.EncodeOptions{})
		for _, a := range answers {
			if err == nil && a.Err == nil && len(a.Vector) != c.Facts().Model.Dim {
				t.Errorf("%+v", a)
			}
		}
	})
}

// BenchmarkStream measures what a text costs in addition to the model's work: each of 50
// sockets sends one text at a time to a model that takes no time.
func BenchmarkStream(b *testing.B) {
	e, h := start(b, func(o *server.Options) { o.Limits.CacheBytes = 0 })
	e.Encoder = instant{e.Encoder}
	sockets := make(chan *client.Client, 50)
	for range cap(sockets) {
		sockets <- dial(b, stream(h), client.Options{})
	}
	b.SetParallelism(cap(sockets) / runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		c := <-sockets
		for pb.Next() {
			if _, err := c.Encode(context.Background(), []string{"claim that night trains help"}, client.EncodeOptions{}); err != nil {
				b.Error(err)
			}
		}
		sockets <- c
	})
}

// instant is a model that gives the same vector to all texts.
type instant struct{ model.Encoder }

func (instant) Encode(_ context.Context, texts []string, _ encoder.Options) ([]encoder.Embedding, error) {
	list := make([]encoder.Embedding, len(texts))
	for i := range list {
		list[i] = encoder.Embedding{Vector: make([]float32, 32), Tokens: 7}
	}
	return list, nil
}
