package server

import (
	"bufio"
	"net"
	"net/http"
)

// statusGone is what the log and the metrics say of a request whose client left before there was an answer. nginx says so, too.
const statusGone = 499

// recorder records the status of an answer.
type recorder struct {
	http.ResponseWriter
	status          int
	wrote, hijacked bool
}

func (r *recorder) WriteHeader(status int) {
	r.status, r.wrote = status, true
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	r.wrote = true
	return r.ResponseWriter.Write(b)
}

// Hijack implements http.Hijacker, for WebSockets.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		r.status, r.hijacked = http.StatusSwitchingProtocols, true
	}
	return c, rw, err
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
