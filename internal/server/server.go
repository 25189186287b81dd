package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/trace"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// Options of New.
type Options struct {
	Limits  Limits
	Keys    []string       // a client must present one of these keys; without keys, all clients are allowed
	Origins []string       // origins that are allowed in addition to this server
	Proxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
	Log     *slog.Logger
	Tracer  trace.Tracer // nil if requests are not traced

	Perspectives *Perspectives // nil if no chat model is asked
}

// Server encodes texts with one model.
type Server struct {
	engine   *engine
	access   *access
	sessions *sessions
	metrics  *metrics
	limits   Limits
	log      *slog.Logger
	tracing  *tracing
	views    *views // nil if no chat model is asked
	mux      *http.ServeMux
	upgrader websocket.Upgrader
	welcome  []byte // the facts of WELCOME, as JSON
	started  time.Time
	workTime time.Duration // workTime, but less in tests

	draining atomic.Bool
	mu       sync.Mutex
	conns    map[*conn]struct{}
	pings    *pings
	closing  sync.WaitGroup // counts open connections

	answering sync.WaitGroup // counts accepted requests over HTTP
}

// New starts a server. The server uses the encoder until Close returns, and does not
// close it.
func New(model encoder.Encoder, o Options) (*Server, error) {
	var asking *views
	if o.Perspectives != nil {
		var err error
		if asking, err = newViews(o.Perspectives); err != nil {
			return nil, err
		}
	}
	m, tracing := newMetrics(), newTracing(o.Tracer)
	s := &Server{engine: newEngine(model, o.Limits, m, o.Log, tracing), access: newAccess(&o), metrics: m, limits: o.Limits,
		log: o.Log, tracing: tracing, views: asking, mux: http.NewServeMux(), started: time.Now(), workTime: workTime, conns: map[*conn]struct{}{}, pings: newPings(o.Limits.Ping)}
	s.sessions = newSessions(s)
	// A pool of write buffers saves memory of idle sockets.
	s.upgrader = websocket.Upgrader{Subprotocols: []string{wire.Protocol}, HandshakeTimeout: o.Limits.Write, ReadBufferSize: 1 << 10, WriteBufferPool: &sync.Pool{},
		CheckOrigin: func(r *http.Request) bool { return true }} // route has checked the origin
	facts, err := json.Marshal(struct {
		Model  encoder.Info  `json:"model"`
		Limits announcements `json:"limits"`
	}{s.engine.info, announcements{o.Limits.MessageBytes, o.Limits.TextBytes, o.Limits.Texts, o.Limits.PendingBytes, o.Limits.Resume.Milliseconds()}})
	if err != nil {
		return nil, err
	}
	s.welcome = facts
	m.watch("queue_tokens", "Tokens that wait to be encoded, estimated.", func() float64 { return float64(s.engine.queue.tokens()) })
	m.watch("queue_limit_tokens", "Tokens that may wait (--queue-tokens).", func() float64 { return float64(o.Limits.QueueTokens) })
	m.model(&s.engine.info)
	m.watch("cache_bytes", "Bytes of the cache.", func() float64 { return float64(s.engine.cache.Bytes()) })
	m.watch("session_bytes", "Bytes of memory that clients have the server hold (--session-bytes).", func() float64 { return float64(s.sessions.bytes.Load()) })
	s.route("GET /v1/stream", s.stream, guarded)
	s.route("POST /v1/embeddings", tracing.http("POST", "/v1/embeddings", s.embeddings), guarded)
	s.route("POST /v1/sides", tracing.http("POST", "/v1/sides", s.sides), guarded)
	s.route("POST /v1/perspectives", tracing.http("POST", "/v1/perspectives", s.perspectives), guarded)
	s.route("OPTIONS /v1/", s.preflight, open)
	s.route("GET /v1/models", s.models, guarded)
	s.route("GET /v1/models/{id...}", s.models, guarded)
	s.route("GET /healthz", s.healthy, open)
	s.route("GET /readyz", s.ready, open)
	s.route("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}).ServeHTTP, guarded)
	s.route("/v1/", elsewhere, open)
	return s, nil
}

// methods are those that the routes take, besides OPTIONS.
var methods = map[string]string{"/v1/stream": "GET", "/v1/embeddings": "POST", "/v1/sides": "POST", "/v1/perspectives": "POST", "/v1/models": "GET"}

// elsewhere answers what no other route does: another method, or another path.
func elsewhere(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if strings.HasPrefix(path, "/v1/models/") {
		path = "/v1/models"
	}
	if method, known := methods[path]; known {
		w.Header().Set("Allow", method+", OPTIONS")
		failHTTP(w, &apiError{Status: http.StatusMethodNotAllowed, Message: path + " is asked with " + method, Type: invalidRequest})
		return
	}
	failHTTP(w, &apiError{Status: http.StatusNotFound, Message: "there is no such route: there are /v1/stream, /v1/embeddings, /v1/sides, /v1/perspectives and /v1/models", Type: invalidRequest})
}

// announcements are the limits in WELCOME.
type announcements struct {
	MessageBytes int   `json:"message_bytes"`
	TextBytes    int   `json:"text_bytes"`
	Texts        int   `json:"texts"`
	PendingBytes int   `json:"pending_bytes"`
	ResumeMS     int64 `json:"resume_ms"`
}

// Routes are the patterns that the server answers, for a mux with other routes.
func (s *Server) Routes() []string { return []string{"/v1/", "/healthz", "/readyz", "/metrics"} }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Values that say whether keys, origins and rates apply to a route.
const (
	open    = false
	guarded = true
)

// route adds a handler. All routes share the headers, the metrics and the answer after a panic;
// guarded ones also share the checks and the log.
func (s *Server) route(pattern string, handle http.HandlerFunc, guard bool) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		recorded := &recorder{ResponseWriter: w, status: http.StatusOK}
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("panic", "route", pattern, "stack", string(debug.Stack())) // without the panic's value, which may hold a text
				if !recorded.wrote && !recorded.hijacked {
					failHTTP(recorded, &apiError{Status: http.StatusInternalServerError, Message: "an error of the server", Type: serverError})
				}
			}
			if !recorded.wrote && !recorded.hijacked {
				recorded.status = statusGone
			}
			s.metrics.requests.WithLabelValues(pattern, strconv.Itoa(recorded.status)).Inc()
			s.metrics.latency.WithLabelValues(pattern).Observe(time.Since(started).Seconds())
			if guard {
				s.log.Info("request", "route", pattern, "status", recorded.status, "seconds", time.Since(started).Seconds(), "address", s.access.address(r).String())
			}
		}()
		if guard && !s.allowed(recorded, r) {
			return
		}
		handle(recorded, r)
	})
}

// allowed checks origin, key and rate of a request.
func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	origin, ok := s.access.origin(r)
	if !ok {
		s.refuse(w, "origin", &apiError{Status: http.StatusForbidden, Message: "pages of this origin may not ask: see --origin", Type: invalidRequest})
		return false
	}
	if origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
		w.Header().Add("Vary", "Origin")
	}
	if retry, ok := s.access.admit(s.access.address(r)); !ok {
		s.refuse(w, "rate", &apiError{Status: http.StatusTooManyRequests, Message: errRate, Type: rateLimit, Code: "rate_limit_exceeded", Retry: retry})
		return false
	}
	if _, ok := s.access.key(r); !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, "key", &apiError{Status: http.StatusUnauthorized, Message: "a key is missing or unknown: send Authorization: Bearer KEY", Type: invalidRequest, Code: "invalid_api_key"})
		return false
	}
	return true
}

func (s *Server) refuse(w http.ResponseWriter, reason string, e *apiError) {
	s.metrics.refused.WithLabelValues(reason).Inc()
	failHTTP(w, e)
}

// preflight answers the preflight requests of browsers.
func (s *Server) preflight(w http.ResponseWriter, r *http.Request) {
	origin, ok := s.access.origin(r)
	if !ok || origin == "" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Add("Vary", "Origin")
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers")) // OpenAI's client sends headers of its own
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// healthy answers whether this process should continue. If the model has failed
// permanently, only a new process helps.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) {
	status(w, s.engine.ready(), "ok")
}

// ready answers whether the server accepts requests.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	err := s.engine.ready()
	if s.draining.Load() {
		err = errors.New("shutting down")
	}
	status(w, err, "ready")
}

// status answers 200 with a word, or 503 with the error.
func status(w http.ResponseWriter, err error, word string) {
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		word = err.Error()
	}
	w.Write([]byte(word + "\n"))
}

// goodbyeRetry is the time that clients of a stopping server wait before they connect
// again.
const goodbyeRetry = time.Second

// Close stops accepting requests, sends GOODBYE to all sockets, and finishes accepted
// requests until the context ends. Then it closes all sockets, after a moment for the
// last writes.
func (s *Server) Close(ctx context.Context) {
	s.mu.Lock()
	first := !s.draining.Swap(true)
	all := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		all = append(all, c)
	}
	s.mu.Unlock()
	if first {
		for _, c := range all {
			c.send((&wire.Goodbye{Retry: uint32(goodbyeRetry.Milliseconds())}).Append(nil))
		}
	}
	answered := make(chan struct{})
	go func() {
		s.answering.Wait()
		close(answered)
	}()
	select { // a request may encode several times, so the engine stops after them
	case <-answered:
	case <-ctx.Done():
	}
	s.engine.stop(ctx)
	for _, c := range all {
		c.end(websocket.CloseGoingAway, "the server is shutting down")
	}
	closed := make(chan struct{})
	go func() {
		s.closing.Wait()
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
		select {
		case <-closed:
		case <-time.After(farewell):
			for _, c := range all {
				c.ws.Close()
			}
			<-closed
		}
	}
	s.sessions.clear()
}
