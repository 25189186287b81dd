package server

import (
	"context"
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
