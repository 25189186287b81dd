package server

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Front protects the handlers of a process that others can reach: requests must use one
// of the server's names, and connections are limited before they send anything.
type Front struct {
	hosts       Hosts
	server      *Server
	faults      *log.Logger
	connections *connections

	mu   sync.Mutex
	told time.Time // time of the last warning that descriptors are short
}

// FrontOptions are the options of NewFront.
type FrontOptions struct {
	Hosts             Hosts
	Proxies           []netip.Prefix // proxies whose connections are not counted by address
	SocketsPerAddress int
	Descriptors       int     // descriptors that the process may have, at least MinDescriptors
	Server            *Server // counts refusals and answers probes under any name; nil if no model is served
	Faults            *log.Logger
}

// Reserved descriptors.
const (
	ownDescriptors   = 48 // the listener, files of the system, the engine's pipes
	spareDescriptors = 16 // for connections that may only ask whether the server is ready
	fileDescriptors  = 3  // for each request for a file: the file and the folders above it

	MinDescriptors = 128 // a server with fewer does not start
)

// leastPerAddress is the number of connections that an address may always have, even if
// it may have fewer sockets. Browsers behind one address keep some open.
const leastPerAddress = 256

// probes are routes that are answered under any name, because probing systems make up
// names, and even if there is no room for other requests.
var probes = []string{"/healthz", "/readyz"}

// NewFront prepares a front.
func NewFront(o FrontOptions) *Front {
	f := &Front{hosts: o.Hosts, server: o.Server, faults: o.Faults}
	f.connections = newConnections(max(leastPerAddress, 2*o.SocketsPerAddress), o.Descriptors-ownDescriptors-spareDescriptors, spareDescriptors,
		func(addr netip.Addr) bool { return within(o.Proxies, addr) }, func() { f.count("connections") })
	if o.Server != nil {
		f.connections.hold = func(addr netip.Addr, bytes int64) bool {
			h := held{server: o.Server, addr: addr}
			return h.take(bytes) == nil
		}
		f.connections.free = func(addr netip.Addr, bytes int64) {
			h := held{o.Server, addr, bytes}
			h.free()
		}
	}
	return f
}

// Serve serves the connections of the listener, with TLS if it is configured.
func (f *Front) Serve(s *http.Server, l *net.TCPListener) error {
	s.Handler = f.before(s.Handler)
	s.DisableGeneralOptionsHandler = true // the handler would answer under any name
	s.ConnState = f.connections.changed
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, connectionOf(c))
	}
	counted := listener{l, f.connections}
	if s.TLSConfig != nil {
		return s.ServeTLS(counted, "", "")
	}
	return s.Serve(counted)
}

// connectionKey is a context's *connection.
type connectionKey struct{}

func (f *Front) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		probe := f.server != nil && slices.Contains(probes, r.URL.Path)
		if c, _ := r.Context().Value(connectionKey{}).(*connection); c != nil && !f.connections.begin(c) {
			w.Header().Set("Connection", "close")
			f.full()
			if !probe {
				f.busy(w, r)
				return
			}
		}
		if !probe && !f.hosts.has(r.Host) {
			f.refuse(w, r, "host", &apiError{Status: http.StatusMisdirectedRequest, Type: invalidRequest,
				Message: fmt.Sprintf("this server is not %.255q: it answers to IP addresses, to localhost, to the names in its certificate, and to those that --host gives it", r.Host)})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Files limits the number of files that a handler opens at the same time.
func (f *Front) Files(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !f.connections.borrow(fileDescriptors) {
			f.full()
			f.busy(w, r)
			return
		}
		defer f.connections.giveBack(fileDescriptors)
		next.ServeHTTP(w, r)
	})
}

func (f *Front) busy(w http.ResponseWriter, r *http.Request) {
	f.refuse(w, r, "connections", &apiError{Status: http.StatusServiceUnavailable, Type: serverError, Retry: time.Second, Message: "too many connections"})
}

// refuse answers with an error: in OpenAI's form if the route is one of theirs,
// otherwise as text for people.
func (f *Front) refuse(w http.ResponseWriter, r *http.Request, reason string, e *apiError) {
	f.count(reason)
	if f.server != nil {
		f.server.log.Info("refused", "status", e.Status, "host", fmt.Sprintf("%.255s", r.Host), "address", f.server.access.address(r).String())
	}
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		failHTTP(w, e)
		return
	}
	retryAfter(w, e)
	header.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(e.Status)
	fmt.Fprintln(w, e.Message)
}

func (f *Front) count(reason string) {
	if f.server != nil {
		f.server.metrics.refused.WithLabelValues(reason).Inc()
	}
}

// full warns that descriptors are short, at most once a minute.
func (f *Front) full() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.told) >= time.Minute {
		f.told = now
		f.faults.Printf("all %d descriptors for connections and files are in use: allow more open files (ulimit -n, LimitNOFILE= of systemd), or fewer --sockets", f.connections.common.limit)
	}
}
