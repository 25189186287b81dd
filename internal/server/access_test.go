package server

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

func TestAccess(t *testing.T) {
	r := start(t, nil, func(o *Options) {
		o.Keys, o.Origins, o.Limits.SocketsPerAddress = []string{"käy"}, []string{"https://friend.example"}, 2
	})
	dial := func(key, origin string) (*websocket.Conn, int) {
		d := websocket.Dialer{Subprotocols: []string{wire.Protocol}}
		if key != "" {
			d.Subprotocols = append(d.Subprotocols, wire.KeyProtocol+base64.RawURLEncoding.EncodeToString([]byte(key)))
		}
		h := http.Header{}
		if origin != "" {
			h.Set("Origin", origin)
		}
		ws, answer, err := d.Dial("ws"+strings.TrimPrefix(r.url, "http")+"/v1/stream", h)
		if err != nil {
			return nil, answer.StatusCode
		}
		if ws.Subprotocol() != wire.Protocol {
			t.Errorf("subprotocol %q", ws.Subprotocol())
		}
		return ws, 101
	}
	for _, try := range []struct {
		key, origin string
		status      int
	}{
		{"", "", 401}, {"kay", "", 401}, {"käy", "https://foe.example", 403}, {"käy", "null", 403},
		{"käy", "", 101}, {"käy", r.url, 101}, {"käy", "https://friend.example", 101},
	} {
		ws, status := dial(try.key, try.origin)
		if status != try.status {
			t.Errorf("key %q, origin %q: %d", try.key, try.origin, status)
		}
		if ws != nil {
			ws.Close()
			wait.Until(t, "the connection is gone", func() bool { r.access.mu.Lock(); defer r.access.mu.Unlock(); return r.access.sockets == 0 })
		}
	}
	// The scheme's case does not matter, and several spaces may follow it (RFC 9110).
	for given, want := range map[string]int{"Bearer käy": 200, "bearer käy": 200, "BEARER   käy": 200, "bEARER kay": 401, "Bearerkäy": 401, "Bearer": 401, "Basic käy": 401, "käy": 401} {
		q, _ := http.NewRequest("GET", r.url+"/v1/models", nil)
		q.Header.Set("Authorization", given)
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("Authorization: %s: %d", given, answer.StatusCode)
		}
	}
	for i, want := range []int{101, 101, 429} {
		if ws, status := dial("käy", ""); status != want {
			t.Errorf("socket %d: %d", i, status)
		} else if ws != nil {
			defer ws.Close()
		}
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 401, "/v1/models": 401, "/v1/x": 404, "/v1/embeddings": 405} {
		answer, err := http.Get(r.url + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

func TestRate(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.Rate = 1 })
	statuses := map[int]int{}
	for range 5 {
		answer, _ := r.post(t, `{"input": "night"}`)
		statuses[answer.StatusCode]++
		if answer.StatusCode == 429 && answer.Header.Get("Retry-After") != "1" {
			t.Errorf("%v", answer.Header)
		}
	}
	if statuses[200] < 1 || statuses[429] < 1 {
		t.Errorf("%v", statuses)
	}
}

// Limits count for the address of the peer, or for the address that a trusted proxy
// gives.
func TestAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, try := range []struct {
		proxies   []netip.Prefix
		forwarded []string
		want      string
	}{
		{nil, []string{"203.0.113.9"}, "127.0.0.1"},
		{trusted, nil, "127.0.0.1"},
		{trusted, []string{"203.0.113.9"}, "203.0.113.9"},
		{trusted, []string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9"}, // the client wrote the first
		{trusted, []string{"198.51.100.1", "203.0.113.9, 10.1.2.3,fd00::1"}, "203.0.113.9"},
		{trusted, []string{"10.1.2.3"}, "10.1.2.3"},
		{trusted, []string{"203.0.113.9:1234, 10.1.2.3:80"}, "203.0.113.9"},
		{trusted, []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{trusted, []string{"2001:db8:1:2:3::4"}, "2001:db8:1:2::"},
		{trusted, []string{"[2001:db8:1:2:3::4]:5"}, "2001:db8:1:2::"},
		{trusted, []string{"198.51.100.1, unknown"}, "127.0.0.1"},
		{trusted, []string{""}, "127.0.0.1"},
		{trusted, []string{"203.0.113.9", ""}, "127.0.0.1"},
		{trusted, []string{"203.0.113.9,,10.1.2.3"}, "10.1.2.3"},
		{trusted, []string{"203.0.113.9,"}, "127.0.0.1"},
		{trusted, []string{strings.Repeat("10.1.2.4,", 5000) + "10.1.2.3"}, "10.1.2.4"},
	} {
		a := newAccess(&Options{Proxies: try.proxies})
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = "127.0.0.1:999", try.forwarded
		if got := a.address(r).String(); got != try.want {
			t.Errorf("%v: %s, want %s", try.forwarded, got, try.want)
		}
	}
	a := newAccess(&Options{})
	long := httptest.NewRequest("GET", "/", nil)
	long.Header.Set("X-Forwarded-For", strings.Repeat(",", 60_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		a.address(long)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes for a header that does not count", n)
	}
	r := start(t, nil, func(o *Options) { o.Proxies, o.Limits.Rate = trusted, 0.001 })
	for i, client := range []string{"203.0.113.9", "203.0.113.10", "203.0.113.9"} {
		if answer, _ := r.post(t, `{"input": "night"}`, "X-Forwarded-For", client); answer.StatusCode != []int{200, 200, 429}[i] {
			t.Errorf("%s: %d", client, answer.StatusCode)
		}
	}
}

// An address is forgotten once it may send as many requests as a new one, so that a rate far
// below one request a minute is kept.
func TestLowRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Limits: DefaultLimits()}
		o.Limits.Rate = 0.005 // one in 200 seconds
		a := newAccess(&o)
		one, other := netip.MustParseAddr("203.0.113.9"), netip.MustParseAddr("203.0.113.10")
		if _, ok := a.admit(one); !ok {
			t.Fatal("the first request is refused")
		}
		for range 2 {
			time.Sleep(90 * time.Second)
			a.connect(other) // tidies up
			a.disconnect(other)
			if _, ok := a.admit(one); ok {
				t.Error("a second request is let in early")
			}
		}
		time.Sleep(90 * time.Second)
		a.connect(other)
		if a.clients[one] != nil {
			t.Error("the address is still known")
		}
		if _, ok := a.admit(one); !ok {
			t.Error("a later request is refused")
		}
	})
}

// Idle addresses are forgotten, even if many come at once. An address that holds memory is
// kept.
func TestVisitorsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccess(&Options{Limits: DefaultLimits()})
		addr := func(i int) netip.Addr {
			return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		}
		if !a.hold(addr(0), 1000) {
			t.Fatal("there is no room")
		}
		for i := range 20 * leastTidy {
			a.admit(addr(1 + i))
			if i%1000 == 0 {
				time.Sleep(time.Second)
			}
		}
		if n := len(a.clients); n > 2*leastTidy {
			t.Errorf("%d addresses are known", n)
		}
		if a.clients[addr(0)] == nil || a.clients[addr(0)].held != 1000 {
			t.Error("an address that holds memory was forgotten")
		}
	})
}
