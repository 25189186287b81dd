package harness

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
)

// Policy is the strict content security policy that WithPolicy adds:
// no inline script, no eval, no blob workers, no other origin.
const Policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'"

// Server is an HTTP server on loopback.
type Server struct {
	listener net.Listener
	http     *http.Server
}

// ports holds the ports that Listen has returned.
var ports struct {
	sync.Mutex
	given map[string]bool
}

// Listen listens on loopback, at a port that no earlier call returned: what the
// browser stores for an address, above all service workers, must belong to one
// server.
func Listen() (net.Listener, error) {
	ports.Lock()
	defer ports.Unlock()
	if ports.given == nil {
		ports.given = map[string]bool{}
	}
	for {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		if address := listener.Addr().String(); !ports.given[address] {
			ports.given[address] = true
			return listener, nil
		}
		defer listener.Close() // until then the system does not offer this port again
	}
}

// Serve starts a server with the handler.
func Serve(handler http.Handler) (*Server, error) {
	listener, err := Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{listener, &http.Server{Handler: handler}}
	go s.http.Serve(listener)
	return s, nil
}

// URL returns the address of a path on the server, under a name that browsers trust
// like https.
func (s *Server) URL(path string) string { return "http://" + s.listener.Addr().String() + path }

// Lab returns the address of the page that compares methods, if the server serves a site.
func (s *Server) Lab() string { return s.URL("/lab.html") }

// PlainURL returns the address of a path under a name that browsers do not trust.
func (s *Server) PlainURL(path string) string {
	port := s.listener.Addr().(*net.TCPAddr).Port
	return "http://" + net.JoinHostPort(LocalName, strconv.Itoa(port)) + path
}

// Close ends the server and its connections.
func (s *Server) Close() error { return s.http.Close() }

// Static is the repository's static folder, read at each request. The library's sources
// find the WebAssembly modules beside them, as the built files do.
func Static() http.Handler {
	files := http.FileServer(http.Dir(filepath.Join(Root(), "static")))
	modules := http.StripPrefix("/src/", http.FileServer(http.Dir(filepath.Join(Root(), "static", "lib"))))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/src/core.wasm.gz", "/src/kernel.wasm", "/src/kernel-relaxed.wasm":
			modules.ServeHTTP(w, r)
		default:
			files.ServeHTTP(w, r)
		}
	})
}

// WithPolicy adds the strict policy to every answer.
func WithPolicy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", Policy)
		next.ServeHTTP(w, r)
	})
}

// NoIcon answers the browser's own request for an icon.
func NoIcon(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// Blank is an empty page that loads nothing.
func Blank(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><html lang="en"><title>test</title>`)
}
