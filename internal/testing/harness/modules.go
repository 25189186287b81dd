package harness

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Modules gives empty pages from which tests import the scripts of the folder static, one
// by one, without a bundle. The zero value is ready; all pages share a browser.
type Modules struct {
	once    sync.Once
	browser *Browser
	server  *Server
	err     error
}

// Open returns an empty page, which lives for at most patience.
func (m *Modules) Open(patience time.Duration) (*Page, error) {
	m.once.Do(func() {
		mux := http.NewServeMux()
		mux.Handle("/", Static())
		mux.HandleFunc("/blank", Blank)
		mux.HandleFunc("/favicon.ico", NoIcon)
		if m.server, m.err = Serve(mux); m.err == nil {
			m.browser, m.err = Launch(context.Background())
		}
	})
	if m.err != nil {
		return nil, m.err
	}
	return m.browser.Open(m.server.URL("/blank"), patience)
}

// Close ends the browser, if there is one.
func (m *Modules) Close() {
	if m.browser != nil {
		m.browser.Close()
	}
	if m.server != nil {
		m.server.Close()
	}
}
