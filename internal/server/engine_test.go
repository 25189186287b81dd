package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

// slow is an encoder that takes a second per batch and counts the running batches.
type slow struct{ running, most atomic.Int32 }

func (s *slow) Info() encoder.Info { return encoder.Info{Dim: 1} }

func (s *slow) Encode(_ context.Context, texts []string, _ encoder.Options) ([]encoder.Embedding, error) {
	s.most.Store(max(s.most.Load(), s.running.Add(1)))
	defer s.running.Add(-1)
	time.Sleep(time.Second)
	list := make([]encoder.Embedding, len(texts))
	for i := range list {
		list[i].Vector = []float32{1}
	}
	return list, nil
}

// slowOn also tells its number of threads.
type slowOn struct {
	*slow
	threads int
}

func (s slowOn) Threads() int { return s.threads }

// faulty fails on batches of several texts and on the text "bad", and lets a test act before the call with one text.
type faulty struct {
	slow
	before func(text string)
}

func (f *faulty) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if len(texts) > 1 {
		return nil, errors.New("a text is at fault")
	}
	f.before(texts[0])
	if texts[0] == "bad" || ctx.Err() != nil {
		return nil, errors.New("no")
	}
	return f.slow.Encode(ctx, texts, o)
}

// If the server stops while texts of a failed batch are tried singly, only those that failed are at fault, and only
// those that succeeded count as encoded.
func TestEngineStopsDuringRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, halt := context.WithCancel(t.Context())
		m := newMetrics()
		model := &faulty{before: func(text string) {
			if text == "last" {
				halt()
			}
		}}
		e := newEngine(model, DefaultLimits(), m, slog.New(slog.DiscardHandler), nil)
		got := map[int]error{}
		o := newOrder(5, encoder.Query, func() error { return nil }, func(i int, _ encoder.Embedding, err error) { got[i] = err })
		texts := []string{"a", "bad", "good", "last", "beyond"} // from the shortest, in which order they are tried
		var batch []*job
		for i, text := range texts {
			o.add(i, ask{text: text})
		}
		for i := range o.jobs {
			batch = append(batch, &o.jobs[i])
		}
		e.encode(ctx, batch)
		e.stop(t.Context())
		for i, want := range []error{nil, errInternal, nil, errShuttingDown, errShuttingDown} {
			if err, ok := got[i]; !ok || err != want {
				t.Errorf("%s: %v, want %v", texts[i], err, want)
			}
		}
		families, err := m.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if n := f.Metric[0].Counter.GetValue(); f.GetName() == "vantage_texts_total" && n != 2 {
				t.Errorf("%v texts count as encoded, want 2", n)
			}
		}
	})
}

// A model with one thread has one batch at a time. Other models have two if full
// batches wait.
func TestEngineOverlapsBatches(t *testing.T) {
	if one, ok := realModel(t).(threaded); !ok || one.Threads() != 1 {
		t.Error("a model with one thread does not tell its number")
	}
	alone, two, silent := &slow{}, &slow{}, &slow{}
	for _, c := range []struct {
		encoder encoder.Encoder
		counts  *slow
		want    int32
	}{{slowOn{alone, 1}, alone, 1}, {slowOn{two, 2}, two, 2}, {silent, silent, 2}} {
		synctest.Test(t, func(t *testing.T) {
			l := DefaultLimits()
			l.BatchTokens = 10
			e := newEngine(c.encoder, l, newMetrics(), slog.New(slog.DiscardHandler), nil)
			answers := make(chan error, 100)
			o := newOrder(cap(answers), encoder.Query, func() error { return nil }, func(_ int, _ encoder.Embedding, err error) { answers <- err })
			for i := range cap(answers) {
				o.add(i, ask{text: fmt.Sprint("text ", i)})
			}
			if err := e.submit(asker{}, &lane{}, o); err != nil {
				t.Fatal(err)
			}
			for range cap(answers) {
				if err := <-answers; err != nil {
					t.Error(err)
				}
			}
			e.stop(t.Context())
			if got := c.counts.most.Load(); got != c.want {
				t.Errorf("%T: %d batches at once, want %d", c.encoder, got, c.want)
			}
		})
	}
}
