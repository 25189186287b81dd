package chat

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted is a server that speaks the API. It gives its answers in turn, the last one
// for ever, and keeps the requests.
type scripted struct {
	*httptest.Server
	answers []http.HandlerFunc
	mu      sync.Mutex
	all     []request
}

func (s *scripted) asked() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

type request struct {
	Model       string
	MaxTokens   int `json:"max_tokens"`
	NewTokens   int `json:"max_completion_tokens"`
	Temperature *float64
	Messages    []struct{ Role, Content string }
	Format      struct {
		Type   string
		Schema struct {
			Name   string
			Strict bool
			Schema any
		} `json:"json_schema"`
		Object any `json:"schema"`
	} `json:"response_format"`
	path, key string
}

func serve(t *testing.T, answers ...http.HandlerFunc) *scripted {
	s := &scripted{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked request
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		io.Copy(io.Discard, r.Body) // until the body is read, the server does not see that a client leaves
		asked.path, asked.key = r.URL.Path, r.Header.Get("Authorization")
		s.mu.Lock()
		s.all = append(s.all, asked)
		n := len(s.all)
		s.mu.Unlock()
		s.answers[min(n, len(s.answers))-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func says(content string) http.HandlerFunc { return ends(content, "stop") }

func ends(content, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"object": "chat.completion", "usage": map[string]int{"prompt_tokens": 100, "completion_tokens": 20},
			"choices": []any{map[string]any{"finish_reason": reason, "message": map[string]string{"role": "assistant", "content": content}}},
		})
	}
}

func raw(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// packed sends a small body that is far too long when it is unpacked.
func packed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	io.WriteString(z, strings.Repeat(" ", 2<<20))
	z.Close()
}

// endless sends a body without an end, as fast as it can or a byte at a time.
func endless(slow bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			if slow {
				time.Sleep(time.Millisecond)
			}
		}
	}
}
