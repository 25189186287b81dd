package server

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// perspectives answers POST /v1/perspectives: lines of JSON, each sent when it is known.
func (s *Server) perspectives(w http.ResponseWriter, r *http.Request) {
	if s.views == nil {
		failHTTP(w, &apiError{Status: http.StatusNotFound, Message: "this server asks no chat model: see --chat-model", Type: invalidRequest, Code: "no_chat_model"})
		return
	}
	s.bounded(w, r, func(ctx context.Context, memory *held, body []byte) error {
		q, domain, err := s.readPerspectives(body)
		if err != nil {
			return err
		}
		n := len(domain.Perspectives)
		if err := memory.take(int64(n * (textBytes + roundUp(8*s.engine.info.Dim+2*len(q.Query))))); err != nil {
			return err
		}
		select {
		case s.views.room <- struct{}{}:
			defer func() { <-s.views.room }()
		default:
			return &overloadError{"too many requests ask the chat model", time.Second}
		}
		end, refused := s.views.budgets.begin(s.clientOf(r))
		if refused != nil {
			s.refuse(w, "budget", refused)
			return nil
		}
		asked, err := s.views.take()
		if err != nil {
			end(0)
			return err
		}
		before := asked.Usage()
		v := &viewed{server: s, r: r, w: w, q: q, domain: domain, usage: func() chatUsage {
			used := asked.Usage().Since(before)
			return chatUsage{used.Requests, used.PromptTokens, used.ReplyTokens}
		}}
		defer func() {
			used := v.usage()
			whole := asked.Usage().Since(before)
			end(used.PromptTokens + used.CompletionTokens + s.views.uncounted(whole))
			if remark := whole.Remark(); remark != "" {
				s.log.Warn(remark)
			}
			s.metrics.chatTokens.Add(float64(used.PromptTokens + used.CompletionTokens))
			s.views.give(asked)
		}()
		return v.answer(ctx, asked)
	})
}

// clientOf names the client for its budget: its key, or without keys its address.
func (s *Server) clientOf(r *http.Request) string {
	if number, _ := s.access.key(r); number > 0 {
		return fmt.Sprintf("key %d", number)
	}
	return s.access.address(r).String()
}

// viewed is an answer that is being written.
type viewed struct {
	server *Server
	r      *http.Request
	w      http.ResponseWriter
	q      *perspectivesRequest
	domain *mvrag.Domain
	usage  func() chatUsage

	mu    sync.Mutex
	asked int // queries that were sent
}

// answer asks the chat model. Its errors are those before the first line; later ones are a
// line of their own.
func (v *viewed) answer(ctx context.Context, asked *chat.Client) error {
	model, err := mvrag.NewModel(asked, v.domain)
	if err != nil {
		return v.early(err)
	}
	scores, err := model.Weigh(ctx, v.q.Query)
	refused := fault.Is[*chat.ReplyError](err)
	if err != nil && !refused {
		return v.early(err)
	}
	if refused {
		scores = make([]float64, len(v.domain.Perspectives))
	}
	info := v.server.engine.info
	first := vectorLine{"vector", v.domain.Name, asked.Model(), info.ID, info.Revision, *v.q.Threshold, nil, refused}
	weights := mvrag.Vector(scores, *v.q.Threshold)
	for i, p := range v.domain.Perspectives {
		first.Perspectives = append(first.Perspectives, weighted{p.Name, scores[i], weights[i]})
	}
	v.w.Header().Set("Content-Type", "application/x-ndjson")
	v.w.Header().Set("X-Accel-Buffering", "no") // nginx would wait for more
	v.w.WriteHeader(http.StatusOK)
	if err := v.line(first); err != nil {
		return nil // the client has gone
	}
	group, together := errgroup.WithContext(ctx)
	for i, weight := range weights {
		if weight > 0 {
			group.Go(func() error { return v.rewrite(together, model, i, weight) })
		}
	}
	err = group.Wait()
	if err == nil && v.asked == 0 {
		err = v.embed(ctx, mvrag.Plain, 1, v.q.Query)
	}
	switch {
	case v.r.Context().Err() != nil:
	case err != nil:
		failed := v.failed(err)
		v.line(errorLine{"error", failed.Status, failed})
	default:
		v.line(doneLine{"done", v.usage()})
	}
	return nil
}

// early is the error of a request without a line yet. If the client has left, that is the reason, whatever has failed then.
func (v *viewed) early(err error) error {
	if gone := v.r.Context().Err(); gone != nil {
		return gone
	}
	return v.failed(err)
}

// rewrite sends the query of a perspective when it is written.
func (v *viewed) rewrite(ctx context.Context, model *mvrag.Model, perspective int, weight float64) error {
	text, err := model.Rewrite(ctx, v.q.Query, perspective)
	if fault.Is[*chat.ReplyError](err) {
		return v.line(refusedLine{"refused", perspective})
	}
	if err != nil {
		return err
	}
	return v.embed(ctx, perspective, weight, text)
}

// errEncodedLate says that the time of an answer ended while the encoder was at work.
var errEncodedLate = errors.New("a query was not encoded in time")

// embed sends a query with its vector.
func (v *viewed) embed(ctx context.Context, perspective int, weight float64, text string) error {
	got, err := v.server.encodeAll(ctx, v.r, encoder.Query, false, []ask{{text: text}})
	if errors.Is(err, context.DeadlineExceeded) {
		return errEncodedLate
	}
	if err != nil {
		return err
	}
	one := queryLine{"query", perspective, weight, text, got[0].Vector, got[0].Truncated}
	if v.q.Format == "base64" {
		one.Embedding = base64Of(got[0].Vector)
	}
	v.mu.Lock()
	v.asked++
	v.mu.Unlock()
	return v.line(one)
}

// line writes a line and sends it at once.
func (v *viewed) line(value any) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.w.Write(append(mustJSON(value), '\n')); err != nil {
		return err
	}
	return http.NewResponseController(v.w).Flush()
}

// failed is the error of a request that could not be answered. What the chat model's host
// says is neither sent nor logged, because it may repeat a text.
func (v *viewed) failed(err error) *apiError {
	if errors.Is(err, errEncodedLate) {
		return &apiError{Status: http.StatusServiceUnavailable, Message: err.Error(), Type: serverError, Code: "overloaded", Retry: time.Second}
	}
	if _, own := errors.AsType[*overloadError](err); own {
		return &apiError{Status: http.StatusTooManyRequests, Message: "too much is waiting to be encoded", Type: rateLimit, Code: "overloaded", Retry: time.Second}
	}
	if errors.Is(err, errShuttingDown) {
		return &apiError{Status: http.StatusServiceUnavailable, Message: err.Error(), Type: serverError, Code: "shutting_down", Retry: goodbyeRetry}
	}
	if errors.Is(err, errInternal) {
		return &apiError{Status: http.StatusInternalServerError, Message: err.Error(), Type: serverError}
	}
	if errors.Is(err, chat.ErrNotRecorded) {
		if v.r.Context().Err() == nil {
			v.server.log.Warn("a query was asked that is not recorded", "recording", v.server.views.settings.Replay)
		}
		return &apiError{Status: http.StatusBadRequest, Message: "the replies for this query are not recorded, and this server asks no chat model", Type: invalidRequest, Code: "not_recorded"}
	}
	kind := fault.Of(err)
	if v.r.Context().Err() == nil {
		v.server.log.Warn("the chat model could not be asked", "kind", string(kind))
	}
	e := &apiError{Status: http.StatusBadGateway, Message: "the chat model could not be asked", Type: serverError, Code: "chat_model"}
	if kind == fault.Unavailable || errors.Is(err, context.DeadlineExceeded) {
		e.Status, e.Retry = http.StatusServiceUnavailable, time.Second
	}
	return e
}

// base64Of is a vector as OpenAI's API has it.
func base64Of(vector []float32) string {
	b := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}
