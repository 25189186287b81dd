// Package servertest runs encode servers in tests. It does not import package server,
// so that the server's own tests can use it.
package servertest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Server is the interface of *server.Server.
type Server interface {
	http.Handler
	Close(ctx context.Context)
}

// Serve runs the server on a real socket until the test ends, then gives its
// connections ten seconds to end.
func Serve(t testing.TB, s Server) *httptest.Server {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Close(ctx)
		h.Close()
	})
	return h
}
