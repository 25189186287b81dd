package command

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// under requests a path like a page of this host, and returns the answer's status and
// body.
func under(t *testing.T, web *http.Client, host, url string, header ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := web.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// handshake requests a WebSocket at an address, with the stream's URL as a page
// knows it, and returns the status.
func handshake(t *testing.T, address, url, origin string, secure *tls.Config) int {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol}, TLSClientConfig: secure,
		NetDial: func(network, _ string) (net.Conn, error) { return net.Dial(network, address) }}
	ws, answer, err := d.Dial(url, http.Header{"Origin": {origin}})
	if answer == nil {
		t.Fatal(err)
	}
	if err == nil {
		ws.Close()
	}
	return answer.StatusCode
}

// A page whose name was made to point here (DNS rebinding) cannot read files or have
// texts encoded, however it sends requests.
func TestServeHosts(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	for kind, args := range map[string][]string{"files": nil, "files and model": {"--model", "static", "--log", "off"}} {
		s := serve(t, dir, append([]string{"site", "--host", "search.example.org", "--host", "*.any.example"}, args...)...)
		address := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
		_, port, _ := net.SplitHostPort(address)
		paths := []string{"", "collection/manifest.json", "nothing"}
		if args != nil {
			paths = append(paths, "v1/models", "v1/nothing", "metrics", "v1/embeddings")
		}
		for _, path := range paths {
			for _, host := range []string{"evil.example", "evil.example:" + port, "2130706433:" + port, "any.example", "127.0.0.1.evil.example"} {
				status, body := under(t, http.DefaultClient, host, s.url+path, "X-Forwarded-Host", "localhost", "Forwarded", "host=localhost")
				if status != 421 || !strings.Contains(body, "--host") || strings.Contains(path, "v1/") != strings.HasPrefix(body, `{"error":{"message":"`) {
					t.Errorf("%s: /%s under %s: %d %s", kind, path, host, status, body)
				}
			}
		}
		for _, host := range []string{address, "localhost:" + port, "SEARCH.example.org.", "search.example.org:" + port, "a.any.example", "[::1]:" + port} {
			if status, body := under(t, http.DefaultClient, host, s.url, "X-Forwarded-Host", "evil.example"); status != 200 || !strings.Contains(body, "<title>") {
				t.Errorf("%s: under %s: %d", kind, host, status)
			}
		}
		for head, want := range map[string]string{
			"GET / HTTP/1.0\r\n":                                              " 421 ",
			"GET / HTTP/1.0\r\nHost: localhost\r\n":                           " 200 ",
			"GET / HTTP/1.1\r\nHost:\r\n":                                     " 421 ",
			"GET / HTTP/1.1\r\n":                                              " 400 ",
			"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n":     " 400 ",
			"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n":        " 421 ", // the URL's host counts
			"GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n":        " 200 ",
			"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n":                    " 421 ",
			"GET //v1/../index.html HTTP/1.1\r\nHost: evil.example\r\n":       " 421 ",
			"POST /v1/embeddings HTTP/1.1\r\nHost: evil\r\nContent-Length: 0": " 421 ",
		} {
			if status, _, _ := strings.Cut(exchange(t, address, strings.TrimSuffix(head, "\r\n")+"\r\nConnection: close\r\n\r\n"), "\r\n"); !strings.Contains(status, want) {
				t.Errorf("%s: %q: %s", kind, head, status)
			}
		}
		if args == nil {
			if status, _ := under(t, http.DefaultClient, "evil.example", s.url+"readyz"); status != 421 { // without a model this is a file, if it exists
				t.Errorf("/readyz without a model: %d", status)
			}
			continue
		}
		for _, path := range []string{"healthz", "readyz"} {
			if status, _ := under(t, http.DefaultClient, "any.name", s.url+path); status != 200 {
				t.Errorf("/%s: %d", path, status)
			}
		}
		// A page has this server's origin if it has its host.
		for host, want := range map[string]int{"evil.example:" + port: 421, "search.example.org:" + port: 101, "localhost:" + port: 101} {
			if got := handshake(t, address, "ws://"+host+"/v1/stream", "http://"+host, nil); got != want {
				t.Errorf("a socket of %s: %d", host, got)
			}
		}
		if got := handshake(t, address, "ws://localhost:"+port+"/v1/stream", "http://search.example.org:"+port, nil); got != 403 {
			t.Errorf("a socket of another name: %d", got)
		}
		if _, metrics := s.ask(t, "GET", "/metrics"); strings.Contains(metrics, `vantage_refused_total{reason="host"} 0`) {
			t.Error("refusals are not counted")
		}
	}
}

// exchange sends bytes and returns everything that comes until the end.
func exchange(t *testing.T, address, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	io.WriteString(c, request)
	answer, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// --host can also come from the environment and the file; mistakes are reported.
func TestServeHostSettings(t *testing.T) {
	dir := newSite(t)
	write(t, dir, "serve.yaml", "host: [one.example, two.example]\n")
	s := serve(t, dir, "site", "--config", "serve.yaml")
	t.Setenv("VANTAGE_HOST", "three.example,four.example") // replaces the file's
	several := serve(t, dir, "site", "--config", "serve.yaml")
	for host, want := range map[string][2]int{"one.example": {200, 421}, "two.example": {200, 421}, "three.example": {421, 200}, "four.example": {421, 200}} {
		for i, s := range []*server{s, several} {
			if got, _ := under(t, http.DefaultClient, host, s.url); got != want[i] {
				t.Errorf("%s, server %d: %d", host, i, got)
			}
		}
	}
	if name, err := os.Hostname(); err == nil {
		if _, err := net.LookupHost(name); err == nil {
			named := serve(t, dir, "site", "--listen", name+":0")
			if r, _ := named.ask(t, "GET", "/"); r.StatusCode != 200 {
				t.Errorf("the address that is printed, %s: %d", named.url, r.StatusCode)
			}
		}
	}
	for _, name := range []string{"https://example.org", "example.org:443", "example.org/", "*", "a.*.example", "bücher.example", "", "example..org", "[::1]"} {
		fails(t, usage, dir, []string{"serve", "site", "--host", name}, "--host", "search.example.org")
	}
}

// The names of the certificate count, over HTTP/2 too, and those of a renewed one.
func TestServeHostsTLS(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	pool := writeCertificate(t, dir, 1, "old.example", "*.wild.example")
	s := serve(t, dir, "site", "--model", "static", "--log", "off", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	address := strings.TrimSuffix(strings.TrimPrefix(s.url, "https://"), "/")
	check := func(secure *tls.Config, version int, wants map[string]int) {
		t.Helper()
		transport := &http.Transport{TLSClientConfig: secure.Clone(), ForceAttemptHTTP2: version == 2}
		if version == 1 {
			transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
		}
		defer transport.CloseIdleConnections()
		web := &http.Client{Transport: transport}
		for host, want := range wants {
			if got, body := under(t, web, host, s.url); got != want || want == 421 && !strings.Contains(body, "--host") {
				t.Errorf("HTTP/%d under %s: %d %.200s", version, host, got, body)
			}
		}
	}
	trusted := &tls.Config{RootCAs: pool}
	for version := 1; version <= 2; version++ {
		check(trusted, version, map[string]int{"old.example": 200, "old.example:8443": 200, "a.wild.example": 200, "127.0.0.1": 200, "localhost": 200,
			"wild.example": 421, "a.b.wild.example": 421, "new.example": 421, "evil.example": 421})
	}
	secure := &tls.Config{RootCAs: pool, ServerName: "old.example"}
	for host, want := range map[string]int{"old.example": 101, "evil.example": 421} {
		if got := handshake(t, address, "wss://"+host+"/v1/stream", "https://"+host, secure); got != want {
			t.Errorf("a socket of %s: %d", host, got)
		}
	}
	renewed := &tls.Config{RootCAs: writeCertificate(t, dir, 2, "new.example")}
	time.Sleep(1100 * time.Millisecond) // the files are checked once a second
	check(renewed, 2, map[string]int{"new.example": 200, "old.example": 421, "a.wild.example": 421})
}
