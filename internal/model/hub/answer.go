package hub

import (
	"io"
	"net/http"

	"github.com/vantage-search/vantage/internal/stall"
)

// answer is an HTTP response whose body fails if the host stops sending.
type answer struct {
	*http.Response
	host string
	io.Reader
	watch *stall.Watch
}

func (a *answer) Close() {
	a.Body.Close()
	a.watch.Stop()
}
