package command

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// flood opens n connections to a server from an address, and sends the same text over
// each.
func flood(t *testing.T, s *server, from string, n int, sent string) (all []net.Conn) {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: time.Minute}
	for range n {
		c, err := d.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.(*net.TCPConn).SetReadBuffer(4096) // so that it buffers little of an answer
		io.WriteString(c, sent)
		all = append(all, c)
	}
	return all
}

// open counts the connections that the server has not closed.
func open(all []net.Conn) (n int) {
	for _, c := range all {
		c.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			n++
		}
	}
	return n
}

// visit sends a request over its own connection from an address, with a short
// timeout, like a probe.
func visit(s *server, from, path string) (status int, header http.Header, err error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	web := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}}
	r, err := web.Get(s.url + path)
	if err != nil {
		return 0, nil, err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return r.StatusCode, r.Header, err
}

// A server with few descriptors keeps working, whatever clients do with their
// connections.
func TestServeDescriptors(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	const descriptors, common, spare = 160, 160 - 64, 16
	s := serveWithin(t, descriptors, dir, "site", "--model", "static", "--log", "off", "--sockets", "1000", "--sockets-per-address", "1000")
	for what, sent := range map[string]string{"say nothing": "", "never end their first line": "GET / HT", "never end their headers": "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "} {
		all := flood(t, s, "127.0.0.1", 2*descriptors, sent)
		for _, path := range []string{"readyz", "index.html", "collection/manifest.json", "v1/models"} {
			if status, _, err := visit(s, "127.0.0.1", path); status != 200 {
				t.Errorf("/%s beside clients that %s: %d %v", path, what, status, err)
			}
		}
		for _, c := range all {
			c.Close()
		}
	}
	// Sockets are not closed to make room. When they have taken all descriptors that they may,
	// /readyz still answers, even while silent connections arrive.
	wait.Until(t, "the others are gone", func() bool { return len(descriptorsOf(t, s)) < 40 })
	var sockets []*websocket.Conn
	defer func() {
		for _, ws := range sockets {
			ws.Close()
		}
	}()
	stream := "ws" + strings.TrimPrefix(s.url, "http") + "v1/stream"
	dialer := &websocket.Dialer{Subprotocols: []string{wire.Protocol}, HandshakeTimeout: 5 * time.Second}
	for full := false; !full; {
		ws, answer, err := dialer.Dial(stream, nil)
		switch {
		case err == nil:
			sockets = append(sockets, ws)
			ws.WriteMessage(websocket.BinaryMessage, (&wire.Hello{}).Append(nil))
			frame(t, ws)
		case answer == nil || answer.StatusCode != 503:
			t.Fatalf("after %d sockets: %v", len(sockets), err)
		default:
			full = true
		}
	}
	if len(sockets) > common || len(sockets) < common-5 {
		t.Errorf("%d sockets of at most %d", len(sockets), common)
	}
	silent := flood(t, s, "127.0.0.1", 5*spare, "")
	for range 3 {
		if status, header, err := visit(s, "127.0.0.1", "readyz"); status != 200 || err != nil {
			t.Errorf("/readyz beside sockets: %d %v %v", status, header, err)
		}
	}
	for _, path := range []string{"", "v1/models"} {
		if status, header, err := visit(s, "127.0.0.1", path); status != 503 || header.Get("Retry-After") != "1" {
			t.Errorf("/%s beside sockets: %d %v %v", path, status, header, err)
		}
	}
	if n := len(descriptorsOf(t, s)); n > descriptors {
		t.Errorf("%d descriptors of %d", n, descriptors)
	}
	for _, c := range silent {
		c.Close()
	}
	for _, ws := range sockets {
		ws.Close()
	}
	wait.Until(t, "files are served again", func() bool { status, _, _ := visit(s, "127.0.0.1", ""); return status == 200 })
	s.stop(t, os.Interrupt)
	if text := s.stderr.String(); strings.Count(text, "ulimit -n") != 1 {
		t.Errorf("the lack of descriptors is reported once: %s", text)
	}
	s.stderr.Reset()
	if out, err := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n 100 && exec %q serve %q --listen 127.0.0.1:0`, vantage, dir+"/site")).CombinedOutput(); err == nil || !strings.Contains(string(out), "ulimit -n") {
		t.Errorf("with 100 descriptors: %v %s", err, out)
	}
}

// descriptorsOf returns the open files of a server; none if the system does not list
// them.
func descriptorsOf(t *testing.T, s *server) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

// One address cannot take the connections of others, neither before its requests nor
// during them.
func TestServeConnectionsOfAddress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "large.bin"))
	if err == nil {
		err = errors.Join(file.Truncate(64<<20), file.Close()) // more than connections buffer
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "index.html", "a page")
	const most = 256
	s := serve(t, dir, ".", "--sockets-per-address", "1")
	if status, _, err := visit(s, "127.0.0.2", ""); status == 0 {
		t.Skipf("this system has no other loopback address: %v", err)
	}
	other := flood(t, s, "127.0.0.2", 1, "")
	silent := flood(t, s, "127.0.0.1", most+50, "")
	wait.Until(t, "as many connections are open as allowed", func() bool { return open(silent) == most })
	if open(silent[:50]) != 0 || open(silent[50:]) != most || open(other) != 1 {
		t.Error("other connections than the oldest were replaced")
	}
	// Connections that are being answered stay, and new ones from their address are
	// refused.
	busy := readers(t, s, most)
	wait.Until(t, "the silent connections are gone", func() bool { return open(silent) == 0 })
	other = flood(t, s, "127.0.0.2", 1, "") // the server may have waited long enough for the first one
	if status, _, err := visit(s, "127.0.0.1", ""); err == nil {
		t.Errorf("one more than %d connections: %d", most, status)
	}
	if status, _, err := visit(s, "127.0.0.2", ""); status != 200 || open(other) != 1 {
		t.Errorf("another address: %d %v", status, err)
	}
	busy[0].Close()
	wait.Until(t, "there is room again", func() bool { status, _, _ := visit(s, "127.0.0.1", ""); return status == 200 })
	// A trusted proxy has no such bound.
	proxied := serve(t, dir, ".", "--sockets-per-address", "1", "--trusted-proxy", "127.0.0.1/32")
	readers(t, proxied, most+50)
	if status, _, err := visit(proxied, "127.0.0.1", ""); status != 200 {
		t.Errorf("a proxy: %d %v", status, err)
	}
}

// readers opens n connections that request a large file, and reads only the beginning
// of each answer.
func readers(t *testing.T, s *server, n int) []net.Conn {
	t.Helper()
	all := flood(t, s, "127.0.0.1", n, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	for i, c := range all {
		c.SetReadDeadline(time.Now().Add(time.Minute))
		begin := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(c, begin); err != nil || string(begin) != "HTTP/1.1 200" {
			t.Fatalf("connection %d: %s %v", i, begin, err)
		}
	}
	return all
}
