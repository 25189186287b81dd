package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

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
	hears   *hearing          // nil if it hears no sides
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
	e.hears = hearingOf(model)
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
	} else if !errors.Is(err, errInternal) {
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

// kind is the kind of jobs that one call of the model can take together.
type kind struct {
	role       encoder.Role
	ids, sides bool
}

// encode runs a batch through the model, separately for each kind, short texts first.
func (e *engine) encode(ctx context.Context, batch []*job) {
	ctx, span := e.tracing.batch(ctx, batch)
	defer span.End()
	now := time.Now()
	byKind := map[kind][]*job{}
	for _, j := range batch {
		o := j.order
		o.trail.taken()
		err := o.wanted()
		if err == nil && !o.deadline.IsZero() && now.After(o.deadline) {
			err = errDeadline
		}
		if err != nil {
			e.finish(j, encoder.Embedding{}, err)
			continue
		}
		e.metrics.waited.Observe(now.Sub(o.entered).Seconds())
		k := kind{o.role, j.ids != nil, o.sides}
		byKind[k] = append(byKind[k], j)
	}
	for k, jobs := range byKind {
		slices.SortStableFunc(jobs, func(a, b *job) int {
			return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(len(a.ids), len(b.ids)))
		})
		started := time.Now()
		embeddings, err := e.try(ctx, jobs, k)
		halted := err != nil && ctx.Err() != nil
		if halted {
			embeddings = make([]encoder.Embedding, len(jobs))
		} else if err != nil && len(jobs) > 1 { // perhaps only one text is at fault
			embeddings = make([]encoder.Embedding, len(jobs))
			for i, j := range jobs {
				if one, err := e.try(ctx, []*job{j}, k); err == nil {
					embeddings[i] = one[0]
				}
			}
		} else if err != nil {
			embeddings = make([]encoder.Embedding, 1)
		}
		tokens := 0
		for _, got := range embeddings {
			tokens += got.Tokens
		}
		took := time.Since(started)
		e.queue.encoded(tokens, started)
		e.metrics.batchTexts.Observe(float64(len(jobs)))
		e.metrics.batchTokens.Observe(float64(tokens))
		e.metrics.encoding.Observe(took.Seconds())
		e.metrics.texts.Add(float64(len(jobs)))
		e.metrics.tokens.Add(float64(tokens))
		results := make([]result, len(jobs))
		for i, j := range jobs {
			switch {
			case halted:
				results[i] = result{j, encoder.Embedding{}, errShuttingDown}
			case finite(embeddings[i].Vector, e.dim(k.sides)):
				results[i] = result{j, embeddings[i], nil}
			default:
				results[i] = result{j, encoder.Embedding{}, errInternal}
			}
		}
		e.results <- results
	}
}

// try calls Encode. It turns panics into errors and checks that there is one embedding
// per text.
func (e *engine) try(ctx context.Context, jobs []*job, k kind) (embeddings []encoder.Embedding, err error) {
	ctx, span := e.tracing.call(ctx, len(jobs))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %T", p)
		}
		if err != nil && ctx.Err() == nil {
			e.metrics.failures.Inc()
			e.log.Error("encoding failed", "texts", len(jobs), "error", err.Error())
		}
		e.tracing.encoded(span, embeddings, err)
	}()
	switch {
	case k.ids:
		lists := make([][]uint32, len(jobs))
		for i, j := range jobs {
			lists[i] = j.ids
		}
		embeddings, err = e.byIDs.EncodeIDs(ctx, lists)
	case k.sides:
		embeddings, err = e.hears.encode(ctx, textsOf(jobs), k.role)
	default:
		embeddings, err = e.encoder.Encode(ctx, textsOf(jobs), encoder.Options{Role: k.role})
	}
	if err == nil && len(embeddings) != len(jobs) {
		err = fmt.Errorf("%d embeddings of %d texts", len(embeddings), len(jobs))
	}
	return embeddings, err
}

func textsOf(jobs []*job) []string {
	texts := make([]string, len(jobs))
	for i, j := range jobs {
		texts[i] = j.text
	}
	return texts
}

// dim is the number of components of a job's vector.
func (e *engine) dim(sides bool) int {
	if sides {
		return e.info.Dim + e.hears.angleDim
	}
	return e.info.Dim
}

// finite reports whether a vector has the right length and only finite components.
func finite(v []float32, dim int) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return len(v) == dim && dim > 0
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
