package child

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
)

// request is work that gets one answer.
type request struct {
	work
	id     uint64
	deaths int
	gone   bool        // nobody waits for an answer: the caller has given up, or refuse has answered
	done   chan answer // receives the answer
}

type answer struct {
	embeddings []encoder.Embedding
	err        error
}

// do splits work into requests, sends them and waits for their answers.
func (e *Engine) do(ctx context.Context, w work) (embeddings []encoder.Embedding, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parts := w.split(e.texts)
	requests := make([]*request, len(parts))
	for i, part := range parts {
		requests[i] = &request{work: part, done: make(chan answer, 1)}
	}
	if err := e.submit(requests); err != nil {
		return nil, err
	}
	embeddings = make([]encoder.Embedding, 0, w.size())
	for i, r := range requests {
		var a answer
		select {
		case a = <-r.done:
		case <-ctx.Done():
			a.err = ctx.Err()
		}
		if a.err != nil {
			e.abandon(requests[i:])
			return nil, a.err
		}
		embeddings = append(embeddings, a.embeddings...)
	}
	return embeddings, nil
}

func (e *Engine) submit(requests []*request) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refusal != nil {
		return e.refusal
	}
	for _, r := range requests {
		e.number++
		r.id = e.number
	}
	e.waiting = append(e.waiting, requests...)
	e.signal()
	return nil
}

// abandon cancels requests whose caller has given up.
func (e *Engine) abandon(requests []*request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range requests {
		r.gone = true
		if e.flying[r.id] != nil {
			e.cancels = append(e.cancels, r.id)
		}
	}
	e.waiting = slices.DeleteFunc(e.waiting, func(r *request) bool { return r.gone })
	e.signal()
}

func (e *Engine) signal() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// next is the next frame to send, or nil if there is none now.
func (e *Engine) next() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.cancels) > 0 {
		id := e.cancels[0]
		e.cancels = e.cancels[1:]
		b, _ := endFrame(beginFrame(kindCancel, id)) // the frame is never too long
		return b
	}
	for len(e.waiting) > 0 {
		r, most := e.waiting[0], window
		for _, other := range append(slices.Collect(maps.Values(e.flying)), r) {
			if other.deaths > 0 { // alone, so that it is clear which request kills the process
				most = 1
			}
		}
		if len(e.flying) >= most {
			return nil
		}
		e.waiting = e.waiting[1:]
		b, err := r.frame(r.id)
		if err != nil {
			r.done <- answer{err: err}
			continue
		}
		e.flying[r.id] = r
		return b
	}
	return nil
}

// take handles an answer from the process. It returns an error if the frame makes no
// sense.
func (e *Engine) take(f frame) error {
	e.mu.Lock()
	r := e.flying[f.id]
	e.mu.Unlock()
	if r == nil {
		return fmt.Errorf("%w: an answer to request %d, which is not under way", errFrame, f.id)
	}
	var a answer
	switch {
	case f.kind == kindVectors:
		var err error
		if a.embeddings, err = parseVectors(f.content, r.size(), e.info.Dim); err != nil {
			return err
		}
	case f.kind == kindError && len(f.content) <= maxWords:
		a.err = errors.New(strings.ToValidUTF8(string(f.content), "�"))
	default:
		return fmt.Errorf("%w: kind %d for an answer", errFrame, f.kind)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flying, f.id)
	if !r.gone {
		r.done <- a
	}
	e.signal()
	return nil
}

// recall puts the requests of a dead process back into the queue.
func (e *Engine) recall(reason error) (again int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := slices.Sorted(maps.Keys(e.flying))
	var suspects []*request
	for _, id := range ids {
		r := e.flying[id]
		if r.deaths++; r.gone {
			continue
		}
		if r.deaths == mostDeaths {
			r.done <- answer{err: fmt.Errorf("the engine's process died twice while it had these %d texts, which are not sent again: %w", r.size(), reason)}
			continue
		}
		suspects = append(suspects, r)
	}
	clear(e.flying)
	e.cancels = nil
	e.waiting = append(suspects, e.waiting...)
	return len(suspects)
}

// refuse makes all current and later requests fail.
func (e *Engine) refuse(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refusal == nil {
		e.refusal = err
	}
	for _, r := range e.flying {
		if !r.gone {
			r.gone = true
			r.done <- answer{err: e.refusal}
		}
	}
	for _, r := range e.waiting {
		r.done <- answer{err: e.refusal}
	}
	e.waiting = nil
}
