package extension

import (
	"net/http"
	"slices"
	"sync"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
)

// web stands for the whole web: every host name leads to it.
type web struct {
	secure *harness.SecureServer
	plain  *harness.Server

	plainRequests http.Handler

	mu   sync.Mutex
	seen []string // URLs of the requests that have arrived
}

func serveWeb(handler http.Handler) (*web, error) {
	w := &web{}
	record := func(scheme string, next http.Handler) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			w.seen = append(w.seen, scheme+"://"+r.Host+r.URL.RequestURI())
			w.mu.Unlock()
			next.ServeHTTP(out, r)
		})
	}
	var err error
	if w.secure, err = harness.ServeTLS(record("https", handler), hosts()...); err != nil {
		return nil, err
	}
	w.plainRequests = record("http", http.NotFoundHandler())
	if w.plain, err = harness.Serve(w.plainRequests); err != nil {
		return nil, err
	}
	return w, nil
}

// hosts are those of the pages.
func hosts() []string {
	all := []string{pages.Forum.Host}
	for _, site := range pages.Sites {
		all = append(all, site.Host)
	}
	return all
}

// flags lead every name to the servers. Addresses of this machine stay what they are.
func (w *web) flags() []string {
	return []string{w.secure.Trust, "host-resolver-rules=MAP *:80 " + w.plain.Address() + ", MAP * " + w.secure.Address() + ", EXCLUDE 127.0.0.1"}
}

// requests lists the URLs that were asked for.
func (w *web) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seen)
}

func (w *web) close() {
	w.secure.Close()
	w.plain.Close()
}
