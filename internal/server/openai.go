package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel/trace"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// embeddingsRequest is the body of POST /v1/embeddings.
type embeddingsRequest struct {
	Input      json.RawMessage `json:"input"`
	Model      string          `json:"model"`
	Format     string          `json:"encoding_format"`
	Dimensions *int            `json:"dimensions"`
	Role       encoder.Role    `json:"role"` // not in OpenAI's API: query, document or another prompt
}

type embeddingData struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`           // []float32, or base64 of their little-endian bytes
	Truncated bool   `json:"truncated,omitempty"` // not in OpenAI's API: the text was longer than the model's limit
}

type usage struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

// answerTime is the time that a request may take, from the arrival of its headers to the
// last byte of its answer.
const answerTime = 2 * time.Minute

// workTime is the part of answerTime until everything is encoded. What is left is for writing the answer.
const workTime = answerTime - 10*time.Second

// bodyBytes is the memory per byte of a body: the body, the JSON of its input, and the
// growing lists of texts or ids that are read from it.
const bodyBytes = 5

// textBytes is the memory of a text until the answer is sent, without its vector.
const textBytes = jobBytes + 256

// bounded answers a request for encoding within the limits of its address. It passes a context
// that ends with the client or the time to encode, the memory that the request holds, and its
// body. With that a request is accepted: a server that stops finishes it, and refuses later ones.
func (s *Server) bounded(w http.ResponseWriter, r *http.Request, answer func(ctx context.Context, memory *held, body []byte) error) {
	addr := s.access.address(r)
	if !s.access.connect(addr) { // a request counts as a socket
		s.refuseEncoding(w, &overloadError{"too many connections", time.Second})
		return
	}
	defer s.access.disconnect(addr)
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime))
	ctx, cancel := context.WithTimeout(r.Context(), s.workTime)
	defer cancel()
	memory := &held{server: s, addr: addr}
	defer memory.free()
	err := memory.take(requestCost(r))
	var body []byte
	if err == nil {
		body, err = s.readBody(w, r, memory)
	}
	if err == nil && !s.accept() {
		err = errShuttingDown
	} else if err == nil {
		defer s.answering.Done()
		err = answer(ctx, memory, body)
	}
	if e, ok := errors.AsType[*apiError](err); ok {
		failHTTP(w, e)
	} else if err != nil && r.Context().Err() == nil {
		s.refuseEncoding(w, err)
	}
}

// accept counts a request as being answered, unless the server is stopping.
func (s *Server) accept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.answering.Add(1)
	return true
}

// embeddings answers POST /v1/embeddings.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request) {
	s.bounded(w, r, func(ctx context.Context, memory *held, body []byte) error {
		q, asks, err := s.readRequest(body)
		if err != nil {
			return err
		}
		if err := memory.take(int64(len(asks) * (textBytes + roundUp(4*s.engine.info.Dim)))); err != nil {
			return err
		}
		embeddings, err := s.encodeAll(ctx, r, s.engine.role(q.Role), false, asks)
		if err != nil {
			return err
		}
		s.writeEmbeddings(w, q, embeddings)
		return nil
	})
}

// writeEmbeddings writes the answer vector by vector, because the whole answer would take
// many times the memory of the vectors.
func (s *Server) writeEmbeddings(w http.ResponseWriter, q *embeddingsRequest, embeddings []encoder.Embedding) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	out := bufio.NewWriterSize(w, 16<<10)
	out.WriteString(`{"object":"list","data":[`)
	tokens := 0
	for i, got := range embeddings {
		if i > 0 {
			out.WriteByte(',')
		}
		v := got.Vector
		if q.Dimensions != nil {
			v = shorten(v, *q.Dimensions, s.engine.info.Normalize)
		}
		one := embeddingData{Object: "embedding", Index: i, Embedding: v, Truncated: got.Truncated}
		if q.Format == "base64" {
			one.Embedding = base64Of(v)
		}
		if _, err := out.Write(mustJSON(one)); err != nil {
			return // the client has gone
		}
		tokens += got.Tokens
	}
	fmt.Fprintf(out, `],"model":%s,"usage":%s}`+"\n", mustJSON(s.engine.info.ID), mustJSON(usage{tokens, tokens}))
	out.Flush()
}

// mustJSON returns a value as JSON. The value may only contain texts and finite
// numbers.
func mustJSON(value any) []byte {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return b
}

// refuseEncoding answers if nothing was encoded. The status is that of the kind of
// fault, but 429 if there is too much work, as in OpenAI's API.
func (s *Server) refuseEncoding(w http.ResponseWriter, err error) {
	kind := fault.Of(err)
	answer := &apiError{Status: kind.Facts().HTTP, Message: err.Error(), Type: serverError}
	overload, overloaded := errors.AsType[*overloadError](err)
	switch {
	case overloaded:
		answer.Status, answer.Type, answer.Code, answer.Retry = http.StatusTooManyRequests, rateLimit, "overloaded", overload.retry
		s.refuse(w, "overloaded", answer)
	case errors.Is(err, errShuttingDown):
		answer.Code, answer.Retry = "shutting_down", goodbyeRetry
		s.refuse(w, "shutting_down", answer)
	case errors.Is(err, context.DeadlineExceeded):
		answer.Status, answer.Code, answer.Retry = http.StatusServiceUnavailable, "overloaded", time.Second
		answer.Message = fmt.Sprintf("the texts were not all encoded within %v: send fewer at a time", s.workTime)
		failHTTP(w, answer)
	case kind == fault.Query:
		answer.Type, answer.Param = invalidRequest, "root"
		failHTTP(w, answer)
	case kind == fault.Limit:
		answer.Type, answer.Param = invalidRequest, "input"
		failHTTP(w, answer)
	default:
		failHTTP(w, answer)
	}
}

// readBody reads the body of a request, and counts its memory.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, memory *held) ([]byte, error) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		e := wrong("", "the body has the Content-Encoding %.40q: send it without one", coding)
		e.Status = http.StatusUnsupportedMediaType
		return nil, e
	}
	body, err := io.ReadAll(memory.reader(http.MaxBytesReader(w, r.Body, int64(s.limits.MessageBytes)), bodyBytes))
	if err != nil {
		if isFull(err) {
			return nil, err
		}
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			e := wrong("input", "the body has more than %d bytes: send fewer texts at a time", s.limits.MessageBytes)
			e.Status = http.StatusRequestEntityTooLarge
			return nil, e
		}
		return nil, wrong("input", "the body could not be read to its end")
	}
	if !utf8.Valid(body) { // decoding would replace each invalid byte by three bytes
		return nil, wrong("input", "the body is not UTF-8")
	}
	return body, nil
}

// readRequest reads and checks a request.
func (s *Server) readRequest(body []byte) (*embeddingsRequest, []ask, error) {
	var q embeddingsRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, nil, wrongBody(err, "the body is not the JSON of an embeddings request: give input, a text or a list of texts")
	}
	if err := s.checkModel(q.Model); err != nil {
		return nil, nil, err
	}
	info := s.engine.info
	switch {
	case q.Format != "" && q.Format != "float" && q.Format != "base64":
		return nil, nil, wrong("encoding_format", "encoding_format is float or base64")
	case q.Dimensions != nil && (*q.Dimensions < 1 || *q.Dimensions > info.Dim):
		return nil, nil, wrong("dimensions", "dimensions is from 1 to %d, the model's", info.Dim)
	case !s.knowsRole(q.Role):
		return nil, nil, wrong("role", "role is query, document, root, perspective or one of the model's prompts")
	}
	asks, e := readInput(q.Input, s.limits.Texts)
	if e != nil {
		return nil, nil, e
	}
	if e := s.checkInput(asks, q.Role); e != nil {
		return nil, nil, e
	}
	q.Input = nil
	return &q, asks, nil
}

// knowsRole reports whether texts may have the role.
func (s *Server) knowsRole(role encoder.Role) bool {
	switch role {
	case encoder.NoRole, encoder.Query, encoder.Document, roleRoot, rolePerspective:
		return true
	}
	_, ok := s.engine.info.Prompts[string(role)]
	return ok
}

// encodeAll waits for the vectors of all texts, but only until the context of bounded ends. If
// sides is set, the vectors are those of sideModel.encode.
func (s *Server) encodeAll(ctx context.Context, r *http.Request, role encoder.Role, sides bool, asks []ask) ([]encoder.Embedding, error) {
	var mu sync.Mutex
	var failed error
	embeddings := make([]encoder.Embedding, len(asks))
	left, done := len(asks), make(chan struct{})
	o := newOrder(len(asks), role, ctx.Err, func(i int, got encoder.Embedding, err error) {
		mu.Lock()
		defer mu.Unlock()
		embeddings[i] = got
		if err != nil {
			failed = err
		}
		if left--; left == 0 {
			close(done)
		}
	})
	o.sides = sides
	for i, a := range asks {
		o.add(i, a)
	}
	key, _ := s.access.key(r)
	trail := s.tracing.follow(trace.SpanFromContext(ctx), o, false)
	if err := s.engine.submit(asker{s.access.address(r), key}, &lane{}, o); err != nil {
		trail.refused(err)
		return nil, err
	}
	select {
	case <-done:
	case <-ctx.Done():
		s.engine.sweep(o)
		return nil, ctx.Err()
	}
	return embeddings, failed
}

// shorten returns the first components of a vector. It scales them to length 1 if the
// model's vectors have length 1. The vector itself does not change.
func shorten(v []float32, dimensions int, normalize bool) []float32 {
	if dimensions == 0 || dimensions >= len(v) {
		return v
	}
	short := append([]float32(nil), v[:dimensions]...)
	if !normalize {
		return short
	}
	sum := 0.0
	for _, x := range short {
		sum += float64(float64(x) * float64(x))
	}
	if sum > 0 {
		for i := range short {
			short[i] = float32(float64(short[i]) / math.Sqrt(sum))
		}
	}
	return short
}
