package command

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// writeCertificate writes cert.pem and key.pem, a self-signed certificate for 127.0.0.1
// and names.
func writeCertificate(t *testing.T, dir string, serial int64, names ...string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: names, IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	write(t, dir, "cert.pem", string(text))
	write(t, dir, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return pool
}

// With a certificate, the server sends pages over HTTP/2, accepts sockets over
// HTTP/1.1, and refuses protocols before TLS 1.2. It uses a renewed
// certificate.
func TestServeTLS(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	pool := writeCertificate(t, dir, 1)
	s := serve(t, dir, "site", "--model", "static", "--log", "off", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	if !strings.HasPrefix(s.url, "https://127.0.0.1:") {
		t.Fatalf("the server is at %s", s.url)
	}
	web := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	r, err := web.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 || r.ProtoMajor != 2 || r.TLS.Version != tls.VersionTLS13 {
		t.Errorf("%d over %s, TLS %x", r.StatusCode, r.Proto, r.TLS.Version)
	}
	page := strings.TrimSuffix(s.url, "/")
	for origin, want := range map[string]int{page: 101, "": 101, strings.Replace(page, "https:", "http:", 1): 403} {
		d := websocket.Dialer{Subprotocols: []string{wire.Protocol}, TLSClientConfig: &tls.Config{RootCAs: pool}}
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		ws, answer, err := d.Dial("wss"+strings.TrimPrefix(s.url, "https")+"v1/stream", header)
		if answer == nil || answer.StatusCode != want {
			t.Errorf("from %q: %v %v", origin, answer, err)
		}
		if err != nil {
			continue
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
	host := strings.TrimPrefix(page, "https://")
	for version, want := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true} {
		c, err := tls.Dial("tcp", host, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS10, MaxVersion: version})
		if (err == nil) != want {
			t.Errorf("TLS %x: %v", version, err)
		}
		if err == nil {
			c.Close()
		}
	}
	serial := func(pool *x509.CertPool) int64 {
		c, err := tls.Dial("tcp", host, &tls.Config{RootCAs: pool})
		if err != nil {
			return 0
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	write(t, dir, "cert.pem", "a file that is being written")
	time.Sleep(1100 * time.Millisecond) // so that the next handshake checks the files
	if got := serial(pool); got != 1 {
		t.Errorf("certificate %d while the file is broken", got)
	}
	renewed := writeCertificate(t, dir, 2)
	wait.Until(t, "the renewed certificate is used", func() bool { return serial(renewed) == 2 })
	s.stop(t, syscall.SIGTERM)
	text := s.stderr.String()
	s.stderr.Reset()
	for line := range strings.Lines(text) { // net/http reports failed handshakes, which the test has caused
		if !strings.Contains(line, "TLS handshake error") && !strings.Contains(line, "the certificate from before is kept") {
			t.Errorf("on stderr: %s", line)
		}
	}
	if strings.Count(text, "cert.pem and key.pem") != 1 {
		t.Errorf("a broken certificate is reported once: %s", text)
	}
	write(t, dir, "cert.pem", "none")
	fails(t, input, dir, []string{"serve", "site", "--tls-cert", "cert.pem", "--tls-key", "key.pem"}, "cert.pem")
	if err := os.Remove(filepath.Join(dir, "cert.pem")); err != nil {
		t.Fatal(err)
	}
	fails(t, input, dir, []string{"serve", "site", "--tls-cert", "cert.pem", "--tls-key", "key.pem"}, "vantage: cert.pem: no such file")
	writeCertificate(t, dir, 3)
	fails(t, input, dir, []string{"serve", "site", "--tls-cert", "cert.pem", "--tls-key", "none.pem"}, "vantage: none.pem: no such file")
}
