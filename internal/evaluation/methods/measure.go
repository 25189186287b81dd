package methods

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
)

// measure computes Measure for a task's queries with each candidate, and adds the values to the queries' kinds.
func (e *Experiment) measure(ctx context.Context, task *pir.Task, system pireval.System, angles bool, kinds map[perspective.Kind]*Kind) error {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	done := 0
	prepared, err := system.Prepare(ctx, task, func(n int) {
		done += n
		show.Update(progress.Embed, int64(done), int64(len(task.Corpus)+3*len(task.Queries)))
	})
	if err != nil {
		return fmt.Errorf("task %s: %w", task.Name, err)
	}
	show.End()
	measures, err := trec.ParseMeasures([]string{Measure})
	if err != nil {
		return err
	}
	byKind := map[perspective.Kind][]int{}
	for i := range task.Queries {
		kind := pireval.KindOf(task, i)
		byKind[kind] = append(byKind[kind], i)
	}
	for kind, queries := range byKind {
		if kinds[kind] == nil {
			kinds[kind] = &Kind{Kind: kind}
			for _, c := range candidates(kind, angles) {
				kinds[kind].Candidates = append(kinds[kind].Candidates, Candidate{Choice: c})
			}
		}
		kinds[kind].Queries += len(queries)
		part := *task
		part.Queries, part.Roots, part.Perspectives, part.Labels, part.Gold = nil, nil, nil, nil, nil
		part.QueryIDs, part.Desired, part.Locations = nil, nil, nil
		for _, i := range queries {
			part.Queries, part.Roots, part.Perspectives = append(part.Queries, task.Queries[i]), append(part.Roots, task.Roots[i]), append(part.Perspectives, task.Perspectives[i])
			part.Labels, part.Gold, part.QueryIDs = append(part.Labels, task.Labels[i]), append(part.Gold, task.Gold[i]), append(part.QueryIDs, task.QueryID(i))
		}
		for j := range kinds[kind].Candidates {
			c := &kinds[kind].Candidates[j]
			method := pireval.Chosen(c.Choice)
			these := *prepared
			these.Query = func(i int, m pireval.Method) (retrieve.Query, error) { return prepared.Query(queries[i], m) }
			these.Root = func(i int) retrieve.Query { return prepared.Root(queries[i]) }
			values, err := valuesOf(ctx, &part, &these, method, measures)
			if err != nil {
				return err
			}
			c.values = append(c.values, values...)
		}
	}
	return nil
}

// valuesOf returns the values of a method for each query.
func valuesOf(ctx context.Context, task *pir.Task, prepared *pireval.Prepared, method pireval.Method, measures []*trec.Measure) (values []float64, err error) {
	_, err = pireval.Task(ctx, task, prepared, []pireval.Method{method}, func(int) {}, func(r pireval.Rankings) error {
		if r.Method == "" {
			return nil
		}
		run, err := r.Run(method.Name)
		if err != nil {
			return err
		}
		qrels := trec.NewQrels(task.Name)
		if err := r.EachJudgement(func(query, text string) error { qrels.Add(query, text, 1); return nil }); err != nil {
			return err
		}
		compared, _, err := compare.Values(qrels, []*trec.Run{run}, measures)
		if err != nil {
			return err
		}
		values = compared[0].Runs[0]
		return nil
	})
	return values, err
}
