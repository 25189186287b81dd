package mvrag

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/progress"
)

// running is an experiment that runs.
type running struct {
	*Experiment
	set     *beir.Set
	domain  *mvrag.Domain
	without []int
	chat    *chat.Client // nil: none
	show    *progress.Bar
	queries []queryOf
	steps   []Step
}

// Names of steps, which are stages of the progress, too.
const (
	weighStep   = progress.Intent
	rewriteStep = progress.Rewrite
	answerStep  = progress.Answer
)

// Step is a step of a run, with what it took. Seconds count only this run, which reuses
// what an earlier one has kept.
type Step struct {
	Name    string      `json:"name"`
	Seconds float64     `json:"seconds"`
	Chat    *chat.Usage `json:"chat,omitempty"` // of this step; null if it asks no chat model
}

// step measures a step. asks says whether it asks the chat model.
func (r *running) step(name string, asks bool, do func() error) error {
	var before chat.Usage
	asks = asks && r.chat != nil
	if asks {
		before = r.chat.Usage()
	}
	began := time.Now()
	if err := do(); err != nil {
		return err
	}
	r.show.End()
	s := Step{Name: name, Seconds: time.Since(began).Seconds()}
	if asks {
		used := r.chat.Usage().Since(before)
		s.Chat = &used
	}
	r.steps = append(r.steps, s)
	return nil
}

// together is how many queries are asked about at a time.
const together = 4

// each does something for all queries, several at a time. An error ends it. It then still waits for the queries that
// were begun, because the replies on their way cost as much as others and are kept.
func (r *running) each(ctx context.Context, stage string, do func(ctx context.Context, i int) error) error {
	var mu sync.Mutex
	done, failed := int64(0), false
	var group errgroup.Group
	group.SetLimit(together)
	for i := range r.queries {
		group.Go(func() error {
			mu.Lock()
			ended := failed
			mu.Unlock()
			if ended {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			err := do(ctx, i)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = true
				return err
			}
			done++
			r.show.Update(stage, done, int64(len(r.queries)))
			return nil
		})
	}
	return group.Wait()
}

// read weighs the perspectives for all queries, and rewrites the queries.
func (r *running) read(ctx context.Context) error {
	views, err := r.views()
	if err != nil {
		return err
	}
	for _, q := range r.set.Queries {
		r.queries = append(r.queries, queryOf{Query: q})
	}
	err = r.step(weighStep, true, func() error {
		return r.each(ctx, weighStep, func(ctx context.Context, i int) (err error) {
			r.queries[i].Reading, err = mvrag.Weigh(ctx, views, r.queries[i].Text)
			return err
		})
	})
	if err != nil {
		return err
	}
	return r.step(rewriteStep, true, func() error {
		return r.each(ctx, rewriteStep, func(ctx context.Context, i int) error {
			return r.queries[i].Rewrite(ctx, views, r.queries[i].Text, r.Threshold)
		})
	})
}

func (r *running) views() (mvrag.Views, error) {
	if r.chat == nil {
		return mvrag.Static{Domain: r.domain}, nil
	}
	return mvrag.NewModel(r.chat, r.domain)
}
