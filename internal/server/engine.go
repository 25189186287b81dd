package server

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder"
)

// fallible is an encoder that can fail permanently, such as an engine of
// internal/model/child. Ready then returns the reason, which may be shown to clients.
type fallible interface{ Ready() error }

// threaded is an encoder that tells its number of threads.
type threaded interface{ Threads() int }

// engine encodes texts in batches and caches recent vectors.
type engine struct {
	encoder encoder.Encoder
	byIDs   encoder.IDEncoder // the same encoder, nil if it takes no token ids
	sides   *sideModel        // nil if it cannot tell sides apart
	info    encoder.Info
	queue   *queue
	cache   *cache
	metrics *metrics
	log     *slog.Logger
	results chan []result // lets the next batch be encoded while the results of the last are sent
	tracing *tracing
	stopped chan struct{} // closed when encoding has ended
	halt    context.CancelFunc
}

func newEngine(model encoder.Encoder, l Limits, m *metrics, log *slog.Logger, t *tracing) *engine {
	atOnce := batchesAtOnce
	if t, ok := model.(threaded); ok && t.Threads() == 1 {
		atOnce = 1
	}
	ctx, halt := context.WithCancel(context.Background())
	e := &engine{encoder: model, info: model.Info(), queue: newQueue(l.BatchTokens, l.QueueTokens, l.BatchWait, atOnce), cache: newCache(l.CacheBytes),
		metrics: m, log: log, tracing: t, results: make(chan []result, 1), stopped: make(chan struct{}), halt: halt}
	e.byIDs, _ = model.(encoder.IDEncoder)
	e.sides = sideModelOf(model)
	var running sync.WaitGroup
	for who := range atOnce {
		running.Go(func() {
			// Batches are encoded on threads of their own: short-lived goroutines would
			// move between threads and processors, which added up to 3 ms to a text.
			runtime.LockOSThread()
			for batch := e.queue.next(ctx, who); batch != nil; batch = e.queue.next(ctx, who) {
				e.encode(ctx, batch)
				e.queue.done()
			}
		})
	}
	go func() {
		running.Wait()
		for _, j := range e.queue.rest() {
			e.finish(j, encoder.Embedding{}, errShuttingDown)
		}
		close(e.results)
	}()
	go func() {
		defer close(e.stopped)
		for results := range e.results {
			for _, r := range results {
				e.finish(r.job, r.embedding, r.err)
			}
		}
	}()
	return e
}

// result is the result of a job.
type result struct {
	job       *job
	embedding encoder.Embedding
	err       error
}

// ask is a text to encode, or the ids of its tokens.
type ask struct {
	text string
	ids  []uint32 // nil if text is given
}

// submit queues an order of an asker in a connection's lane. Texts in the cache are
// finished before submit returns. If submit fails, no text was accepted or finished.
func (e *engine) submit(who asker, l *lane, o *order) error {
	type hit struct {
		index int
		got   encoder.Embedding
	}
	var known []hit
	for i := range o.jobs {
		j := &o.jobs[i]
		j.key, j.cost = e.key(j), e.cost(&j.ask)
	}
	o.jobs = slices.DeleteFunc(o.jobs, func(j job) bool {
		got, ok := e.cache.Get(j.key)
		if ok {
			known = append(known, hit{j.index, got})
		}
		return ok
	})
	misses := len(o.jobs) // counted before takers change o.jobs
	if err := e.queue.push(who, l, o); err != nil {
		return err
	}
	e.metrics.cacheHits.Add(float64(len(known)))
	e.metrics.cacheMisses.Add(float64(misses))
	for _, h := range known {
		o.trail.taken()
		o.finish(h.index, h.got, nil)
		o.trail.finished(nil)
	}
	return nil
}

// key is a text's key in the cache.
func (e *engine) key(j *job) cacheKey {
	switch {
	case j.ids != nil:
		return keyOfIDs(j.ids)
	case j.order.sides:
		return keyOfSides(j.order.role, j.text)
	}
	return keyOf(j.order.role, j.text)
}

// finish passes on the result of a job.
func (e *engine) finish(j *job, got encoder.Embedding, err error) {
	if err == nil {
		e.cache.Put(j.key, got, costOf(got))
	} else if !errors.Is(err, errInternal) && !errors.Is(err, errAway) { // its session keeps the text, and counts it if it is lost
		e.metrics.dropped.WithLabelValues(reason(err)).Inc()
	}
	j.order.finish(j.index, got, err)
	j.order.trail.finished(err)
}

// sweep removes the waiting texts of an order if they are no longer wanted.
func (e *engine) sweep(o *order) {
	jobs, why := e.queue.sweep(o)
	for i := range jobs {
		e.finish(&jobs[i], encoder.Embedding{}, why)
	}
}

// cost estimates a text's tokens: one per four bytes, two special ones, and at most the
// model's maximum. Only the tokenizer knows the exact number, and a batch may exceed
// its budget a little.
func (e *engine) cost(a *ask) int {
	n := len(a.text)/4 + 2
	if a.ids != nil {
		n = len(a.ids)
	}
	if e.info.MaxLength > 0 {
		n = min(n, e.info.MaxLength)
	}
	return n
}

// ready returns why the engine can no longer encode, or nil.
func (e *engine) ready() error {
	if f, ok := e.encoder.(fallible); ok {
		return f.Ready()
	}
	return nil
}

// stop encodes the waiting texts until the context ends. The remaining texts fail with
// errShuttingDown.
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

// role is the role of a text for the model. Parts of a query use the prompt for
// queries, unless the model has a prompt for them.
func (e *engine) role(name encoder.Role) encoder.Role {
	if name == roleRoot || name == rolePerspective {
		if _, ok := e.info.Prompts[string(name)]; !ok {
			return encoder.Query
		}
	}
	return name
}

// These are the parts of a query.
const (
	roleRoot        encoder.Role = "root"
	rolePerspective encoder.Role = "perspective"
)
