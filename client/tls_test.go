package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/client"
)

// accepted is a listener that can close what it has accepted.
type accepted struct {
	net.Listener
	mu  sync.Mutex
	all []net.Conn
}

func (l *accepted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, c)
	}
	return c, err
}

func (l *accepted) closeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.all {
		c.Close()
	}
}

// A client with a configuration for TLS reconnects after a call over HTTP/2, leaves the configuration as it is, and takes one
// that a Transport has used before.
func TestTLS(t *testing.T) {
	_, plain := start(t, nil)
	h := httptest.NewUnstartedServer(plain.Config.Handler)
	h.EnableHTTP2 = true
	listener := &accepted{Listener: h.Listener}
	h.Listener = listener
	h.StartTLS()
	defer h.Close()
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AddCert(h.Certificate())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	try := func() {
		lost := make(chan error, 1000)
		c, err := client.Dial(ctx, "wss"+strings.TrimPrefix(h.URL, "https")+"/v1/stream", client.Options{TLS: config, Lost: func(err error) { lost <- err }})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var refused *client.StatusError
		if _, err := c.Sides(ctx, "a", []string{"b"}); !errors.As(err, &refused) { // by its model; what counts is that it was asked
			t.Error(err)
		}
		listener.closeAll()
		<-lost
		if _, err := c.Encode(ctx, []string{"after the loss"}, client.EncodeOptions{}); err != nil {
			t.Errorf("%v after %d more attempts", err, len(lost))
		}
	}
	try()
	if config.NextProtos != nil {
		t.Errorf("the caller's configuration now has %q", config.NextProtos)
	}
	shared := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	defer shared.CloseIdleConnections()
	r, err := (&http.Client{Transport: shared}).Get(h.URL + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	try()
}
