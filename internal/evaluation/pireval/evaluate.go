package pireval

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/metrics"
)

// Task judges a retriever's answers to every query of a task by each method, and to the
// root queries. ranked is called with the number of new rankings. keep may be nil; it
// receives the rankings, those of root queries first. If it is not nil, rankings are
// RunDepth deep.
func Task(ctx context.Context, task *pir.Task, prepared *Prepared, methods []Method, ranked func(rankings int), keep func(Rankings) error) (Ordered[Result], error) {
	roots := rootsOf(task)
	deep := depth
	if keep != nil {
		deep = RunDepth
	}
	rank := func(method string, queries int, gold [][]int, rank func(i int) ([]lexical.Hit, error)) ([][]int, int, error) {
		rankings, unanswered, err := rankAll(ctx, queries, rank)
		ranked(queries)
		if err == nil && keep != nil {
			err = keep(Rankings{Task: task, Method: method, Rankings: rankings, Gold: gold, roots: roots})
		}
		return placesOf(rankings), unanswered, err
	}
	rootGold := make([][]int, len(roots))
	for r := range roots {
		rootGold[r] = roots[r].gold
	}
	rootRankings, _, err := rank("", len(roots), rootGold, func(r int) ([]lexical.Hit, error) { return prepared.answer(ctx, prepared.Root(roots[r].first), deep) })
	if err != nil {
		return nil, fmt.Errorf("task %s, root queries: %w", task.Name, err)
	}
	recall, bias := judgeRoots(task, roots, rootRankings)
	var results Ordered[Result]
	for _, method := range methods {
		rankings, unanswered, err := rank(method.Name, len(task.Queries), task.Gold, func(i int) ([]lexical.Hit, error) { return prepared.rank(ctx, i, method, deep) })
		if err != nil {
			return nil, fmt.Errorf("task %s, %s: %w", task.Name, method.Name, err)
		}
		result := judge(task, rankings)
		result.Root, result.Bias, result.Unanswered = recall, bias, unanswered
		result.Locations = locationsOf(task, rankings, rootRankings)
		results = append(results, Member[Result]{method.Name, result})
	}
	return results, nil
}

// rankAll ranks n queries concurrently. A query without an answer has an empty ranking.
func rankAll(ctx context.Context, n int, rank func(i int) ([]lexical.Hit, error)) (rankings [][]lexical.Hit, unanswered int, err error) {
	rankings = make([][]lexical.Hit, n)
	var missing atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			ranking, err := rank(i)
			if errors.Is(err, ErrUnanswerable) {
				missing.Add(1)
				return nil
			}
			if err != nil {
				return fmt.Errorf("query %d: %w", i, err)
			}
			rankings[i] = ranking
			return nil
		})
	}
	err = group.Wait()
	return rankings, int(missing.Load()), err
}

// judge computes the figures of one method's rankings.
func judge(task *pir.Task, rankings [][]int) Result {
	judged := make([]metrics.Judgement, len(rankings))
	for i, ranking := range rankings {
		judged[i] = metrics.Judgement{
			Root: task.Roots[i], Perspective: task.Perspectives[i], Label: task.Labels[i],
			Rank: metrics.FirstRank(ranking, task.Gold[i]),
		}
	}
	at := func(measure func([]metrics.Judgement, int) float64) Figures {
		return figuresOf(func(k int) float64 { return measure(judged, k) })
	}
	return Result{
		N:                          len(judged),
		Recall:                     Recall{Overall: at(metrics.Recall), Macro: at(metrics.MacroRecall), PerLabel: perLabel(judged)},
		PRecall:                    at(metrics.PRecall),
		PRecallNotebook:            at(metrics.PRecallNotebook),
		PRecallByUniquePerspective: at(metrics.PRecallByUniquePerspective),
	}
}

func perLabel(judged []metrics.Judgement) Ordered[Counted] {
	var labels Ordered[Counted]
	for l, label := range metrics.RecallByLabel(judged, depth) {
		labels = append(labels, Member[Counted]{label.Label, Counted{label.Queries, figuresOf(func(k int) float64 {
			return metrics.RecallByLabel(judged, k)[l].Recall
		})}})
	}
	return labels
}

// root is a root query with the queries that share it and the gold texts of all of
// them.
type root struct {
	first   int // query
	queries []int
	gold    []int
}

// rootsOf are the distinct roots in the order in which they first appear.
func rootsOf(task *pir.Task) []root {
	var roots []root
	at := map[string]int{}
	for i, text := range task.Roots {
		r, known := at[text]
		if !known {
			r = len(roots)
			at[text] = r
			roots = append(roots, root{first: i})
		}
		roots[r].queries = append(roots[r].queries, i)
		for _, g := range task.Gold[i] {
			if !slices.Contains(roots[r].gold, g) {
				roots[r].gold = append(roots[r].gold, g)
			}
		}
	}
	return roots
}
