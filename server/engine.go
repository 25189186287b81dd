package server

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/vantage-search/vantage/model"
)

// Encoder is what the server asks of a model; model.Encoder is one.
type Encoder interface {
	Info() model.Info
	Encode(ctx context.Context, texts []string, o model.EncodeOptions) ([]model.Embedding, error)
}

// engine encodes what clients send, in batches, and remembers recent vectors.
type engine struct {
	encoder Encoder
	info    model.Info
	queue   *queue
	cache   *cache
	metrics *metrics
	log     *slog.Logger
	results chan []result // so that the next batch is encoded while those of the last are sent
	stopped chan struct{} // closed when nothing is encoded any more
	halt    context.CancelFunc
}

func newEngine(encoder Encoder, l Limits, m *metrics, log *slog.Logger) *engine {
	ctx, halt := context.WithCancel(context.Background())
	e := &engine{encoder: encoder, info: encoder.Info(), queue: newQueue(l.BatchTokens, l.QueueTokens, l.BatchWait), cache: newCache(l.CacheBytes),
		metrics: m, log: log, results: make(chan []result, 1), stopped: make(chan struct{}), halt: halt}
	go func() {
		defer close(e.results)
		for {
			batch := e.queue.next(ctx)
			if batch == nil {
				return
			}
			e.encode(ctx, batch)
		}
	}()
	go func() {
		defer close(e.stopped)
		for results := range e.results {
			for _, r := range results {
				r.job.finish(r.embedding, r.err)
			}
		}
	}()
	return e
}

// result is what became of a job.
type result struct {
	job       *job
	embedding model.Embedding
	err       error
}

// ask is a text that a client wants encoded.
type ask struct {
	text   string
	finish func(model.Embedding, error)
}

// submit encodes texts of one role for a client. What the cache knows is
// finished before submit returns. An error means that nothing was accepted, nor
// finished.
func (e *engine) submit(f *flow, role model.Role, asks []ask, deadline time.Time, wanted func() error) error {
	var jobs []*job
	var known []func()
	for _, a := range asks {
		key := keyOf(role, a.text)
		if got, ok := e.cache.get(key); ok {
			known = append(known, func() { a.finish(got, nil) })
			continue
		}
		jobs = append(jobs, &job{text: a.text, role: role, cost: e.cost(a.text), deadline: deadline, wanted: wanted,
			finish: func(got model.Embedding, err error) {
				if err == nil {
					e.cache.put(key, got)
				}
				a.finish(got, err)
			}})
	}
	if err := e.queue.push(f, jobs); err != nil {
		return err
	}
	e.metrics.cacheHits.Add(float64(len(known)))
	e.metrics.cacheMisses.Add(float64(len(jobs)))
	for _, finish := range known {
		finish()
	}
	return nil
}

// cost estimates a text's tokens: four bytes each, two special ones, and no more
// than the model takes. Only the model knows the number, after its tokenizer; a
// batch that is a little off its budget costs nothing.
func (e *engine) cost(text string) int {
	n := len(text)/4 + 2
	if e.info.MaxLength > 0 {
		n = min(n, e.info.MaxLength)
	}
	return n
}

// encode runs a batch through the model: its texts by role, the short ones first.
func (e *engine) encode(ctx context.Context, batch []*job) {
	now := time.Now()
	byRole := map[model.Role][]*job{}
	for _, j := range batch {
		err := j.wanted()
		if err == nil && !j.deadline.IsZero() && now.After(j.deadline) {
			err = errDeadline
		}
		if err != nil {
			e.metrics.dropped.WithLabelValues(reason(err)).Inc()
			j.finish(model.Embedding{}, err)
			continue
		}
		e.metrics.waited.Observe(now.Sub(j.entered).Seconds())
		byRole[j.role] = append(byRole[j.role], j)
	}
	for role, jobs := range byRole {
		slices.SortStableFunc(jobs, func(a, b *job) int { return cmp.Compare(len(a.text), len(b.text)) })
		texts := make([]string, len(jobs))
		for i, j := range jobs {
			texts[i] = j.text
		}
		started := time.Now()
		embeddings, err := e.try(ctx, texts, role)
		if err != nil && len(jobs) > 1 { // perhaps only one of them is to blame
			embeddings = make([]model.Embedding, len(jobs))
			for i, j := range jobs {
				if one, err := e.try(ctx, []string{j.text}, role); err == nil {
					embeddings[i] = one[0]
				}
			}
		} else if err != nil {
			embeddings = make([]model.Embedding, 1)
		}
		tokens := 0
		for _, got := range embeddings {
			tokens += got.Tokens
		}
		took := time.Since(started)
		e.queue.encoded(tokens, took)
		e.metrics.batchTexts.Observe(float64(len(jobs)))
		e.metrics.batchTokens.Observe(float64(tokens))
		e.metrics.encoding.Observe(took.Seconds())
		e.metrics.texts.Add(float64(len(jobs)))
		e.metrics.tokens.Add(float64(tokens))
		results := make([]result, len(jobs))
		for i, j := range jobs {
			if finite(embeddings[i].Vector, e.info.Dim) {
				results[i] = result{j, embeddings[i], nil}
			} else {
				results[i] = result{j, model.Embedding{}, errInternal}
			}
		}
		e.results <- results
	}
}

// try is Encode without its panics, and with one embedding for each text.
func (e *engine) try(ctx context.Context, texts []string, role model.Role) (embeddings []model.Embedding, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %T", p)
		}
		if err != nil {
			e.metrics.failures.Inc()
			e.log.Error("encoding failed", "texts", len(texts), "error", err.Error())
		}
	}()
	embeddings, err = e.encoder.Encode(ctx, texts, model.EncodeOptions{Role: role})
	if err == nil && len(embeddings) != len(texts) {
		err = fmt.Errorf("%d embeddings of %d texts", len(embeddings), len(texts))
	}
	return embeddings, err
}

// finite reports whether a vector has all its components, and numbers only.
func finite(v []float32, dim int) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return len(v) == dim && dim > 0
}

// stop encodes what waits, until the context ends.
func (e *engine) stop(ctx context.Context) {
	e.queue.close()
	select {
	case <-e.stopped:
	case <-ctx.Done():
		e.halt()
		<-e.stopped
	}
	e.halt()
}

// role is the prompt's name that a text of a query's part goes by.
func (e *engine) role(name model.Role) model.Role {
	if name == roleRoot || name == rolePerspective {
		if _, ok := e.info.Prompts[string(name)]; !ok {
			return model.Query
		}
	}
	return name
}

// Parts of a query.
const (
	roleRoot        model.Role = "root"
	rolePerspective model.Role = "perspective"
)
