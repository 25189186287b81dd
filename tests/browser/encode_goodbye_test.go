package browser

import (
	"context"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// parting is a proxy in front of an encode server. It sends GOODBYE instead of WELCOME
// to some connections.
type parting struct {
	URL     string
	mu      sync.Mutex
	next    int             // connections that get GOODBYE
	retry   time.Duration   // that GOODBYE asks for
	said    time.Time       // of the last GOODBYE
	early   []time.Duration // pauses that were too short before a new connection
	closed  []int           // close codes of connections that got GOODBYE
	unasked int             // how many of them sent no HELLO
	tear    func()          // ends the connection that passed last
}

func part(t testing.TB, to *encodeServer, retry time.Duration) *parting {
	t.Helper()
	p := &parting{retry: retry}
	plain := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Addr})
	upgrader := websocket.Upgrader{Subprotocols: []string{wire.Protocol}, CheckOrigin: func(*http.Request) bool { return true }}
	p.URL = serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !websocket.IsWebSocketUpgrade(q) {
			plain.ServeHTTP(w, q)
			return
		}
		p.mu.Lock()
		if after := time.Since(p.said); after < retry-10*time.Millisecond { // timers round
			p.early = append(p.early, after)
		}
		leaves := p.next > 0
		if leaves {
			p.next--
		} else {
			ctx, tear := context.WithCancel(q.Context())
			q, p.tear = q.WithContext(ctx), tear
		}
		p.mu.Unlock()
		if !leaves {
			plain.ServeHTTP(w, q)
			return
		}
		ws, err := upgrader.Upgrade(w, q, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		p.leave(ws)
	})).URL("/")
	return p
}

// leave sends GOODBYE after HELLO and waits until the client has closed.
func (p *parting) leave(ws *websocket.Conn) {
	_, message, err := ws.ReadMessage()
	frame, _ := wire.Parse(message)
	p.mu.Lock()
	if _, ok := frame.(*wire.Hello); !ok || err != nil {
		p.unasked++
	}
	p.said = time.Now()
	p.mu.Unlock()
	ws.WriteMessage(websocket.BinaryMessage, (&wire.Goodbye{Retry: uint32(p.retry.Milliseconds())}).Append(nil))
	_, _, err = ws.ReadMessage()
	code := 0
	if closed, ok := err.(*websocket.CloseError); ok {
		code = closed.Code
	}
	p.mu.Lock()
	p.closed = append(p.closed, code)
	p.mu.Unlock()
}

// say makes the next n connections get GOODBYE.
func (p *parting) say(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = n
}

// cut ends the current connection.
func (p *parting) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tear()
}

// A stopping server sends GOODBYE even before WELCOME. The client pauses for as long
// as the server asks, calls under way continue afterwards, and only calls that do not
// wait for a server fail.
func TestServerEncoderHearsGoodbyeBeforeWelcome(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "3s")
	p := part(t, s, 400*time.Millisecond)
	p.say(2)
	const away = "UnavailableError: the encode server is about to stop"
	first := call[[]string](t, page, `async (url) => {
		const { ServerEncoder } = await import('/lib/server.js');
		globalThis.told = (error) => error.name + ': ' + error.message;
		globalThis.encoder = new ServerEncoder(url);
		globalThis.states = [];
		encoder.addEventListener('state', () => states.push(encoder.state));
		const early = encoder.encode(['early']);
		const ready = await encoder.ready.catch(told);
		await early;
		return [ready, ...states];
	}`, p.URL)
	if want := []string{away, "down", "open"}; !slices.Equal(first, want) {
		t.Errorf("%q, want %q", first, want)
	}
	call[any](t, page, `() => {
		globalThis.kept = encoder.encode(['kept']);
		globalThis.hasty = encoder.ask(['hasty'], 'query', { hasty: true }).catch(told);
	}`)
	s.Until("queue_tokens", func(n int) bool { return n > 0 })
	p.say(1)
	p.cut()
	later := call[[]string](t, page, `async () => {
		const out = [await hasty];
		const [vector] = await kept;
		out.push(vector.length === encoder.dim ? 'kept' : 'short', ...states.slice(2));
		encoder.close();
		return out;
	}`)
	if want := []string{away, "kept", "connecting", "down", "open"}; !slices.Equal(later, want) {
		t.Errorf("%q, want %q", later, want)
	}
	if n := s.Metric("texts_total"); n != 2 {
		t.Errorf("%d texts were encoded, two were waited for", n)
	}
	s.Until("sockets", func(n int) bool { return n == 0 })
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := []int{websocket.CloseNormalClosure, websocket.CloseNormalClosure, websocket.CloseNormalClosure}; !slices.Equal(p.closed, want) || len(p.early) > 0 || p.unasked > 0 {
		t.Errorf("closed with %d, connected again after %v, %d times without HELLO", p.closed, p.early, p.unasked)
	}
}
