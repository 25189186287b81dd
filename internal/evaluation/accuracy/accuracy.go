// Package accuracy measures the cost of lower precision: how much rankings of quantised
// rows differ from the exact ones. It covers every scoring method that takes no angles, not only the cosine.
package accuracy

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Task is a set of texts and the queries on it.
type Task struct {
	Name      string
	Documents []string
	Queries   []Query
}

// Query is a query's texts. Methods that need Root or Perspectives skip queries without
// them. If only Root is given, the perspective is the difference of query and root.
type Query struct {
	Text         string
	Root         string
	Perspectives []string
}

// Cost is the effect of one precision on one method and one task. Its figures are means
// over the queries.
type Cost struct {
	Task    string      `json:"task"`
	Method  string      `json:"method"`
	DType   shard.DType `json:"dtype"`
	Queries int         `json:"queries"` // queries that the method can answer
	Recall  float64     `json:"recall"`  // share of the exact top K that is in the quantised top K
	Tau     float64     `json:"tau"`     // Kendall's τ between the complete rankings
}

// K is the depth of Cost.Recall.
const K = 10

// Precisions are the row types that are compared with float32.
var Precisions = []shard.DType{shard.F16, shard.I8}

// Report has the costs of all precisions, task by task.
type Report struct {
	Tasks []Task
	Costs []Cost // for each task, for each of Precisions, by method
}

// Evaluate reads tasks, as Read does, and measures them with a static model, which is named as in named.Find.
func Evaluate(ctx context.Context, paths []string, model string, c *console.Console) (*Report, error) {
	files, err := named.LoadStatic(ctx, model, c)
	if err != nil {
		return nil, err
	}
	encoder, err := files.Open()
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	r := &Report{Costs: []Cost{}}
	for _, path := range paths {
		found, err := Read(ctx, path)
		if err != nil {
			return nil, err
		}
		r.Tasks = append(r.Tasks, found...)
	}
	return r, r.measure(ctx, encoder, c.Progress())
}

// measure measures the tasks one after the other. The bar may be nil.
func (r *Report) measure(ctx context.Context, encoder *encode.Static, show *progress.Bar) error {
	defer show.Stop()
	for i, task := range r.Tasks {
		show.Update(progress.Rank, int64(i), int64(len(r.Tasks)))
		found, err := Measure(ctx, encoder, task)
		if err != nil {
			return err
		}
		r.Costs = append(r.Costs, found...)
	}
	show.Update(progress.Rank, int64(len(r.Tasks)), int64(len(r.Tasks)))
	show.End()
	return nil
}

// Measure ranks every query of a task by every method of
// perspective.Methods that needs no angles, exactly and at each precision.
func Measure(ctx context.Context, encoder *encode.Static, task Task) ([]Cost, error) {
	if len(task.Documents) < 2 {
		return nil, fault.Errorf(fault.Input, "task %s: %s, and a ranking needs two: add documents", task.Name, human.Count(len(task.Documents), "document"))
	}
	vectors := make([]float32, len(task.Documents)*encoder.Dim())
	for i, text := range task.Documents {
		encoder.Encode(vectors[i*encoder.Dim():][:encoder.Dim()], text)
	}
	exact, err := index.FromVectors(shard.F32, encoder.Dim(), vectors)
	if err != nil {
		return nil, err
	}
	queries, err := encodeQueries(encoder, task.Queries)
	if err != nil {
		return nil, err
	}
	var costs []Cost
	for _, dtype := range Precisions {
		stored, err := index.FromVectors(dtype, encoder.Dim(), vectors)
		if err != nil {
			return nil, err
		}
		for _, method := range perspective.Methods() {
			if method.Angles > 0 {
				continue // a static encoder has no angles
			}
			cost := Cost{Task: task.Name, Method: method.Name, DType: dtype}
			if err := cost.measure(ctx, exact, stored, queries); err != nil {
				return nil, fmt.Errorf("task %s, %s: %w", task.Name, method.Name, err)
			}
			costs = append(costs, cost)
		}
	}
	return costs, nil
}

func encodeQueries(encoder *encode.Static, queries []Query) ([]perspective.Query, error) {
	vector := func(text string) []float32 {
		v := make([]float32, encoder.Dim())
		encoder.Encode(v, text)
		return v
	}
	out := make([]perspective.Query, len(queries))
	for i, q := range queries {
		out[i] = perspective.Query{Query: vector(q.Text), Lambda: 1}
		if q.Root != "" {
			out[i].Root = vector(q.Root)
		}
		for _, p := range q.Perspectives {
			out[i].Perspectives = append(out[i].Perspectives, vector(p))
		}
		if out[i].Root != nil && len(q.Perspectives) == 0 {
			difference, err := perspective.Difference(out[i].Query, out[i].Root)
			if err != nil {
				return nil, fmt.Errorf("query %d: %w", i, err)
			}
			out[i].Perspectives = [][]float32{difference}
		}
	}
	return out, nil
}

// measure fills in the means. It shares the queries among the processors.
func (c *Cost) measure(ctx context.Context, exact, stored *index.Index, queries []perspective.Query) error {
	recalls, taus := make([]float64, len(queries)), make([]float64, len(queries))
	answered := make([]bool, len(queries))
	failed := make([]error, len(queries))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(queries) && ctx.Err() == nil; i += workers {
				q := queries[i]
				q.Method = c.Method
				a, err := rankAll(exact, q)
				if unanswerable(err) {
					continue
				}
				var b []int
				if err == nil {
					b, err = rankAll(stored, q)
				}
				if failed[i] = err; err != nil {
					return
				}
				answered[i], recalls[i], taus[i] = true, overlap(a, b, K), Kendall(a, b)
			}
		})
	}
	group.Wait()
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return err
	}
	// The sum is taken in order, so that the figures do not depend on which worker
	// finished first.
	for i, ok := range answered {
		if ok {
			c.Queries++
			c.Recall += recalls[i]
			c.Tau += taus[i]
		}
	}
	if c.Queries > 0 {
		c.Recall /= float64(c.Queries)
		c.Tau /= float64(c.Queries)
	}
	return nil
}

// unanswerable reports whether the error says that a method cannot answer the query.
func unanswerable(err error) bool {
	var missing *perspective.MissingError
	var degenerate *perspective.DegenerateError
	return errors.As(err, &missing) || errors.As(err, &degenerate)
}

func rankAll(ix *index.Index, q perspective.Query) ([]int, error) {
	hits, err := ranking.Search(ix, &ranking.Request{Query: q, K: ix.Len()})
	if err != nil {
		return nil, err
	}
	rows := make([]int, len(hits))
	for i, h := range hits {
		rows[i] = h.Row
	}
	return rows, nil
}
