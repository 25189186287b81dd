// Package chatserver is a server that speaks OpenAI's API of chat completions, whose model
// is a function of the test.
package chatserver

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Server is a running server. It counts 10 tokens in every prompt and 2 in every reply.
type Server struct {
	URL      string       // base address, ending in /v1
	Requests atomic.Int64 // that it has had
	Most     atomic.Int64 // requests that it answers; more are forbidden (status 403); 0: all
	server   *httptest.Server
}

// Question is what a model is asked.
type Question struct {
	System, User string // the first two messages
	Messages     int    // with those that ask for a repair
}

// Start starts a server until the test ends.
func Start(t testing.TB, reply func(q Question) string) *Server {
	s := &Server{}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if n := s.Requests.Add(1); s.Most.Load() > 0 && n > s.Most.Load() {
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(`{"error": {"message": "enough"}}`))
			return
		}
		var asked struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) < 2 {
			t.Errorf("a request that is none: %v", err)
			return
		}
		content := reply(Question{asked.Messages[0].Content, asked.Messages[1].Content, len(asked.Messages)})
		json.NewEncoder(w).Encode(map[string]any{
			"usage":   map[string]int{"prompt_tokens": 10, "completion_tokens": 2},
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"content": content}}},
		})
	}))
	s.URL = s.server.URL + "/v1"
	t.Cleanup(s.server.Close)
	return s
}

// Stop ends the server before the test does.
func (s *Server) Stop() { s.server.Close() }

// Parts takes the user's message apart into its named texts, in their order. A text
// without a name has the name "".
func Parts(t testing.TB, user string) (names, texts []string) {
	body := unfence(t, user)
	if !strings.Contains(body, ":\n```") {
		return []string{""}, []string{body}
	}
	for body != "" {
		name, rest, named := strings.Cut(body, ":\n")
		fence, rest, opened := strings.Cut(rest, "\n")
		text, rest, closed := strings.Cut(rest, "\n"+fence)
		if !named || !opened || !closed || strings.Trim(fence, "`") != "" {
			t.Errorf("no named text in a fence: %q", body)
			return names, texts
		}
		names, texts = append(names, name), append(texts, text)
		body = strings.TrimPrefix(rest, "\n\n")
	}
	return names, texts
}

func unfence(t testing.TB, text string) string {
	fence, rest, _ := strings.Cut(text, "\n")
	body, ok := strings.CutSuffix(rest, "\n"+fence)
	if !ok || len(fence) < 3 || strings.Trim(fence, "`") != "" {
		t.Errorf("not in a fence: %q", text)
	}
	return body
}
