package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server/servertest"
	"github.com/vantage-search/vantage/internal/server/wire"
)

var real struct {
	sync.Once
	encoder model.Encoder
	err     error
}

// realModel is a small real model.
func realModel(t testing.TB) model.Encoder {
	t.Helper()
	real.Do(func() {
		dir := t.TempDir()
		if real.err = modeltest.Write(dir, 1); real.err == nil {
			real.encoder, real.err = model.Open(context.Background(), dir, model.Options{Threads: 1})
		}
	})
	if real.err != nil {
		t.Fatal(real.err)
	}
	return real.encoder
}

// watched is the real model. It records what it encodes and can be blocked.
type watched struct {
	model.Encoder
	mu    sync.Mutex
	count map[string]int
	calls [][]string
	gate  chan struct{} // blocks calls until closed; nil if open
	begun chan struct{} // receives a value at the start of a call of Encode, if there is room
}

func (w *watched) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	select {
	case w.begun <- struct{}{}:
	default:
	}
	if w.gate != nil {
		select {
		case <-w.gate:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	w.calls = append(w.calls, texts)
	for _, text := range texts {
		w.count[text]++
		if text == "panic" {
			w.mu.Unlock()
			panic(text)
		}
	}
	w.mu.Unlock()
	return w.Encoder.Encode(ctx, texts, o)
}

func (w *watched) EncodeIDs(ctx context.Context, ids [][]uint32) ([]encoder.Embedding, error) {
	w.mu.Lock()
	for _, list := range ids {
		w.count[fmt.Sprint(list)]++
	}
	w.mu.Unlock()
	return w.Encoder.(encoder.IDEncoder).EncodeIDs(ctx, ids)
}

func (w *watched) times(text string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count[text]
}

// call is the number of the call with a text, or -1.
func (w *watched) call(text string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.IndexFunc(w.calls, func(texts []string) bool { return slices.Contains(texts, text) })
}

// running is a server on a real socket.
type running struct {
	*Server
	model *watched
	url   string
	http  *httptest.Server
}

func start(t testing.TB, gate chan struct{}, change func(*Options)) *running {
	t.Helper()
	o := Options{Limits: DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	o.Limits.Rate = 0
	if change != nil {
		change(&o)
	}
	w := &watched{Encoder: realModel(t), count: map[string]int{}, gate: gate, begun: make(chan struct{}, 1)}
	s, err := New(w, o)
	if err != nil {
		t.Fatal(err)
	}
	h := servertest.Serve(t, s)
	return &running{s, w, h.URL, h}
}

// client is one connection.
type client struct {
	t       testing.TB
	ws      *websocket.Conn
	welcome *wire.Welcome
}

func (r *running) dial(t testing.TB, token wire.Token) *client {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol}}
	ws, _, err := d.Dial("ws"+strings.TrimPrefix(r.url, "http")+"/v1/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	c := &client{t: t, ws: ws}
	c.send(&wire.Hello{Token: token})
	c.welcome = c.next().(*wire.Welcome)
	return c
}

func (c *client) send(f wire.Frame) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.BinaryMessage, f.Append(nil)); err != nil {
		c.t.Fatal(err)
	}
}

// read returns the next frame, or the error that ended the connection.
func (c *client) read() (wire.Frame, error) {
	c.ws.SetReadDeadline(time.Now().Add(time.Minute))
	_, b, err := c.ws.ReadMessage()
	if err != nil {
		return nil, err
	}
	return wire.Parse(b)
}

func (c *client) next() wire.Frame {
	c.t.Helper()
	f, err := c.read()
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// collect reads the answer to a request. Faults of single texts go to faults.
func (c *client) collect(id uint32) (vectors map[int]*wire.Vector, faults map[int]*wire.Fault, done *wire.Done) {
	c.t.Helper()
	vectors, faults = map[int]*wire.Vector{}, map[int]*wire.Fault{}
	for {
		switch f := c.next().(type) {
		case *wire.Vector:
			if f.ID == id {
				if vectors[int(f.Index)] != nil {
					c.t.Errorf("text %d of %d was answered twice", f.Index, id)
				}
				vectors[int(f.Index)] = f
			}
		case *wire.Fault:
			if f.ID == id {
				faults[int(f.Index)] = f
				if f.Index == wire.WholeRequest {
					return vectors, faults, nil
				}
			}
		case *wire.Done:
			if f.ID == id {
				return vectors, faults, f
			}
		default:
			c.t.Fatalf("an unexpected %T", f)
		}
	}
}

func texts(list ...string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

// post sends a body to /v1/embeddings.
func (r *running) post(t testing.TB, body string, header ...string) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequest("POST", r.url+"/v1/embeddings", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(b)
}

// poster sends a body with a context.
type poster struct{ url string }

func (r *running) client() poster { return poster{r.url} }

func (p poster) PostContext(ctx context.Context, body string) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, "POST", p.url+"/v1/embeddings", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(q)
}

// held is the number of bytes that the server counts, without its sockets.
func (r *running) held() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.bytes.Load() - int64(len(r.conns)*socketBytes)
}
