package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// asking is a server whose chat model is scripted.
func asking(t *testing.T, answer func(chatscript.Request) chatscript.Reply, b server.Budget) (*httptest.Server, *chatscript.Server) {
	t.Helper()
	d, err := mvrag.Parse("cooking.yaml", []byte("name: cooking\nperspectives:\n- {name: taste, description: d}\n- {name: cost, description: e}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := chatscript.Serve(t, answer)
	_, h := start(t, func(o *server.Options) {
		o.Perspectives = &server.Perspectives{Chat: chat.Settings{URL: s.URL, Model: "parrot"}, Domains: []*mvrag.Domain{d}, Budget: b}
	})
	return h, s
}

func cook(r chatscript.Request) chatscript.Reply {
	if r.Schema == "weights" {
		return chatscript.Reply{Content: `{"scores": [{"perspective": "taste", "score": 0.2}, {"perspective": "cost", "score": 0.8}]}`}
	}
	return chatscript.Reply{Content: `{"query": "what does soup cost"}`}
}

// The client gets the perspective vector, then the rewritten query with the vector that
// the model gives it.
func TestPerspectives(t *testing.T) {
	h, _ := asking(t, cook, server.Budget{Requests: 2})
	c := dial(t, stream(h), client.Options{})
	var weights []client.PerspectiveWeight
	var queries []client.PerspectiveQuery
	vector := func(w []client.PerspectiveWeight) error {
		if len(queries) > 0 {
			t.Error("a query came first")
		}
		weights = w
		return nil
	}
	asked := func(q client.PerspectiveQuery) error { queries = append(queries, q); return nil }
	used, err := c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{}, vector, asked)
	if err != nil || *used != (client.PerspectivesUsage{Requests: 2, PromptTokens: 2 * chatscript.PromptTokens, ReplyTokens: 2 * chatscript.ReplyTokens}) {
		t.Fatalf("%+v %v", used, err)
	}
	want, err := c.Encode(t.Context(), []string{"what does soup cost"}, client.EncodeOptions{Role: vantage.RoleQuery, DType: client.F32})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(weights, []client.PerspectiveWeight{{Name: "taste", Score: 0.2}, {Name: "cost", Score: 0.8, Weight: 0.8}}) || len(queries) != 1 {
		t.Fatalf("%+v %+v", weights, queries)
	}
	if q := queries[0]; q.Perspective != 1 || q.Weight != 0.8 || q.Query != "what does soup cost" || !slices.Equal(q.Vector, want[0].Vector) {
		t.Errorf("%+v", q)
	}
	most := 0.9
	queries = nil
	if _, err := c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{Domain: "cooking", Threshold: &most}, vector, asked); err != nil || len(queries) != 1 || queries[0].Perspective != -1 || queries[0].Query != "soup" {
		t.Errorf("%+v %v", queries, err)
	}
	_, err = c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{}, vector, asked)
	if refused, ok := errors.AsType[*client.StatusError](err); !ok || refused.Status != http.StatusTooManyRequests || refused.Retry <= 0 || !strings.Contains(refused.Reason, "requests") {
		t.Errorf("%v", err)
	}
	if _, err := c.Perspectives(t.Context(), "\xff", client.PerspectivesOptions{}, vector, asked); fault.Of(err) != fault.Input {
		t.Errorf("%v", err)
	}
}

// An error of the caller, and the end of its context, end the call on the server.
func TestPerspectivesEnd(t *testing.T) {
	h, s := asking(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema == "weights" {
			return cook(r)
		}
		return chatscript.Reply{Wait: time.Minute}
	}, server.Budget{})
	c := dial(t, stream(h), client.Options{})
	enough := errors.New("enough")
	none := func(client.PerspectiveQuery) error { return nil }
	if _, err := c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{}, func([]client.PerspectiveWeight) error { return enough }, none); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := c.Perspectives(ctx, "soup", client.PerspectivesOptions{}, func([]client.PerspectiveWeight) error { cancel(); return nil }, none); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{}, func([]client.PerspectiveWeight) error { go c.Close(); return nil }, none); !errors.Is(err, client.ErrClosed) {
		t.Errorf("%v", err)
	}
	// Those calls that had begun to ask are cancelled.
	wait.Until(t, "calls are cancelled", func() bool {
		rewrites := 0
		for _, r := range s.Asked() {
			if r.Schema == "rewritten" {
				rewrites++
			}
		}
		return s.Left() == rewrites
	})
}

// Answers that break the protocol are refused.
func TestPerspectivesViolations(t *testing.T) {
	const first = `{"object":"vector","perspectives":[{"name":"a","score":1,"weight":1}],"revision":"REVISION"}` + "\n"
	var body string
	e, h := start(t, nil)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/perspectives" {
			h.Config.Handler.ServeHTTP(w, r)
			return
		}
		io.WriteString(w, strings.ReplaceAll(body, "REVISION", e.Info().Revision))
	}))
	defer proxy.Close()
	c := dial(t, stream(proxy), client.Options{})
	for text, want := range map[string]string{
		"":                          "unexpected EOF",
		first:                       "unexpected EOF",
		"<html>\n":                  "not JSON",
		`{"object":"done"}`:         "not the first line",
		first + first:               "not the only one",
		first + `{"object":"done"}`: "without their usage",
		first + `{"object":"query","index":1,"embedding":""}`:                              "a query of perspective 1, of 1",
		first + `{"object":"query","index":-2,"embedding":""}`:                             "a query of perspective -2",
		first + `{"object":"query","index":0,"embedding":"AAAA"}`:                          "not base64 of",
		first + `{"object":"query","index":0,"embedding":"!"}`:                             "not base64 of",
		first + `{"object":"refused","index":0}` + "\n" + `{"object":"refused","index":0}`: "a query of perspective 0",
		first + strings.Repeat(" ", 2<<20):                                                 "too long",
		first + `{"object":"error","status":503,"error":{"message":"gone"}}`:               "503",
		strings.ReplaceAll(first, "REVISION", "other"):                                     "another revision",
	} {
		body = text
		_, err := c.Perspectives(t.Context(), "soup", client.PerspectivesOptions{}, func([]client.PerspectiveWeight) error { return nil }, func(client.PerspectiveQuery) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, want %s", text, err, want)
		}
	}
}
