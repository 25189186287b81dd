package pirbench

import (
	"context"
	"errors"
	"time"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
)

// Ranked are the rankings of a task's queries by a retriever and a method, and the
// seconds that the retriever took for all of its methods and tasks.
type Ranked struct {
	Retriever string
	Method    pireval.Method
	Task      int // index into the tasks that Rank returns
	Rankings  pireval.Rankings
	Seconds   float64
}

// Rank ranks the queries of tasks by all retrievers and methods. The tasks are those in
// data for which want is true.
func (e *Experiment) Rank(ctx context.Context, data []string, want func(*pir.Task) bool) (tasks []pir.Task, ranked []Ranked, err error) {
	chosen, err := e.choose(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := read(data, e.Part, e.Roots, e.Encoding.Console)
	if err != nil {
		return nil, nil, err
	}
	for i := range all {
		if want(&all[i]) {
			tasks = append(tasks, all[i])
		}
	}
	if len(tasks) == 0 {
		return nil, nil, nil
	}
	if err := e.try(ctx, chosen, tasks); err != nil {
		return nil, nil, err
	}
	for i := range chosen {
		some, err := e.rank(ctx, &chosen[i], tasks)
		if err != nil {
			return nil, nil, err
		}
		ranked = append(ranked, some...)
	}
	return tasks, ranked, nil
}

func (e *Experiment) rank(ctx context.Context, c *chosenRetriever, tasks []pir.Task) (ranked []Ranked, err error) {
	begun := time.Now()
	retriever, close, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, close()) }()
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	task, method := -1, 0
	_, err = pireval.Evaluate(ctx, tasks, retriever, c.methods, func(stage string, done, total int) {
		show.Update(stage, int64(done), int64(total))
	}, func(r pireval.Rankings) error {
		if r.Method == "" { // root queries come first
			task, method = task+1, 0
			return nil
		}
		ranked = append(ranked, Ranked{Retriever: c.label, Method: c.methods[method], Task: task, Rankings: r})
		method++
		return nil
	})
	show.End()
	for i := range ranked {
		ranked[i].Seconds = time.Since(begun).Seconds()
	}
	return ranked, err
}
