package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

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
		halted := len(jobs) // from this job on, the context ended before the model had an answer
		if err != nil {
			embeddings = make([]encoder.Embedding, len(jobs))
			if ctx.Err() != nil {
				halted = 0
			} else if len(jobs) > 1 { // perhaps only one text is at fault
				for i, j := range jobs {
					one, err := e.try(ctx, []*job{j}, k)
					if err == nil {
						embeddings[i] = one[0]
					} else if ctx.Err() != nil {
						halted = i
						break
					}
				}
			}
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
		e.metrics.tokens.Add(float64(tokens))
		results := make([]result, len(jobs))
		for i, j := range jobs {
			switch {
			case i >= halted:
				results[i] = result{j, encoder.Embedding{}, errShuttingDown}
			case finite(embeddings[i].Vector, e.dim(k.sides)):
				results[i] = result{j, embeddings[i], nil}
				e.metrics.texts.Inc()
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
		embeddings, err = e.sides.encode(ctx, textsOf(jobs), k.role)
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
		return e.info.Dim + e.sides.angleDim
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
