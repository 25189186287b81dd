// Package chatscript is a scripted server that speaks OpenAI's API of chat completions,
// for tests of what asks a chat model.
package chatscript

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Request is what a client asked.
type Request struct {
	Number   int    // from 1
	Schema   string // name of the schema of replies
	System   string
	Text     string // the user's first message without its outer fence
	Messages int    // more than two in a repair
	Key      string // the header Authorization
}

// Reply is what the server says. The zero Reply is an answer with an empty text.
type Reply struct {
	Content string            // text of the model
	Status  int               // 0 for 200
	Body    string            // the whole body in place of Content, such as garbage
	Header  map[string]string // more headers, such as Retry-After
	Wait    time.Duration     // before the answer; a client that leaves ends it
}

// Tokens that every answer of the model reports.
const (
	PromptTokens = 100
	ReplyTokens  = 20
)

// Server is the scripted server.
type Server struct {
	URL string // base address of the API

	mu   sync.Mutex
	all  []Request
	left int
}

// Serve starts a server that answers with what answer makes of a request. Several requests
// may be answered at a time.
func Serve(t testing.TB, answer func(Request) Reply) *Server {
	s := &Server{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Messages []struct{ Content string }
			Format   struct {
				Schema struct{ Name string } `json:"json_schema"`
			} `json:"response_format"`
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has left
		}
		if err := json.Unmarshal(body, &asked); err != nil || len(asked.Messages) < 2 {
			t.Errorf("a request that is no question: %v", err)
			return
		}
		request := Request{Schema: asked.Format.Schema.Name, System: asked.Messages[0].Content, Text: unfenced(t, asked.Messages[1].Content), Messages: len(asked.Messages), Key: r.Header.Get("Authorization")}
		s.mu.Lock()
		request.Number = len(s.all) + 1
		s.all = append(s.all, request)
		s.mu.Unlock()
		reply := answer(request)
		select {
		case <-time.After(reply.Wait):
		case <-r.Context().Done():
			s.mu.Lock()
			s.left++
			s.mu.Unlock()
			return
		}
		reply.write(w)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// Asked are the requests so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.all...)
}

// Left is how many clients left before their answer.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

func (r *Reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	if r.Status != 0 {
		w.WriteHeader(r.Status)
	}
	if r.Body != "" || r.Status != 0 {
		io.WriteString(w, r.Body)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{
		"object": "chat.completion", "usage": map[string]int{"prompt_tokens": PromptTokens, "completion_tokens": ReplyTokens},
		"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": r.Content}}},
	})
}

// unfenced takes a text out of its fence, and fails if a line of it closes the fence.
func unfenced(t testing.TB, message string) string {
	fence, rest, _ := strings.Cut(message, "\n")
	text, ok := strings.CutSuffix(rest, "\n"+fence)
	if len(fence) < 3 || strings.Trim(fence, "`") != "" || !ok || strings.Contains(text, fence) {
		t.Errorf("a text is not in a fence, or closes it: %q", message)
	}
	return text
}
