package command

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// nginx starts nginx with an http configuration, and stops it when the test ends.
func nginx(t *testing.T, dir, address, http string) {
	t.Helper()
	find := exec.Command("sh", filepath.Join(root(t), "scripts", "nginx.sh"))
	find.Stderr = os.Stderr
	path, err := find.Output()
	if err != nil {
		t.Skipf("no nginx: %v: the server is not tested behind it", err)
	}
	temporary := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	config := write(t, dir, "nginx.conf", fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/nginx.pid;\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", dir, temporary, http))
	var stderr strings.Builder
	cmd := exec.Command(strings.TrimSpace(string(path)), "-p", dir, "-e", "stderr", "-c", config)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("nginx ends with %v: %s", err, stderr.String())
		}
	})
	wait.Until(t, "nginx listens", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("nginx: %v: %s", err, stderr.String())
		default:
		}
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// Behind nginx, configured as in docs/deploy.md, servers answer pages and sockets
// only under the name that they were given.
func TestServeBehindNginx(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?s)```nginx\n(.*?)```").FindStringSubmatch(read(t, filepath.Join(root(t), "docs", "deploy.md")))
	if block == nil {
		t.Fatal("docs/deploy.md shows no configuration of nginx")
	}
	dir := newSite(t)
	pool := writeCertificate(t, dir, 1, "search.example.org", "evil.example")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	changes := []string{"/etc/ssl/search.pem", filepath.Join(dir, "cert.pem"), "/etc/ssl/search.key", filepath.Join(dir, "key.pem"), "listen 443 ", "listen " + address + " "}
	var servers []*server
	for _, documented := range []string{"10.0.0.11:8080", "10.0.0.12:8080"} {
		s := serve(t, dir, "site", "--model", "static", "--log", "off", "--host", "search.example.org", "--trusted-proxy", "127.0.0.0/8")
		changes = append(changes, documented, strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"))
		servers = append(servers, s)
	}
	config := strings.NewReplacer(changes...).Replace(block[1])
	for i := 1; i < len(changes); i += 2 {
		if !strings.Contains(config, changes[i]) {
			t.Fatalf("docs/deploy.md has no %s: %s", changes[i-1], block[1])
		}
	}
	nginx(t, dir, address, config)

	secure := &tls.Config{RootCAs: pool}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	web := &http.Client{Transport: &http.Transport{TLSClientConfig: secure.Clone(), DialContext: dial, ForceAttemptHTTP2: true}}
	defer web.CloseIdleConnections()
	const ours, foreign = "search.example.org", "evil.example"
	paths := []string{"/", "/collection/manifest.json", "/v1/models", "/metrics"}
	for _, path := range paths {
		for range servers { // they take turns, so that each is asked under one name and then under the other
			if status, _ := under(t, web, ours+":"+port, "https://"+ours+":"+port+path); status != 200 {
				t.Errorf("%s: %d", path, status)
			}
		}
		for range servers {
			status, body := under(t, web, foreign+":"+port, "https://"+foreign+":"+port+path, "X-Forwarded-Host", ours, "Forwarded", "host="+ours)
			if status != 421 || !strings.Contains(body, "--host") {
				t.Errorf("%s under %s: %d %s", path, foreign, status, body)
			}
		}
	}
	for i, s := range servers {
		_, metrics := s.ask(t, "GET", "/metrics")
		for _, want := range []string{`vantage_requests_total{route="GET /v1/models",status="200"} 1`, fmt.Sprintf(`vantage_refused_total{reason="host"} %d`, len(paths))} {
			if !strings.Contains(metrics, "\n"+want+"\n") {
				t.Errorf("server %d: no %s", i, want)
			}
		}
	}
	if status, _ := under(t, web, foreign, "https://"+foreign+":"+port+"/readyz"); status != 200 {
		t.Errorf("/readyz: %d", status)
	}
	answer, err := web.Post("https://"+ours+":"+port+"/v1/embeddings", "application/json", strings.NewReader(`{"input": "night trains"}`))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 || answer.ProtoMajor != 2 {
		t.Errorf("%s %s", answer.Proto, answer.Status)
	}
	for _, try := range []struct {
		host, origin string
		status       int
	}{{ours, ours, 101}, {ours, foreign, 403}, {foreign, foreign, 421}, {foreign, ours, 421}} {
		for range servers {
			if got := handshake(t, address, "wss://"+try.host+":"+port+"/v1/stream", "https://"+try.origin+":"+port, secure); got != try.status {
				t.Errorf("a socket to %s from %s: %d", try.host, try.origin, got)
			}
		}
	}
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol}, TLSClientConfig: secure, NetDialContext: dial}
	ws, _, err := d.Dial("wss://"+ours+":"+port+"/v1/stream", http.Header{"Origin": {"https://" + ours + ":" + port}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, f := range []wire.Frame{&wire.Hello{}, &wire.Encode{ID: 1, DType: wire.F16, Texts: [][]byte{[]byte("night trains")}}} {
		if err := ws.WriteMessage(websocket.BinaryMessage, f.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	frame(t, ws)
	if v, ok := frame(t, ws).(*wire.Vector); !ok || v.Dim() == 0 {
		t.Errorf("%+v", v)
	}
}
