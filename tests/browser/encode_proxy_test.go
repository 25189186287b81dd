package browser

import (
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// tearing is a TCP proxy that loses connections.
type tearing struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	life     func() (bytes int64, silent bool) // of the next connection, in both directions; silent: it then stays open without a word
	lost     int
}

// tear starts a tearing proxy in front of a server.
func tear(t testing.TB, to string, life func() (int64, bool)) *tearing {
	t.Helper()
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	p := &tearing{listener: listener, to: to, life: life}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go p.relay(c)
		}
	}()
	return p
}

func (p *tearing) URL() string { return "http://" + p.listener.Addr().String() + "/" }

// Lost counts the connections that the proxy ended or let fall silent.
func (p *tearing) Lost() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

func (p *tearing) relay(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	left, silent := p.life()
	p.mu.Unlock()
	done := make(chan struct{}, 2)
	var mu sync.Mutex
	count := sync.OnceFunc(p.count) // both directions may be cut
	copy := func(to, from net.Conn) {
		buffer := make([]byte, 512)
		for {
			n, err := from.Read(buffer)
			mu.Lock()
			torn := int64(n) > left
			n = int(min(int64(n), left))
			left -= int64(n)
			mu.Unlock()
			to.Write(buffer[:n])
			if torn && silent {
				count()
				io.Copy(io.Discard, from)
				break
			}
			if torn {
				count()
			}
			if torn || err != nil {
				break
			}
		}
		done <- struct{}{}
	}
	go copy(server, client)
	go copy(client, server)
	<-done
}

func (p *tearing) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost++
}

// forever is the life of a connection that no proxy ends.
const forever = int64(1) << 60

// garble starts a proxy that changes random frames of an encode server, on average one in
// `every`.
func garble(t testing.TB, to *encodeServer, every int) (address string) {
	t.Helper()
	plain := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Addr})
	upgrader := websocket.Upgrader{Subprotocols: []string{wire.Protocol}, CheckOrigin: func(*http.Request) bool { return true }}
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(3, 4))
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !websocket.IsWebSocketUpgrade(q) {
			plain.ServeHTTP(w, q)
			return
		}
		server, _, err := (&websocket.Dialer{Subprotocols: []string{wire.Protocol}}).Dial("ws://"+to.Addr+q.URL.Path, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer server.Close()
		client, err := upgrader.Upgrade(w, q, nil)
		if err != nil {
			return
		}
		defer client.Close()
		go func() {
			defer server.Close()
			for {
				kind, message, err := client.ReadMessage()
				if err != nil || server.WriteMessage(kind, message) != nil {
					return
				}
			}
		}()
		for {
			kind, message, err := server.ReadMessage()
			if err != nil {
				return
			}
			mu.Lock()
			if r.IntN(every) == 0 {
				kind, message = mutate(r, kind, message)
			}
			mu.Unlock()
			if client.WriteMessage(kind, message) != nil {
				return
			}
		}
	})).URL("/")
}

// mutate changes a message as a faulty server might: replaced, cut off, extended, or with
// other bytes among its first 40.
func mutate(r *rand.Rand, kind int, message []byte) (int, []byte) {
	switch r.IntN(6) {
	case 0:
		return websocket.TextMessage, []byte("hello")
	case 1:
		return kind, message[:r.IntN(len(message)+1)]
	case 2:
		return kind, append(message, byte(r.Uint32()))
	case 3:
		random := make([]byte, r.IntN(64))
		for i := range random {
			random[i] = byte(r.Uint32())
		}
		return kind, random
	}
	if len(message) == 0 {
		return kind, message
	}
	for range 1 + r.IntN(3) {
		message[r.IntN(min(len(message), 40))] = byte(r.Uint32())
	}
	return kind, message
}
