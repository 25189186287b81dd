package pireval

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
)

// Run is what one retriever did on some tasks: results by task and by method.
type Run struct {
	Retriever string
	Methods   []Method
	Tasks     Ordered[Ordered[Result]]
}

// Stages of an evaluation.
const (
	StageEmbed = "embed" // counted in texts
	StageRank  = "rank"  // counted in rankings
)

// Evaluate runs a retriever on tasks by some of its methods. show is called with
// the progress of each stage over all tasks; keep is passed to Task.
func Evaluate(ctx context.Context, tasks []pir.Task, retriever Retriever, methods []Method, show func(stage string, done, total int), keep func(Rankings) error) (Run, error) {
	texts, rankings := 0, 0
	for _, t := range tasks {
		texts += len(t.Corpus) + 3*len(t.Queries)
		rankings += len(rootsOf(&t)) + len(methods)*len(t.Queries)
	}
	stage := func(name string, total int) func(int) {
		done := 0
		return func(n int) { done += n; show(name, done, total) }
	}
	encoded, ranked := stage(StageEmbed, texts), stage(StageRank, rankings)
	run := Run{Retriever: retriever.Name(), Methods: methods}
	rankers := make([]Ranker, len(tasks))
	for i := range tasks {
		var err error
		rankers[i], err = retriever.Prepare(ctx, &tasks[i], encoded)
		if err != nil {
			return run, fmt.Errorf("task %s: %w", tasks[i].Name, err)
		}
	}
	for i := range tasks {
		results, err := Task(ctx, &tasks[i], rankers[i], methods, ranked, keep)
		if err != nil {
			return run, err
		}
		run.Tasks = append(run.Tasks, Member[Ordered[Result]]{tasks[i].Name, results})
	}
	return run, nil
}

// Report is the figures of runs as they are written in JSON: of each task, by
// MethodKey.
type Report struct {
	Data          string                   `json:"data"` // names the data set
	Tasks         Ordered[Ordered[Result]] `json:"tasks"`
	Decomposition Ordered[Decomposition]   `json:"decomposition,omitempty"` // by task

	shared map[string]bool // methods that several runs have
}

// NewReport gathers the runs' results on a data set by task.
func NewReport(data string, runs []Run) Report {
	r := Report{Data: data, shared: map[string]bool{}}
	known := map[string]bool{}
	for _, run := range runs {
		for _, m := range run.Methods {
			r.shared[m.Name] = known[m.Name]
			known[m.Name] = true
		}
	}
	for _, run := range runs {
		for _, task := range run.Tasks {
			if r.Tasks.Get(task.Name) == nil {
				r.Tasks = append(r.Tasks, Member[Ordered[Result]]{Name: task.Name})
			}
			methods := r.Tasks.Get(task.Name)
			for _, result := range task.Value {
				method := result.Name
				result.Value.Retriever = run.Retriever
				if r.shared[method] {
					result.Name, result.Value.Method = MethodKey(method, run.Retriever), method
				}
				*methods = append(*methods, result)
			}
		}
	}
	return r
}

// MethodKey names a method of one of several retrievers that have it: in a report,
// in place of the method's name alone.
func MethodKey(method, retriever string) string { return method + " of " + retriever }

// AddDecompositions adds the results of decompositions for one retriever.
func (r *Report) AddDecompositions(retriever string, tasks Ordered[Decomposition]) {
	for _, task := range tasks {
		var recall Ordered[Change]
		for _, change := range task.Value.Recall {
			if r.shared[change.Name] {
				change.Name = MethodKey(change.Name, retriever)
			}
			recall = append(recall, change)
		}
		known := r.Decomposition.Get(task.Name)
		if known == nil {
			task.Value.Recall = nil
			r.Decomposition = append(r.Decomposition, task)
			known = r.Decomposition.Get(task.Name)
		}
		known.Recall = append(known.Recall, recall...)
	}
}

// Result of a task by a method, nil if it did not run.
func (r *Run) Result(task, method string) *Result {
	results := r.Tasks.Get(task)
	if results == nil {
		return nil
	}
	return results.Get(method)
}
