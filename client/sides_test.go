package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/server/servertest"
	"github.com/vantage-search/vantage/sides"
)

// A server with the bundled pack tells sides, with the numbers of a reranker to the bit. A
// call of many texts is split, and repeated while the server has no room.
func TestSides(t *testing.T) {
	ctx := t.Context()
	e, err := packmodel.Open(ctx, sides.Files(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	o := server.Options{Limits: server.DefaultLimits(), Log: slog.New(slog.DiscardHandler), Keys: []string{"secret"}}
	o.Limits.Rate, o.Limits.Texts = 0, 4
	s, err := server.New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	h := servertest.Serve(t, handler{s, func(w http.ResponseWriter, r *http.Request) bool {
		busy := r.URL.Path == "/v1/sides" && asked.Add(1) == 2
		if busy {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return busy
	}})
	c, err := client.Dial(ctx, stream(h), client.Options{Key: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	own, err := vantage.NewReranker(ctx, sides.Encoder(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	const root = "School uniforms should be compulsory"
	texts := []string{"Uniforms are good for pupils: they end bullying over clothes.", "Uniforms harm pupils: they suppress who they are.", "A train to Vienna leaves at ten.",
		"School uniforms exist in many countries.", "Uniforms make schools safer.", "", strings.Repeat("Uniforms are a waste of money. ", 60)}
	for _, root := range []string{root, "school uniforms"} { // a claim, and a phrase that is made one
		asked.Store(0)
		got, err := c.Sides(ctx, root, texts)
		if err != nil {
			t.Fatal(err)
		}
		if n := asked.Load(); n != 3 {
			t.Errorf("%d requests", n)
		}
		want, err := own.SidesOf(ctx, vantage.SidesQuery{Root: root, K: len(texts)}, texts)
		if err != nil {
			t.Fatal(err)
		}
		if got.For != want.For.Count || got.Neither != want.Neither.Count || got.Against != want.Against.Count || got.OffSubject == 0 || got.For*got.Against == 0 ||
			got.For+got.Neither+got.Against+got.OffSubject != len(texts) || got.Tokens < 300 || !got.Texts[6].Truncated || got.Texts[0].Truncated {
			t.Errorf("%s: %+v, a reranker counts %d, %d and %d", root, got, want.For.Count, want.Neither.Count, want.Against.Count)
		}
		for _, side := range []vantage.SideHits{want.For, want.Neither, want.Against} {
			for _, h := range side.Hits {
				if s := got.Texts[h.Index]; !s.OnSubject || s.Side != h.Stance.Side || s.Probability != h.Stance.Probability || s.Cosine != h.Stance.Cosine || s.Slant != h.Stance.Slant {
					t.Errorf("%s: text %d: %+v, a reranker says %+v", root, h.Index, s, h.Stance)
				}
			}
		}
	}
	if _, err := c.Sides(ctx, "", texts); !errors.Is(err, vantage.ErrInput) || !strings.Contains(err.Error(), "root is missing") {
		t.Error(err)
	}
	if _, err := c.Sides(ctx, root, []string{"\xff"}); !errors.Is(err, vantage.ErrInput) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.Sides(ended, root, texts); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.Close()
	if _, err := c.Sides(ctx, root, texts); !errors.Is(err, client.ErrClosed) {
		t.Error(err)
	}
}

// A call is also split where the server takes no longer requests, whatever JSON makes of the texts.
func TestSidesSplitByBytes(t *testing.T) {
	const most = 20_000
	var portions []int // of texts; the requests come one after the other
	greeting := greet(t, fmt.Sprintf(`{"model": {"id": "m", "revision": "1", "dim": 2}, "limits": {"texts": 100, "message_bytes": %d}}`, most))
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/sides" {
			greeting(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		var asked struct{ Texts []string }
		if err := json.Unmarshal(body, &asked); err != nil {
			t.Error(err)
		}
		portions = append(portions, len(asked.Texts))
		json.NewEncoder(w).Encode(map[string]any{"revision": "1", "data": make([]client.Side, len(asked.Texts)), "counts": map[string]int{"for": len(asked.Texts)}})
	}))
	defer h.Close()
	c := dial(t, stream(h), client.Options{})
	got, err := c.Sides(t.Context(), "a root", slices.Repeat([]string{strings.Repeat("\x01<", 500)}, 7)) // 6,000 bytes of JSON each
	if err != nil || len(got.Texts) != 7 || got.For != 7 || !slices.Equal(portions, []int{3, 3, 1}) {
		t.Errorf("%+v, %v; requests of %v texts", got, err, portions)
	}
	portions = nil
	if got, err := c.Sides(t.Context(), "a root", []string{strings.Repeat("a", most-2000), "b"}); err != nil || len(got.Texts) != 2 || !slices.Equal(portions, []int{1, 1}) {
		t.Errorf("a text as long as a request: %v; requests of %v texts", err, portions)
	}
}

// handler answers instead of the server if it returns true.
type handler struct {
	*server.Server
	instead func(w http.ResponseWriter, r *http.Request) bool
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.instead(w, r) {
		h.Server.ServeHTTP(w, r)
	}
}

// A server whose model cannot tell sides apart says so. A server that answers nonsense is at
// fault, and one that has another revision by now must be dialed again.
func TestSidesRefused(t *testing.T) {
	_, h := start(t, nil)
	c, err := client.Dial(t.Context(), stream(h), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var refused *client.StatusError
	if _, err := c.Sides(t.Context(), "a", []string{"b"}); !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(err.Error(), "cannot tell sides apart") {
		t.Error(err)
	}
	var said atomic.Value
	nonsense := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/sides" {
			w.Write([]byte(said.Load().(string)))
			return
		}
		h.Config.Handler.ServeHTTP(w, r)
	}))
	defer nonsense.Close()
	other, err := client.Dial(t.Context(), stream(nonsense), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for answer, want := range map[string]string{`{"data":[]}`: "not the sides of 1 texts", `{"revision":"another","data":[{}]}`: "dial again"} {
		said.Store(answer)
		if _, err := other.Sides(t.Context(), "a", []string{"b"}); !errors.Is(err, vantage.ErrIntegrity) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// Close ends a call that waits for the server, or reads its answer.
func TestCloseEndsSides(t *testing.T) {
	_, h := start(t, nil)
	for _, status := range []int{http.StatusTooManyRequests, http.StatusOK, http.StatusBadRequest} {
		asked := make(chan struct{}, 1)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/sides" {
				h.Config.Handler.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(status)
			w.(http.Flusher).Flush()
			asked <- struct{}{}
			if status != http.StatusTooManyRequests {
				<-r.Context().Done()
			}
		}))
		t.Cleanup(front.Close)
		c := dial(t, stream(front), client.Options{})
		done := make(chan error, 1)
		go func() {
			_, err := c.Sides(context.Background(), "a", []string{"b"})
			done <- err
		}()
		<-asked
		time.Sleep(50 * time.Millisecond) // so that the client has the answer's head
		c.Close()
		select {
		case err := <-done:
			if !errors.Is(err, client.ErrClosed) {
				t.Errorf("%d: %v", status, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%d: the call goes on after Close", status)
		}
	}
}
