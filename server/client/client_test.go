package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/model"
	"github.com/vantage-search/vantage/model/modeltest"
	"github.com/vantage-search/vantage/server"
	"github.com/vantage-search/vantage/server/client"
	"github.com/vantage-search/vantage/server/wire"
)

// counted is a small real model that counts what it encodes.
type counted struct {
	model.Encoder
	mu    sync.Mutex
	times map[string]int
}

func (e *counted) Encode(ctx context.Context, texts []string, o model.EncodeOptions) ([]model.Embedding, error) {
	e.mu.Lock()
	for _, text := range texts {
		e.times[text]++
	}
	e.mu.Unlock()
	return e.Encoder.Encode(ctx, texts, o)
}

// start runs a server on a real socket, whose address it returns.
func start(t testing.TB, change func(*server.Options)) (*counted, *httptest.Server) {
	t.Helper()
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), dir, model.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := server.Options{Limits: server.DefaultLimits(), Log: slog.New(slog.DiscardHandler)}
	o.Limits.Rate, o.Limits.SocketsPerAddress = 0, o.Limits.Sockets
	if change != nil {
		change(&o)
	}
	e := &counted{Encoder: encoder, times: map[string]int{}}
	s, err := server.New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Close(ctx)
		h.Close()
		encoder.Close()
	})
	return e, h
}

func stream(h *httptest.Server) string {
	return "ws" + strings.TrimPrefix(h.URL, "http") + "/v1/stream"
}

func dial(t testing.TB, url string, o client.Options) *client.Client {
	t.Helper()
	c, err := client.Dial(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func claims(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("claim ", prefix, i, " that night trains help")
	}
	return list
}

// Vectors are the model's, of calls that share a connection and of one that is
// larger than all limits; what is wrong with a text is its own error.
func TestEncode(t *testing.T) {
	e, h := start(t, func(o *server.Options) {
		o.Limits.Texts, o.Limits.PendingBytes, o.Limits.MessageBytes, o.Limits.TextBytes, o.Keys = 7, 4000, 700, 600, []string{"käy"}
	})
	if _, err := client.Dial(context.Background(), stream(h), client.Options{Key: "kay"}); !isStatus(err, 401) {
		t.Errorf("without the key: %v", err)
	}
	c := dial(t, stream(h), client.Options{Key: "käy"})
	if f := c.Facts(); f.Model.Dim != 32 || f.Limits.Texts != 7 || f.Model.Prompts["query"] != "find: " {
		t.Errorf("%+v", f)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			list := append(claims(fmt.Sprint(k, " "), 50), "", "\xff", strings.Repeat("a", 601), strings.Repeat("night ", 90))
			want, err := e.Encoder.Encode(context.Background(), list, model.EncodeOptions{Role: model.Query})
			if err != nil {
				t.Error(err)
				return
			}
			got, err := c.Encode(context.Background(), list, client.EncodeOptions{Role: wire.Query})
			if err != nil {
				t.Error(err)
				return
			}
			for i, a := range got {
				var fault *client.Fault
				switch {
				case i == 51 || i == 52:
					if !errors.As(a.Err, &fault) || i == 51 && fault.Code != wire.CodeInvalidText || i == 52 && fault.Code != wire.CodeTooLarge {
						t.Errorf("text %d: %v", i, a.Err)
					}
				case a.Err != nil || fmt.Sprint(a.Vector) != fmt.Sprint(want[i].Vector) || a.Tokens != want[i].Tokens || a.Truncated != (i == 53):
					t.Errorf("text %d: %+v", i, a)
				}
			}
		})
	}
	all.Wait()
	short, err := c.Encode(context.Background(), []string{"night"}, client.EncodeOptions{DType: wire.Int8, Dimensions: 5})
	if err != nil || len(short[0].Vector) != 5 {
		t.Errorf("%v (%v)", short, err)
	}
	if _, err := c.Encode(context.Background(), []string{"night"}, client.EncodeOptions{Dimensions: 33}); err == nil {
		t.Error("33 of 32 dimensions")
	}
	c.Close()
	if _, err := c.Encode(context.Background(), []string{"night"}, client.EncodeOptions{}); !errors.Is(err, client.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func isStatus(err error, status int) bool {
	e, ok := errors.AsType[*client.StatusError](err)
	return ok && e.Status == status
}

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
			var err error
			for c == nil { // the first connection may be cut too
				c, err = client.Dial(context.Background(), url, client.Options{Lost: func(err error) {
					if _, ok := errors.AsType[*client.ProtocolError](err); ok {
						protocol.Add(1)
						t.Error(err)
					}
				}})
			}
			defer c.Close()
			list := claims(fmt.Sprint(k, " "), 200)
			got := make([]int, len(list))
			err = c.Each(context.Background(), list, client.EncodeOptions{}, func(a client.Answer) {
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

// Connections go dead without an end: the client notices, and goes on by another.
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

// Calls are cancelled at random, and clients closed: the others have all their
// answers, and no goroutine, descriptor or byte is left of any.
func TestCancels(t *testing.T) {
	_, h := start(t, func(o *server.Options) { o.Limits.Resume = 10 * time.Millisecond })
	use := func(clients int) {
		var all sync.WaitGroup
		for k := range clients {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(k), 1))
				c := dial(t, stream(h), client.Options{})
				defer c.Close()
				var calls sync.WaitGroup
				for i := range 20 {
					ctx, cancel := context.WithCancel(context.Background())
					if random.IntN(2) == 0 {
						time.AfterFunc(time.Duration(random.IntN(3000))*time.Microsecond, cancel)
					}
					calls.Go(func() {
						defer cancel()
						answers, err := c.Encode(ctx, claims(fmt.Sprint(k, " ", i, " "), 20), client.EncodeOptions{DType: wire.F16})
						if err != nil && ctx.Err() == nil {
							t.Error(err)
						}
						for _, a := range answers {
							if err == nil && (a.Err != nil || len(a.Vector) != 32) {
								t.Errorf("%+v", a)
							}
						}
					})
				}
				calls.Wait()
			})
		}
		all.Wait()
	}
	left := func() (goroutines, descriptors int, idle bool) {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("descriptors are counted on Linux only")
		}
		body := metrics(t, h)
		http.DefaultClient.CloseIdleConnections()
		idle = strings.Contains(body, "vantage_sockets 0\n") && strings.Contains(body, "vantage_session_bytes 0\n") && strings.Contains(body, "vantage_queue_tokens 0\n")
		return runtime.NumGoroutine(), len(entries), idle
	}
	use(2)
	eventually(t, "idle", func() bool { _, _, idle := left(); return idle })
	goroutines, descriptors, _ := left()
	use(30)
	eventually(t, "as before", func() bool {
		g, d, idle := left()
		return idle && g <= goroutines+2 && d <= descriptors+2
	})
}

func metrics(t testing.TB, h *httptest.Server) string {
	t.Helper()
	r, err := http.Get(h.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("%s: not within a minute", what)
}

// A server that has no room is asked again, until it has.
func TestOverloaded(t *testing.T) {
	e, h := start(t, func(o *server.Options) { o.Limits.QueueTokens, o.Limits.BatchTokens = 300, 50 })
	c := dial(t, stream(h), client.Options{})
	var all sync.WaitGroup
	for k := range 20 {
		all.Go(func() {
			if answers, err := c.Encode(context.Background(), claims(fmt.Sprint(k, " "), 10), client.EncodeOptions{}); err != nil || answers[9].Vector == nil {
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	if !strings.Contains(metrics(t, h), `status="overloaded"`) || len(e.times) != 200 {
		t.Errorf("%d texts, and never too many", len(e.times))
	}
}

// Whatever a server sends, the client neither fails nor waits for ever.
func FuzzClient(f *testing.F) {
	welcome := (&wire.Welcome{Facts: []byte(`{"model":{"dim":2},"limits":{"texts":2,"pending_bytes":1000,"text_bytes":10,"message_bytes":1000}}`)}).Append(nil)
	for _, frame := range []wire.Frame{wire.NewVector(1, 0, []float32{1, 2}, wire.F32), &wire.Done{ID: 1, Vectors: 1}, &wire.Fault{ID: 1, Index: wire.WholeRequest, Code: wire.CodeOverloaded, Retry: 1},
		&wire.Fault{ID: 1, Code: wire.CodeInternal}, &wire.Goodbye{Retry: 1}, &wire.Pong{}, &wire.Fault{Code: wire.CodeProtocol}, &wire.Fault{ID: 1, Index: wire.WholeRequest, Code: wire.CodeUnknownRequest}} {
		f.Add(frame.Append(nil), wire.NewVector(1, 1, []float32{1, 2}, wire.F32).Append(nil), false)
	}
	f.Add(welcome, welcome, true)
	upgrader := websocket.Upgrader{Subprotocols: []string{wire.Protocol}}
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

// BenchmarkStream is what a text costs beside the model: 50 sockets, each with one
// text at a time, of a model that takes no time.
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

func (instant) Encode(_ context.Context, texts []string, _ model.EncodeOptions) ([]model.Embedding, error) {
	list := make([]model.Embedding, len(texts))
	for i := range list {
		list[i] = model.Embedding{Vector: make([]float32, 32), Tokens: 7}
	}
	return list, nil
}
