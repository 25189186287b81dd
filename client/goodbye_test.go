package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/server"
)

// When a server stops, new texts go to the next server immediately, while the old one
// finishes its texts. The texts that it does not finish go to the next one, too, also if it dies. If the
// next one has another model, or other prompts, only the new texts fail.
func TestGoodbye(t *testing.T) {
	const finishes, doesNot, dies, other, prompts = "the old server finishes", "the old server does not finish", "the old server dies", "the next server has another model", "the next server has other prompts"
	for _, name := range []string{finishes, doesNot, dies, other, prompts} {
		t.Run(name, func(t *testing.T) {
			old, was := start(t, nil)
			next, is := start(t, nil)
			handler := is.Config.Handler
			if name == other {
				handler = http.HandlerFunc(greet(t, `{"model":{"id":"other","dim":32},"limits":{"texts":2}}`))
			}
			if info := old.Info(); name == prompts {
				handler = http.HandlerFunc(greet(t, fmt.Sprintf(`{"model":{"id":%q,"revision":%q,"dim":32,"prompts":{"query":"q: "}},"limits":{"texts":2}}`, info.ID, info.Revision)))
			}
			fails := name == other || name == prompts
			var stopping atomic.Bool
			front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if stopping.Load() {
					handler.ServeHTTP(w, r)
				} else {
					was.Config.Handler.ServeHTTP(w, r)
				}
			}))
			connections := make(chan net.Conn, 10)
			front.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
				connections <- c
				return ctx
			}
			front.Start()
			t.Cleanup(front.Close)
			held, release := make(chan struct{}, 10), make(chan struct{})
			old.mu.Lock()
			old.hold = func(ctx context.Context) {
				held <- struct{}{}
				select {
				case <-release:
				case <-ctx.Done():
				}
			}
			old.mu.Unlock()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			lost := make(chan error, 10)
			c := dial(t, stream(front), client.Options{Lost: func(err error) { lost <- err }})
			ask := func(name string) error {
				answers, err := c.Encode(ctx, claims(name, 3), client.EncodeOptions{})
				for _, a := range answers {
					if err == nil && (a.Err != nil || len(a.Vector) != 32) {
						t.Errorf("%s: %+v", name, a)
					}
				}
				return err
			}
			early := make(chan error, 1)
			go func() { early <- ask("early") }()
			<-held
			stopping.Store(true)
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				drain := 20 * time.Second
				if name == doesNot {
					drain = 3 * time.Second // time for the new texts to go elsewhere
				}
				ctx, cancel := context.WithTimeout(ctx, drain)
				defer cancel()
				was.Config.Handler.(*server.Server).Close(ctx)
			}()
			if err := <-lost; !strings.Contains(err.Error(), "about to stop") {
				t.Fatal(err)
			}
			if err := ask("late"); fails && (!errors.Is(err, vantage.ErrIntegrity) || !strings.Contains(err.Error(), "other")) || !fails && err != nil {
				t.Errorf("new texts: %v", err)
			}
			if len(early) > 0 {
				t.Error("new texts were answered only after those of the old server")
			}
			switch name {
			case doesNot:
			case dies:
				(<-connections).Close() // the first
			default:
				close(release)
			}
			if err := <-early; err != nil {
				t.Errorf("texts of the old server: %v", err)
			}
			if name == dies {
				close(release)
			}
			<-stopped
			count := func(e *counted, name string) (n int) {
				e.mu.Lock()
				defer e.mu.Unlock()
				for text, times := range e.times {
					if strings.HasPrefix(text, "claim "+name) {
						n += times
					}
				}
				return n
			}
			want := map[string][4]int{finishes: {3, 0, 0, 3}, doesNot: {3, 3, 0, 3}, dies: {3, 3, 0, 3}, other: {3, 0, 0, 0}, prompts: {3, 0, 0, 0}}[name]
			if got := [4]int{count(old, "early"), count(next, "early"), count(old, "late"), count(next, "late")}; got != want {
				t.Errorf("early and late texts were encoded %v times, want %v", got, want)
			}
		})
	}
}
