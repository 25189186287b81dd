package client

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/vantage-search/vantage/internal/httpstatus"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// StatusError is the server's refusal of a connection or of a request.
type StatusError struct {
	Status int           // of HTTP
	Retry  time.Duration // after which to try again, if the server says so
	Reason string        // in the server's words, if it has any
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server refuses: %d %s", e.Status, http.StatusText(e.Status))
	if e.Reason != "" {
		text += fmt.Sprintf(" (%q)", e.Reason)
	}
	return text
}

// Is reports the kind of fault: limit for status 413, unavailable for 408, 429 and 500 or
// above, and input for all others. 401 and 403 are fs.ErrPermission, 404 and 410
// fs.ErrNotExist, too.
func (e *StatusError) Is(target error) bool { return httpstatus.Is(e.Status, target) }

// temporary reports whether to try again. A server that lacks the method or the version of HTTP
// will lack it then, too.
func (e *StatusError) temporary() bool {
	lacks := e.Status == http.StatusNotImplemented || e.Status == http.StatusHTTPVersionNotSupported
	return httpstatus.Is(e.Status, fault.Unavailable) && !lacks
}

// fatalError ends the client.
type fatalError struct{ error }

func (e *fatalError) Unwrap() error { return e.error }

// errGoodbye ends a connection to a server that is stopping.
var errGoodbye = errors.New("the server is about to stop")
