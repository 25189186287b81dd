package server

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

// Connections count by the network of their address. They are counted until the server
// closes them, and closing twice counts once.
func TestConnections(t *testing.T) {
	gone := 0
	a := newConnections(2, 4, 1, func(netip.Addr) bool { return false }, func() { gone++ })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	connect := func(addr string) (*connection, bool) {
		t.Helper()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		one := &connection{TCPConn: c.(*net.TCPConn), all: a, addr: network(netip.MustParseAddr(addr))}
		return one, a.admit(one)
	}
	admit := func(addr string, want bool) *connection {
		t.Helper()
		c, ok := connect(addr)
		if ok != want {
			t.Fatalf("%s: %v", addr, ok)
		}
		return c
	}
	first := admit("2001:db8::1", true)
	second := admit("2001:db8::2:1", true)
	third := admit("2001:db8::ffff", true) // of the same /64, so the first is closed
	if first.open || !second.open || !third.open || gone != 1 {
		t.Error("another connection than the first was closed")
	}
	if connectionOf(tls.Server(second, nil)) != second || connectionOf(second) != second {
		t.Error("a connection is not found under TLS")
	}
	first.Close()
	if !a.begin(second) || !a.begin(third) {
		t.Error("an admitted connection has no room")
	}
	admit("2001:db8::3", false) // both other connections are busy
	fourth, fifth := admit("2001:db8:0:1::1", true), admit("203.0.113.9", true)
	if a.common.taken != 4 || !a.begin(fourth) || !a.begin(fifth) {
		t.Errorf("%d taken", a.common.taken)
	}
	sixth := admit("203.0.113.10", true) // in the reserve
	seventh := admit("203.0.113.11", true)
	if sixth.open || a.begin(seventh) || a.spare.taken != 1 || a.borrow(1) {
		t.Error("a connection in the reserve may send any request")
	}
	admit("203.0.113.12", false) // the connection in the reserve is busy
	for range 2 {
		third.Close()
	}
	if !a.begin(seventh) || a.spare.taken != 0 || a.common.taken != 4 {
		t.Errorf("%d and %d taken", a.common.taken, a.spare.taken)
	}
	for _, c := range []*connection{second, fourth, fifth, seventh} {
		c.Close()
	}
	if !a.borrow(4) || a.borrow(1) || len(a.addresses) != 0 {
		t.Errorf("%d taken, %d addresses", a.common.taken, len(a.addresses))
	}
	a.giveBack(4)
	if a.common.taken != 0 || a.common.waiting.Len() != 0 || a.spare.waiting.Len() != 0 {
		t.Error("not everything was given back")
	}
}

// Memory for the headers of a connection that is closed while they are counted is given back.
func TestHeadersOfClosedConnection(t *testing.T) {
	a := newConnections(2, 4, 1, func(netip.Addr) bool { return false }, func() {})
	addr := network(netip.MustParseAddr("203.0.113.9"))
	var held int64
	during := func() {}
	a.hold = func(_ netip.Addr, bytes int64) bool {
		held += bytes
		during()
		return true
	}
	a.free = func(_ netip.Addr, bytes int64) { held -= bytes }
	forget := func(c *connection) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.forget(c)
	}
	for _, closed := range []bool{false, true} {
		c := &connection{all: a, addr: addr}
		if !a.admit(c) {
			t.Fatal("no room")
		}
		if closed {
			during = func() { forget(c) }
		}
		const bytes = readFree + 1000
		if want := int64(readFactor * 1000); !a.reads(c, bytes) || !closed && held != want {
			t.Errorf("%d bytes are held, want %d", held, want)
		}
		if forget(c); held != 0 {
			t.Errorf("closed meanwhile: %v; %d bytes are held in the end", closed, held)
		}
	}
}

// Headers that are being read take memory, of which one address may have half. A connection without room for its
// headers is closed, and all memory comes back.
func TestHeadersBeingRead(t *testing.T) {
	const room = 8 << 20
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = room })
	front := NewFront(FrontOptions{SocketsPerAddress: 100, Descriptors: 1000, Server: r.Server})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := &http.Server{Handler: r.Server, MaxHeaderBytes: 64 << 10}
	go front.Serve(host, l.(*net.TCPListener))
	t.Cleanup(func() { host.Close() })
	var closed atomic.Int32
	var open []net.Conn
	for range 16 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
		go func() {
			fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
			for i := range 600 { // 60 KB without an end
				fmt.Fprintf(c, "%04x:%s\n", i, strings.Repeat(" ", 94)) // errors once the server has closed it
			}
			io.Copy(io.Discard, c)
			closed.Add(1)
		}()
	}
	wait.Until(t, "connections without room are closed", func() bool { return closed.Load() >= 10 })
	if n := r.held(); n < room/4 || n > room/2 || closed.Load() == 16 {
		t.Errorf("%d bytes are counted, %d of 16 connections are closed", n, closed.Load())
	}
	answer, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 {
		t.Errorf("a short request: %d", answer.StatusCode)
	}
	for _, c := range open {
		c.Close()
	}
	wait.Until(t, "the memory comes back", func() bool { return r.held() == 0 })
	request, err := http.NewRequest("GET", "http://"+l.Addr().String()+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Long", strings.Repeat("x", 60<<10))
	if answer, err = http.DefaultClient.Do(request); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	wait.Until(t, "the memory of a request comes back", func() bool { return r.held() == 0 })
	if answer.StatusCode != 200 {
		t.Errorf("a long request: %d", answer.StatusCode)
	}
}
