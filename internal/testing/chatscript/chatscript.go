// Package chatscript is a scripted server that speaks OpenAI's API of chat completions,
// for tests of what asks a chat model.
package chatscript

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
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
	Messages []Message
	Path     string
	Key      string // the header Authorization
	Body     []byte // all of it, as JSON
}

// Message is a message of a conversation. There are more than two in a repair.
type Message struct{ Role, Content string }

// Reply is what the server says. The zero Reply is an answer with an empty text.
type Reply struct {
	Content string            // text of the model
	Finish  string            // why the text ends; "" for "stop"
	Silent  bool              // about tokens: the answer reports none
	Status  int               // 0 for 200
	Body    string            // the whole body in place of Content, such as garbage
	Header  map[string]string // more headers, such as Retry-After
	Wait    time.Duration     // before the answer; a client that leaves ends it
	Write   http.HandlerFunc  // writes the answer in place of all this, such as one without an end
}

// InTurn gives replies in their order, the last one for ever.
func InTurn(replies ...Reply) func(Request) Reply {
	return func(r Request) Reply { return replies[min(r.Number, len(replies))-1] }
}

// Says always replies with a text.
func Says(content string) func(Request) Reply { return InTurn(Reply{Content: content}) }

// Tokens that every answer of the model reports.
const (
	PromptTokens = 100
	ReplyTokens  = 20
)

// Server is the scripted server.
type Server struct {
	URL string // base address of the API

	http *httptest.Server
	mu   sync.Mutex
	all  []Request
	left int
}

// Serve starts a server that answers with what answer makes of a request. Several requests
// may be answered at a time.
func Serve(t testing.TB, answer func(Request) Reply) *Server {
	s := &Server{}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has left
		}
		var asked struct {
			Messages []Message
			Format   struct {
				Schema struct{ Name string } `json:"json_schema"`
			} `json:"response_format"`
		}
		if err := json.Unmarshal(body, &asked); err != nil || len(asked.Messages) < 2 {
			t.Errorf("a request that is no question: %v", err)
			return
		}
		first := asked.Messages[:2]
		request := Request{0, asked.Format.Schema.Name, first[0].Content, unfenced(t, first[1].Content), asked.Messages, r.URL.Path, r.Header.Get("Authorization"), body}
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
		reply.write(w, r)
	}))
	t.Cleanup(s.Stop)
	s.URL = s.http.URL + "/v1"
	return s
}

// Stop ends the server before the test does.
func (s *Server) Stop() { s.http.Close() }

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

func (r *Reply) write(w http.ResponseWriter, request *http.Request) {
	if r.Write != nil {
		r.Write(w, request)
		return
	}
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
	finish := r.Finish
	if finish == "" {
		finish = "stop"
	}
	answer := map[string]any{
		"object":  "chat.completion",
		"choices": []any{map[string]any{"finish_reason": finish, "message": map[string]string{"role": "assistant", "content": r.Content}}},
	}
	if !r.Silent {
		answer["usage"] = map[string]int{"prompt_tokens": PromptTokens, "completion_tokens": ReplyTokens}
	}
	json.NewEncoder(w).Encode(answer)
}
