package chat

import (
	"io"
	"net/http"

	"github.com/vantage-search/vantage/internal/stall"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// watchKey is the key of the *stall.Watch that a request's context carries: every byte of the answer restarts its time.
type watchKey struct{}

// bounded is a transport that limits the length of each answer, and the silence in it.
type bounded struct {
	http.RoundTripper
	most int64
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		body := io.Reader(answer.Body)
		if watch, ok := r.Context().Value(watchKey{}).(*stall.Watch); ok {
			body = watch.Reader(body)
		}
		answer.Body = &boundedBody{body, answer.Body, b.most, b.most}
	}
	return answer, err
}

type boundedBody struct {
	io.Reader
	io.Closer
	left, most int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fault.Errorf(fault.Limit, "the chat model's answer has more than %d bytes", b.most)
	}
	return n, err
}

// refuseRedirect keeps texts and the key with the host that the user has named.
func refuseRedirect(*http.Request, []*http.Request) error {
	return fault.New(fault.Input, "the chat model's address leads to another one: name that one")
}
