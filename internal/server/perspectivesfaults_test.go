package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// An invalid reply of the chat model is refused, and a missing one ends the answer.
func TestPerspectivesFaults(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(chatscript.Request) chatscript.Reply
		status int
		want   []string // of the lines, or parts of the error
	}{
		"a foreign perspective": {func(r chatscript.Request) chatscript.Reply {
			return chatscript.Reply{Content: `{"scores": [{"perspective": "the moon", "score": 1}]}`}
		}, 200, []string{"vector 0 refused", "query -1", "done 0"}},
		"cut JSON": {func(r chatscript.Request) chatscript.Reply {
			if r.Schema == "weights" {
				return geographer(r)
			}
			return chatscript.Reply{Content: `{"query": "nig`}
		}, 200, []string{"vector 0", "refused 0", "refused 2", "query -1", "done 0"}},
		"cut at the bound": {func(r chatscript.Request) chatscript.Reply {
			if strings.Contains(r.System, "climate") && r.Schema != "weights" {
				return chatscript.Reply{Content: `{"query": "night`, Finish: "length"}
			}
			return geographer(r)
		}, 200, []string{"vector 0", "refused 0", "query 2", "done 0"}},
		"garbage": {func(chatscript.Request) chatscript.Reply { return chatscript.Reply{Body: "<html>night"} }, 502, []string{"the chat model could not be asked", "chat_model"}},
		"unauthorized": {func(chatscript.Request) chatscript.Reply {
			return chatscript.Reply{Status: 401, Body: `{"error": {"message": "night"}}`}
		}, 502, []string{"chat_model"}},
		"forbidden later": {func(r chatscript.Request) chatscript.Reply {
			if r.Schema == "weights" {
				return geographer(r)
			}
			return chatscript.Reply{Status: 403}
		}, 200, []string{"vector 0", "error 0 chat_model"}},
		"busy once": {func(r chatscript.Request) chatscript.Reply {
			if r.Number == 1 {
				return chatscript.Reply{Status: 429, Header: map[string]string{"Retry-After": "0"}}
			}
			if r.Number == 3 {
				return chatscript.Reply{Status: 500}
			}
			return geographer(r)
		}, 200, []string{"vector 0", "query 0", "query 2", "done 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log lockedBuffer
			r := withChat(t, chatscript.Serve(t, c.answer), Budget{}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			var lines []string
			answer, text, err := r.askViews(t.Context(), `{"query": "a private night", "domain": "geography"}`, func(l answerLine) {
				line := fmt.Sprintf("%s %d %s", l.Object, l.Index, l.Error.Code)
				if l.Object == "vector" && l.Refused {
					line += "refused"
				}
				lines = append(lines, strings.TrimSpace(line))
			})
			if err != nil || answer.StatusCode != c.status {
				t.Fatalf("%v %s %v", answer, text, err)
			}
			if c.status == http.StatusOK {
				slices.Sort(lines)
				slices.Sort(c.want)
				if !slices.Equal(lines, c.want) {
					t.Errorf("%q, want %q", lines, c.want)
				}
			} else {
				for _, part := range c.want {
					if !strings.Contains(text, part) || strings.Contains(text, "night") {
						t.Errorf("%s", text)
					}
				}
			}
			wait.Until(t, "the request is logged", func() bool { return strings.Contains(log.String(), "/v1/perspectives") })
			if strings.Contains(log.String(), "night") || (name == "cut at the bound") != strings.Contains(log.String(), "1 reply is cut off at the bound on tokens") {
				t.Errorf("a text is in the log, or what was cut is not: %s", log.String())
			}
		})
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A query that a recording lacks is not blamed on a chat model, because none is asked. A request may name a domain as
// --domain does.
func TestPerspectivesNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	politics, err := mvrag.Open("political science")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, nil, func(o *Options) {
		o.Perspectives = &Perspectives{Chat: chat.Settings{URL: "http://127.0.0.1:1", Model: "parrot", Replay: path}, Domains: []*mvrag.Domain{politics}}
	})
	for _, domain := range []string{"political science", "political-science"} {
		answer, text, err := r.askViews(t.Context(), `{"query": "night trains", "domain": "`+domain+`"}`, nil)
		if err != nil || answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, "not_recorded") || !strings.Contains(text, "asks no chat model") {
			t.Errorf("%s: %v %s %v", domain, answer, text, err)
		}
	}
}

// A client that leaves cancels the call of the chat model, and its place is free again.
func TestPerspectivesCancelled(t *testing.T) {
	begun := make(chan struct{}, 10)
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema == "weights" {
			return geographer(r)
		}
		begun <- struct{}{}
		return chatscript.Reply{Wait: time.Minute}
	})
	r := withChat(t, s, Budget{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		<-begun
		cancel()
	}()
	if _, _, err := r.askViews(ctx, `{"query": "night", "domain": "geography"}`, nil); err == nil {
		t.Error("no error")
	}
	wait.Until(t, "both calls are cancelled", func() bool { return s.Left() == 2 })
	wait.Until(t, "the place is free", func() bool { return len(r.views.room) == 0 })
	r.views.budgets.mu.Lock()
	defer r.views.budgets.mu.Unlock()
	if running := r.views.budgets.running; len(running) != 0 {
		t.Errorf("running: %v", running)
	}
	for _, spent := range r.views.budgets.spends {
		if spent.requests != 1 || spent.tokens != chatscript.PromptTokens+chatscript.ReplyTokens+2*chat.DefaultMaxTokens {
			t.Errorf("%+v", spent)
		}
	}
}

// The time of an answer also bounds the encoding of the query as it is.
func TestPerspectivesOfSlowModel(t *testing.T) {
	s := chatscript.Serve(t, func(chatscript.Request) chatscript.Reply { return chatscript.Reply{Content: "no scores"} })
	r := withChat(t, s, Budget{}, nil)
	r.model.gate = make(chan struct{})
	defer close(r.model.gate)
	q, domain, err := r.readPerspectives([]byte(`{"query": "night", "domain": "geography"}`))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := r.views.take()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	written := httptest.NewRecorder()
	v := &viewed{server: r.Server, r: httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/perspectives", nil), w: written, q: q, domain: domain}
	work, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	if err := v.answer(work, asked); err != nil || !strings.Contains(written.Body.String(), `"object":"error","status":503,"error":{"message":"a query was not encoded in time"`) {
		t.Errorf("%v: %s", err, written.Body)
	}
	if ctx.Err() != nil {
		t.Error("the answer waited for the model")
	}
}
